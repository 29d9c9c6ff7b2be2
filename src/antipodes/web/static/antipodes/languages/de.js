// Made by `make messages` from djangojs.po: edit that.

export const plural = (n) => Number((n != 1));
export const words = {
};

// The page of choices: whoever has not chosen a time zone is offered that of the browser.

const field = /** @type {HTMLSelectElement | null} */ (document.querySelector('[data-zone=""] select'));
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (field && [...field.options].some((option) => option.value === zone)) field.value = zone;

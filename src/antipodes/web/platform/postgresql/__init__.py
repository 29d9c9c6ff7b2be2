"""PostgreSQL as Django knows it, with a cheaper look whether a kept connection still holds."""

"""Tools for those who change the program; not a part of it."""

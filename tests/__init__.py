"""Tests; a package, so that no other package of that name is taken for it."""

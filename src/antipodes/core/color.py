"""Colours of pieces. A colour is not a person: a swap changes who sits behind it."""

from __future__ import annotations

from enum import Enum


class Color(Enum):
    """The colour of pieces, named as in the rules of the games."""

    BLACK = "black"
    WHITE = "white"
    RED = "red"
    BLUE = "blue"
    VERT = "vert"
    HORZ = "horz"

    def __str__(self) -> str:
        """Give the lower-case name, as commands and records write it."""
        return self.value

    @property
    def title(self) -> str:
        """The name as a sentence begins with it, such as ``Black``."""
        return self.value.capitalize()

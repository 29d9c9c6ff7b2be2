"""Colours of pieces. A colour is not a player: a swap exchanges the players of the colours."""

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
        """Return the lower-case name, as in commands and records."""
        return self.value

    @property
    def title(self) -> str:
        """The capitalised name, such as ``Black``."""
        return self.value.capitalize()

    @property
    def opponent(self) -> Color:
        """The other colour in a game of two: black and white, red and blue, vert and horz.

        Games of three or four colours have no such pair; ``game.opponent_of`` knows it.
        """
        return _OPPONENTS[self]


_PAIRS = ((Color.BLACK, Color.WHITE), (Color.RED, Color.BLUE), (Color.VERT, Color.HORZ))
_OPPONENTS = {**dict(_PAIRS), **{second: first for first, second in _PAIRS}}

"""Moves: the actions of a player in one turn."""

from __future__ import annotations

import operator
from typing import SupportsIndex


class Move(int):
    """A move of one game: an index from 0 below ``game.move_count``.

    It is an ``int``, so that arrays and kernels accept it, but unlike an ``int`` it is always true:
    ``if move:`` tests for ``None``, and move 0 is a move.
    """

    __slots__ = ()

    def __bool__(self) -> bool:
        """Return ``True``, also for move 0."""
        return True

    def __repr__(self) -> str:
        return f"Move({int(self)})"


def move_number(move: SupportsIndex) -> int:
    """Return a move as a number.

    Raises:
        TypeError: it is no whole number, or it is ``True`` or ``False``.
    """
    if isinstance(move, bool) or not hasattr(move, "__index__"):
        raise TypeError(f"a move is a number or a text such as 'c3', not {move!r}")
    return operator.index(move)

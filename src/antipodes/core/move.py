"""Moves: the actions of a player in one turn."""

from __future__ import annotations


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

"""Moves: what one player does in one turn."""

from __future__ import annotations


class Move(int):
    """A move of one game: an index from 0 below ``game.move_count``.

    It is an ``int`` so that arrays and kernels take it as it is, but unlike an ``int`` it is
    always true: ``if move:`` asks "is there a move?", and move 0 is one.
    """

    __slots__ = ()

    def __bool__(self) -> bool:
        """Be true, always."""
        return True

    def __repr__(self) -> str:
        """Show the index, marked as a move."""
        return f"Move({int(self)})"

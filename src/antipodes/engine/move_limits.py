"""Limits of the next move in analyses: moves to avoid, or the only ones that are allowed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from antipodes.core import Color, Move
from antipodes.errors import Fault, InputError
from antipodes.games.position import Position


@dataclass(frozen=True, slots=True)
class MoveLimit:
    """Moves that a colour avoids, or the only ones that it is allowed.

    Attributes:
        color: that is limited if it is to move.
        moves: the texts of the moves.
        is_allowed: whether only these moves are allowed, or they are avoided.
    """

    color: Color
    moves: tuple[str, ...]
    is_allowed: bool


def moves_left(position: Position, limits: Sequence[MoveLimit]) -> tuple[Move, ...] | None:
    """Return the legal moves that are left to the colour to move; ``None`` for all of them.

    Moves that are not legal in the position have no effect.

    Raises:
        InvalidMoveError: a text is not a move of the game.
        InputError: no move is left.
    """
    read = [(limit, {position.read_move(text) for text in limit.moves}) for limit in limits]
    meant = [(limit, moves) for limit, moves in read if limit.color is position.to_move]
    if not meant or position.outcome is not None:
        return None
    left = [
        move
        for move in position.legal_moves
        if all((move in moves) == limit.is_allowed for limit, moves in meant)
    ]
    if not left:
        message = f"no legal move of {position.to_move} is left"
        raise InputError([Fault("query/no-move-left", message)])
    return tuple(left)

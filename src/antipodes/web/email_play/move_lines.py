"""Several moves in one mail: what is played now, and what becomes a plan for later.

A line is what its writer expects: their own move, the answer that they expect, their next move, and
so on. What nobody can carry out is refused as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from antipodes.errors import Fault, InputError
from antipodes.games.position import BoardPosition
from antipodes.match import ANY, ConditionalMoves, Match

Line = tuple[tuple[int, int], ...]  # for each move who makes it, and the move


def read_line(position: BoardPosition[Any], texts: Sequence[str], side: int = 0) -> Line:
    """Read moves that are legal one after another, written as a seat sees the board.

    Raises:
        MoveError: one is no move, or not legal there.
        InputError: the game would be over before the last one.
    """
    line = []
    for text in texts:
        if position.outcome is not None:
            template = "the game would be over before {move}"
            raise InputError([Fault.of("mail/line", template, move=text)])
        move = position.parse_move(text, side)
        line.append((position.seat_to_move, int(move)))
        position = position.play(move)
    return tuple(line)


def check_end(line: Line, texts: Sequence[str], own: Collection[int], names: Sequence[str]) -> None:
    """Refuse a line at whose end somebody else moves: nothing would come of that move.

    Raises:
        InputError: it ends so.
    """
    if line and line[-1][0] not in own:
        template = "{move} would be the move of {name}: add your own answer to it, or leave it out"
        told = {"move": texts[-1], "name": names[line[-1][0]]}
        raise InputError([Fault.of("mail/line", template, **told)])


def plans_of(line: Line, own: Collection[int]) -> dict[int, ConditionalMoves]:
    """Return what each of somebody's seats plans if the match goes on as a line does."""
    plans = {}
    for seat in own:
        lasts = [place for place, (one, _) in enumerate(line) if one == seat]
        if lasts:
            plans[seat] = ConditionalMoves.line(*(move for _, move in line[: lasts[-1] + 1]))
    return plans


def next_own_turn(match: Match, own: Collection[int]) -> tuple[int, int]:
    """Return whose turn of somebody's seats comes next, and after how many moves of others."""
    seats = match.terms.game.seats
    to_move = match.position.seat_to_move
    distance = next(n for n in range(seats) if (to_move + n) % seats in own)
    return (to_move + distance) % seats, distance


def after_anything(move: int, distance: int) -> ConditionalMoves:
    """Return the plan to make a move whatever the others do before."""
    return ConditionalMoves.line(*[ANY] * distance, move)

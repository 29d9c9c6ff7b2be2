"""Several moves in one mail: the first is played, the rest become conditional moves.

A line consists of the sender's own move, the expected answer, the sender's next move, and so on. A
line that cannot be played is refused as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from antipodes.errors import Fault, InputError
from antipodes.games.position import Position
from antipodes.match import ANY, ConditionalMoves, Match

Line = tuple[tuple[int, int], ...]  # seat and move


def read_line(position: Position, texts: Sequence[str], side: int = 0) -> Line:
    """Read successive legal moves, written as a seat sees the board.

    Raises:
        MoveError: one is not a move, or not legal in its position.
        InputError: the game would end before the last move.
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
    """Check that a line ends with a move of the sender; an opponent's last move has no effect.

    Raises:
        InputError: it ends with another player's move.
    """
    if line and line[-1][0] not in own:
        template = "{move} would be the move of {name}: add your own answer to it, or leave it out"
        values = {"move": texts[-1], "name": names[line[-1][0]]}
        raise InputError([Fault.of("mail/line", template, **values)])


def conditional_moves_of(line: Line, own: Collection[int]) -> dict[int, ConditionalMoves]:
    """Return the conditional moves that a line contains, by the sender's seats."""
    found = {}
    for seat in own:
        own_moves = [index for index, (mover, _) in enumerate(line) if mover == seat]
        if own_moves:
            moves = [move for _, move in line[: own_moves[-1] + 1]]
            found[seat] = ConditionalMoves.line(*moves)
    return found


def next_own_turn(match: Match, own: Collection[int]) -> tuple[int, int]:
    """Return which of a user's seats moves next, and the number of moves before that."""
    seats = match.terms.game.seats
    to_move = match.position.seat_to_move
    distance = next(n for n in range(seats) if (to_move + n) % seats in own)
    return (to_move + distance) % seats, distance


def after_anything(move: int, distance: int) -> ConditionalMoves:
    """Return conditional moves that play a move after any ``distance`` moves of the others."""
    return ConditionalMoves.line(*[ANY] * distance, move)

"""Moves that draw, or that save from a forced loss, in Antipode and Antipalos.

A draw is decided by a search until the end of the game, so it needs a board that is nearly full,
and a game that ends when the board is full. That a move saves is decided for a number of the
opponent's turns: the opponent wins in so many after every other move, and not after this one.
"""

from __future__ import annotations

from antipodes.core import Move
from antipodes.games.antipalos import Antipalos, AntipalosPosition
from antipodes.games.antipode import Antipode, AntipodePosition
from antipodes.games.position import Game, Position
from antipodes.puzzles.forced_wins import ForcedWins

_MOST_EMPTY = {"antipode": 6}  # cells of a position whose draws are decided
_USUAL_MOST_EMPTY = 9


def ends_when_full(game: Game) -> bool:
    """Return whether every game ends drawn on a full board at the latest."""
    match game:
        case Antipode():
            return game.has_draws
        case Antipalos():
            return game.is_mail
    return False


def turns_to_end(position: Position) -> int | None:
    """Return a number of turns that neither side still has before the game ends.

    Returns:
        ``None`` if the game may go on for too long to be searched.
    """
    match position:
        case AntipodePosition():
            filled = len(position.tokens())
        case AntipalosPosition():
            filled = len(position.rods())
        case _:
            return None
    empty = position.game.topology.cell_count - filled
    most = _MOST_EMPTY.get(position.game.family, _USUAL_MOST_EMPTY)
    return (empty + 1) // 2 + 1 if ends_when_full(position.game) and empty <= most else None


def holds(search: ForcedWins, position: Position, move: Move, turns: int) -> bool:
    """Return whether the opponent does not win within so many turns after a move.

    Raises:
        EffortSpent: the effort of the search is spent.
    """
    after: Position = position.play(move)
    if after.outcome is not None:
        return after.outcome.winner is not position.game.opponent_of(position.to_move)
    return not search.wins(after, turns)

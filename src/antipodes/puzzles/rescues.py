"""The only move that draws, or that saves from a forced loss, in Antipode and Antipalos.

A draw is decided by a search until the end of the game, so it needs a board that is nearly full,
and a game that ends when the board is full. That a move saves is decided for a number of the
opponent's turns: the opponent wins in so many after every other move, and not after this one.
"""

from __future__ import annotations

from antipodes.core import Move
from antipodes.games.antipalos import Antipalos, AntipalosPosition
from antipodes.games.antipode import Antipode, AntipodePosition
from antipodes.games.position import Game, Position
from antipodes.puzzles.findings import Finding
from antipodes.puzzles.forced_wins import ForcedWins, StrategyWriter
from antipodes.puzzles.strategies import Rescue

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


def only_rescue(search: ForcedWins, position: Position, turns: int) -> Move | Finding:
    """Return the only move after which the opponent does not win within so many turns.

    Raises:
        EffortSpent: the effort of the search is spent.
    """
    found: list[Move] = []
    for move in position.legal_moves:
        if holds(search, position, move, turns):
            found.append(move)
        if len(found) > 1:
            return Finding.SEVERAL
    return found[0] if found else Finding.LOST


def holds(search: ForcedWins, position: Position, move: Move, turns: int) -> bool:
    """Return whether the opponent does not win within so many turns after a move.

    Raises:
        EffortSpent: the effort of the search is spent.
    """
    after: Position = position.play(move)
    if after.outcome is not None:
        return after.outcome.winner is not position.game.opponent_of(position.to_move)
    return not search.wins(after, turns)


def prove_rescue(
    search: ForcedWins, position: Position, solution: Move, turns: int | None
) -> Rescue:
    """Return the proof that exactly one move draws, or with ``turns`` that it saves.

    Raises:
        EffortSpent: the effort of the search is spent.
    """
    most = turns_to_end(position) if turns is None else turns
    assert most is not None
    losses, hold, limit = (StrategyWriter(search) for _ in range(3))
    losses.write_losses(position, most, solution)
    after: Position = position.play(solution)
    if after.outcome is None and most > 1:
        hold.write_defence(after, most)
    if turns is None:
        limit.write_defence(position, most)
    return Rescue(losses.attack, hold.defence, limit.defence)

"""The only winning move of a position of any game, found within limits and without a proof.

Miners of puzzles prove what is found here; where no proof is needed, such as for a move that was
missed in a game, it is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from antipodes.core import Move
from antipodes.games.placement import is_connection_game
from antipodes.games.position import Game, Position
from antipodes.puzzles.connection_prover import ConnectionProver
from antipodes.puzzles.forced_wins import EffortSpent, ForcedWins

_TURNS = {"antipalos": 4}
_USUAL_TURNS = 3
_LEAVES = 120_000  # bound of a checker's work: moves to the power of turns, less one
_NODES = 60  # positions searched in a placement game
_EFFORT = {"antipode": 300_000}  # positions visited in the others
_USUAL_EFFORT = 60_000


@dataclass(frozen=True, slots=True)
class OnlyWin:
    """The only winning move.

    Attributes:
        move: the move.
        turns: own turns in which it wins, and no other one does; ``None`` for any number.
    """

    move: Move
    turns: int | None = None


def find_only_win(position: Position) -> OnlyWin | None:
    """Return the only winning move; ``None`` if there is none or several, or it is not known.

    Args:
        position: not the end of a game, and without an open swap.
    """
    if is_connection_game(position.game):
        prover = ConnectionProver(position.game, lines=0)
        only_move = prover.find(cast("Any", position), _NODES)
        return OnlyWin(only_move) if isinstance(only_move, Move) else None
    if position.game.seats != 2:
        return None
    search = ForcedWins(position.game, usual_effort(position.game))
    try:
        turns = search.distance(position, most_turns(position))
        move = None if turns is None else only_forced_win(search, position, turns)
    except EffortSpent:
        return None
    return None if move is None else OnlyWin(move, turns)


def usual_effort(game: Game) -> int:
    """Return the number of positions that a search for forced wins may visit for a candidate."""
    return _EFFORT.get(game.family, _USUAL_EFFORT)


def most_turns(position: Position) -> int:
    """Return the number of turns up to which forced wins of a position are searched."""
    moves = len(position.legal_moves)
    most = _TURNS.get(position.game.family, _USUAL_TURNS)
    while most > 1 and moves ** (most - 1) > _LEAVES:
        most -= 1
    return most


def only_forced_win(search: ForcedWins, position: Position, turns: int) -> Move | None:
    """Return the only move that wins within so many turns; ``None`` if there are several.

    Raises:
        EffortSpent: the effort of the search is spent.
    """
    wins: list[Move] = []
    for move in position.legal_moves:
        after: Position = position.play(move)
        if after.outcome is not None:
            is_win = after.outcome.winner is position.to_move
        else:
            is_win = turns > 1 and not search.holds(after, turns - 1)
        if is_win:
            wins.append(move)
        if len(wins) > 1:
            return None
    return wins[0] if wins else None

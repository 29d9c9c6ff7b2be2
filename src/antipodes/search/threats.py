"""Threats: what the opponent would do if the player to move let a turn pass."""

from __future__ import annotations

from dataclasses import dataclass, replace

from antipodes.core import Move
from antipodes.errors import InvalidPositionError
from antipodes.games.kernels import jit
from antipodes.games.placement import PlacementGame
from antipodes.games.position import Position
from antipodes.search.connection import swap_ahead
from antipodes.search.connection.virtual import ConnectionSearch, Look
from antipodes.search.factory import make_search
from antipodes.search.players import winning_moves
from antipodes.search.thinking import Candidate, Limits, Proven, Watcher


@dataclass(frozen=True, slots=True)
class Threat:
    """A move that the opponent would like to make if it were their turn.

    Attributes:
        move: the opponent's move.
        value: what it would be worth to the opponent, from 0 (lost) to 1 (won).
        error: one standard error of the value; 0 where it is certain.
        proven: what would be certain after it, to the opponent, or ``None``.
        at_once: whether it would end the game.
        line: the move and the play that would follow, for the opponent first.
    """

    move: Move
    value: float
    error: float
    proven: Proven | None
    at_once: bool
    line: tuple[Move, ...]


def null_move(position: Position) -> Position | None:
    """Return the position with the other colour to move and nothing else changed.

    Returns:
        ``None`` where that is no position, the game is over, or there are more than two colours.
    """
    colors = position.game.colors
    if position.outcome is not None or len(colors) != 2:
        return None
    other = colors[1 - colors.index(position.to_move)]
    setup = position.to_setup()
    seat = None if setup.seat is None else (setup.seat + 1) % position.game.seats
    passed = replace(setup, to_move=other.value, seat=seat, composed=True)
    try:
        found: Position = position.game.position(passed)
    except InvalidPositionError:
        return None
    return found if found.to_move is other and found.outcome is None else None


def look_at_connections(position: Position) -> Look | None:
    """Return what virtual connections tell about a position.

    Returns:
        ``None`` if the game is over or has no connections, and without compiled kernels, when
        finding them takes seconds.
    """
    game = position.game
    if position.outcome is not None or not isinstance(game, PlacementGame) or not jit.enabled():
        return None
    if swap_ahead(game.tables, position.kernel_state):
        return Look()
    return ConnectionSearch(game).look(position.kernel_state)


def find_threats(
    position: Position,
    value: float,
    limits: Limits,
    *,
    seed: int = 1,
    memory: int = 256,
    threads: int = 1,
    watch: Watcher | None = None,
) -> tuple[Threat, ...] | None:
    """Let the opponent of the player to move go first, and return the moves to be afraid of.

    These are the moves that would win at once, those proven to win, and those that would give the
    opponent at least half of what they lack now. A free move is always worth something; a threat
    is one that decides.

    Args:
        position: where; it need not be the opponent's turn there.
        value: what the position is worth to the seat to move.
        limits: of the search after the passed turn.
        seed: of that search.
        memory: of that search, in MiB.
        threads: of that search.
        watch: told of its progress; what it raises is passed on.

    Returns:
        The threats, the worst first; ``None`` where nobody can let a turn pass.
    """
    passed = null_move(position)
    if passed is None:
        return None
    at_once = winning_moves(passed)
    if at_once:
        return tuple(Threat(move, 1.0, 0.0, Proven.WIN, True, (move,)) for move in at_once)
    search = make_search(passed, seed=seed, memory=memory, threads=threads)
    search.run(limits, watch)
    enough = 1 - value / 2  # halfway from 1 - value, what the opponent has now, to 1
    found = [one for one in search.candidates() if _frightens(one, enough)]
    found.sort(key=lambda one: (one.proven is Proven.WIN, one.visits), reverse=True)
    return tuple(Threat(c.move, c.value, c.error, c.proven, False, c.line) for c in found)


def _frightens(candidate: Candidate, enough: float) -> bool:
    if candidate.proven is not None:
        return candidate.proven is Proven.WIN
    return candidate.value - 2 * candidate.error >= enough

"""Threats: the moves that the opponent would make if the player to move passed."""

from __future__ import annotations

from dataclasses import dataclass, replace

from antipodes.core import Move
from antipodes.errors import InvalidPositionError
from antipodes.games.kernels import native
from antipodes.games.placement import is_connection_game
from antipodes.games.position import Position
from antipodes.games.winning import winning_moves
from antipodes.search.connection.virtual import ConnectionResult, ConnectionSearch
from antipodes.search.factory import make_search
from antipodes.search.interface import (
    STRONGEST,
    Candidate,
    Limits,
    ProgressCallback,
    Proven,
    SearchSettings,
)
from antipodes.search.kernels.solver_knowledge import is_swap_ahead


@dataclass(frozen=True, slots=True)
class Threat:
    """A move that the opponent would like to make if it were their turn.

    Attributes:
        move: the opponent's move.
        value: for the opponent, from 0 (lost) to 1 (won).
        error: one standard error of the value; 0 where it is proven.
        proven: the proven result for the opponent, or ``None``.
        at_once: whether the move would end the game.
        line: the principal variation, which begins with the move.
    """

    move: Move
    value: float
    error: float
    proven: Proven | None
    at_once: bool
    line: tuple[Move, ...]


def null_move(position: Position) -> Position | None:
    """Return the position with the other colour to move and nothing else changed.

    In Phase One of Antipalos, who passes loses a rod, so that both still run out together.

    Returns:
        ``None`` if there is no such position, the game is over, or there are more than two colours.
    """
    colors = position.game.colors
    if position.outcome is not None or len(colors) != 2:
        return None
    other = colors[1 - colors.index(position.to_move)]
    setup = position.to_setup()
    seat = None if setup.seat is None else (setup.seat + 1) % position.game.seats
    left = dict(setup.rods_left)
    if any(left.values()):
        left[position.to_move.value] -= 1
    passed = replace(setup, to_move=other.value, seat=seat, rods_left=left, composed=True)
    try:
        passed_position: Position = position.game.position(passed)
    except InvalidPositionError:
        return None
    return (
        passed_position
        if passed_position.to_move is other and passed_position.outcome is None
        else None
    )


def find_connections(position: Position) -> ConnectionResult | None:
    """Search a position for virtual connections.

    Returns:
        ``None`` if the game is over or has no connections, or kernels run as plain Python: the
        search would take seconds then.
    """
    game = position.game
    if position.outcome is not None or not is_connection_game(game) or not native.enabled():
        return None
    if is_swap_ahead(game.tables, position.kernel_state):
        return ConnectionResult()
    return ConnectionSearch(game).run(position.kernel_state)


def find_threats(
    position: Position,
    value: float,
    limits: Limits,
    settings: SearchSettings = STRONGEST,
    *,
    seed: int = 1,
    on_progress: ProgressCallback | None = None,
) -> tuple[Threat, ...] | None:
    """Return the threats of the opponent of the player to move.

    These are the moves that would win at once, those proven to win, and those that would raise the
    opponent's value at least half of the way to 1. A free move always has some value; a threat is
    decisive.

    Args:
        position: in which the player to move passes.
        value: of the position for the seat to move.
        limits: of the search after the passed turn.
        settings: of that search.
        seed: of that search.
        on_progress: progress callback of that search.

    Returns:
        The threats, the worst first; ``None`` if a turn cannot be passed.
    """
    passed = null_move(position)
    if passed is None:
        return None
    at_once = winning_moves(passed)
    if at_once:
        return tuple(Threat(move, 1.0, 0.0, Proven.WIN, True, (move,)) for move in at_once)
    search = make_search(passed, settings, seed=seed)
    search.run(limits, on_progress)
    enough = 1 - value / 2  # halfway from 1 - value, the opponent's value now, to 1
    threatening = [one for one in search.candidates() if _is_threat(one, enough)]
    threatening.sort(key=lambda one: (one.proven is Proven.WIN, one.visits), reverse=True)
    return tuple(Threat(c.move, c.value, c.error, c.proven, False, c.line) for c in threatening)


def _is_threat(candidate: Candidate, enough: float) -> bool:
    if candidate.proven is not None:
        return candidate.proven is Proven.WIN
    return candidate.value - 2 * candidate.error >= enough

"""Results of an analysis: a value, and data for JSON in the form of ``docs/analysis.md``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from antipodes.core import Color, Move
from antipodes.games.position import Position
from antipodes.notation.scene import Overlay, Scene
from antipodes.search.connection.virtual import ConnectionResult
from antipodes.search.interface import Candidate, Proven
from antipodes.search.threats import Threat, null_move

MOVES = 20  # in the data unless the caller says how many


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated chances of a colour.

    Attributes:
        color: the colour after the best move; a swap exchanges its player.
        seats: the seats that play the colour then.
        value: from 0 (lost) to 1 (won); a draw shares one point among the colours. ``None`` while
            it is not known.
        error: one standard error of the value; 0 where it is proven.
    """

    color: Color
    seats: tuple[int, ...]
    value: float | None
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """The results of an analysis.

    Attributes:
        position: the position.
        visits: of the search; 0 if the game is over.
        seconds: of the search.
        proven: the proven or final result for the seat to move, or ``None``.
        value: of the position for the seat to move, from 0 (lost) to 1 (won).
        error: one standard error of the value.
        estimates: for each colour, in the order of the first turns.
        candidates: the visited moves, the best first; empty if the game is over.
        criticality: cell -> how much it matters for winning, from 0 to 1; ``None`` if it is not
            known.
        threats: of the opponent, the worst first; ``None`` if they were not searched, or a turn
            cannot be passed.
        connections: the winner by virtual connections with the cells that the win needs, or the
            moves that may win; ``None`` if they were not searched, or the game has none.
    """

    position: Position
    visits: int
    seconds: float
    proven: Proven | None
    value: float
    error: float
    estimates: tuple[Estimate, ...]
    candidates: tuple[Candidate, ...]
    criticality: Mapping[int, float] | None
    threats: tuple[Threat, ...] | None
    connections: ConnectionResult | None = None

    @property
    def best(self) -> Candidate | None:
        """The best move; ``None`` if the game is over."""
        return self.candidates[0] if self.candidates else None

    def estimate(self, color: Color) -> Estimate:
        """Return the estimate for a colour.

        Raises:
            KeyError: the game has no such colour.
        """
        for estimate in self.estimates:
            if estimate.color is color:
                return estimate
        raise KeyError(color)

    def value_of_seat(self, seat: int) -> float | None:
        """Return the value for a seat, or ``None`` if it is not known."""
        for estimate in self.estimates:
            if seat in estimate.seats:
                return estimate.value
        return None

    def scene(self, moves: int = 9) -> Scene:
        """Return the position's picture with the best moves numbered and critical cells shaded.

        Args:
            moves: number of moves to number; a swap has no place on the board.
        """
        marks: dict[int, str] = {}
        for order, candidate in enumerate(self.candidates[:moves], start=1):
            cell = _cell_of(self.position, candidate.move)
            if cell is not None:
                marks.setdefault(cell[0], f"{order}{cell[1]}")
        weights = self.criticality or {}
        heaviest = max(weights.values(), default=0.0)
        shares = {cell: weight / heaviest for cell, weight in weights.items() if weight > 0}
        return self.position.scene().with_overlay(Overlay(marks, shares))

    def as_dict(self, moves: int | None = MOVES) -> dict[str, Any]:
        """Return the results as data for JSON in the form of ``docs/analysis.md``.

        Args:
            moves: the most moves to include; all with ``None``.
        """
        return _analysis_data(self, moves)


def data_with_overlay(analysis: Analysis, share: float, moves: int = 8) -> dict[str, Any]:
    """Return an analysis as data for JSON, with the overlay of the board.

    Args:
        analysis: the analysis so far.
        share: share of the work done, from 0 to 1.
        moves: the most moves to include.
    """
    overlay = analysis.scene(moves).overlay
    data = analysis.as_dict(moves)
    passed = null_move(analysis.position)
    for told, threat in zip(data.get("threats", ()), analysis.threats or (), strict=False):
        told["cell"] = None if passed is None else passed.play(threat.move).last_cell
    return data | {
        "share": round(share, 3),
        "marks": dict(overlay.marks),
        "heat": {cell: round(weight, 3) for cell, weight in overlay.weights.items()},
    }


def _cell_of(position: Position, move: Move) -> tuple[int, str] | None:
    """Return the cell of a move's piece, with a rod's diagonal; ``None`` for a swap."""
    if position.format_move(move) == "swap":
        return None
    after = position.play(move)
    cell = after.last_cell
    if cell is None:
        return None
    rod = after.scene().rods.get(cell)
    return cell, "" if rod is None else rod.diagonal


def _analysis_data(analysis: Analysis, moves: int | None) -> dict[str, Any]:
    """Return an analysis as data with at most ``moves`` moves."""
    position = analysis.position
    outcome = position.outcome
    data: dict[str, Any] = {
        "game": position.game.id,
        "options": position.game.options.as_dict(),
        "ply": position.ply,
        "outcome": outcome
        and {
            "winner": outcome.winner and outcome.winner.value,
            "termination": outcome.termination.value,
            "points": outcome.points,
        },
        "rootInfo": {
            "currentPlayer": None if outcome else position.to_move.value,
            "seat": None if outcome else position.seat_to_move,
            "visits": analysis.visits,
            "seconds": round(analysis.seconds, 3),
            **_value_data(analysis.value, analysis.error, analysis.proven),
        },
        "estimates": [_estimate_data(estimate) for estimate in analysis.estimates],
        "moveInfos": [
            {"order": order, **_candidate_data(position, candidate)}
            for order, candidate in enumerate(analysis.candidates[:moves])
        ],
    }
    if analysis.criticality is not None:
        name = position.game.topology.name
        data["criticality"] = {
            name(cell): round(weight, 4) for cell, weight in analysis.criticality.items()
        }
    if analysis.threats is not None:
        data["threats"] = [_threat_data(position, threat) for threat in analysis.threats[:moves]]
    if analysis.connections is not None:
        data["connections"] = _connection_data(position, analysis.connections)
    return data


def _value_data(value: float, error: float, proven: Proven | None) -> dict[str, Any]:
    return {
        "winrate": round(value, 6),
        "error": round(error, 6),
        "proven": None if proven is None else proven.value,
    }


def _estimate_data(estimate: Estimate) -> dict[str, Any]:
    value = estimate.value
    return {
        "color": estimate.color.value,
        "seats": list(estimate.seats),
        "winrate": None if value is None else round(value, 6),
        "error": round(estimate.error, 6),
    }


def _candidate_data(position: Position, candidate: Candidate) -> dict[str, Any]:
    return {
        "move": position.format_move(candidate.move),
        "visits": candidate.visits,
        **_value_data(candidate.value, candidate.error, candidate.proven),
        "pv": line_texts(position, candidate.line),
    }


def _threat_data(position: Position, threat: Threat) -> dict[str, Any]:
    return {
        "move": position.format_move(threat.move),
        **_value_data(threat.value, threat.error, threat.proven),
        "atOnce": threat.at_once,
    }


def _connection_data(position: Position, found: ConnectionResult) -> dict[str, Any]:
    def names(cells: Iterable[int]) -> list[str]:
        return [position.game.topology.name(cell) for cell in sorted(cells)]

    return {
        "winner": None if found.winner is None else found.winner.value,
        "mustPlay": None if found.must_play is None else names(found.must_play),
        "carrier": names(found.carrier),
    }


def line_texts(position: Position, line: Iterable[Move]) -> list[str]:
    """Return the moves of a line of play as text, each as the position before it writes it."""
    texts = []
    for move in line:
        texts.append(position.format_move(move))
        position = position.play(move)
    return texts

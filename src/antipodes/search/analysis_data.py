"""Analyses as data for JSON; ``docs/analysis.md`` describes the form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from antipodes.core import Move
from antipodes.games.position import BoardPosition
from antipodes.search.connection.virtual import Look
from antipodes.search.thinking import Candidate, Proven
from antipodes.search.threats import Threat

if TYPE_CHECKING:
    from antipodes.search.analysis import Analysis, Estimate

AnyPosition = BoardPosition[Any]

MOVES = 20  # told if nobody says how many


def analysis_data(found: Analysis, moves: int | None) -> dict[str, Any]:
    """Return an analysis as data, with so many moves at most."""
    position = found.position
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
            "visits": found.visits,
            "seconds": round(found.seconds, 3),
            **_worth(found.value, found.error, found.proven),
        },
        "estimates": [_estimate_data(estimate) for estimate in found.estimates],
        "moveInfos": [
            {"order": order, **_candidate_data(position, candidate)}
            for order, candidate in enumerate(found.candidates[:moves])
        ],
    }
    if found.criticality is not None:
        name = position.game.topology.name
        data["criticality"] = {
            name(cell): round(weight, 4) for cell, weight in found.criticality.items()
        }
    if found.threats is not None:
        data["threats"] = [_threat_data(position, threat) for threat in found.threats[:moves]]
    if found.connections is not None:
        data["connections"] = _connection_data(position, found.connections)
    return data


def _worth(value: float, error: float, proven: Proven | None) -> dict[str, Any]:
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


def _candidate_data(position: AnyPosition, candidate: Candidate) -> dict[str, Any]:
    return {
        "move": position.format_move(candidate.move),
        "visits": candidate.visits,
        **_worth(candidate.value, candidate.error, candidate.proven),
        "pv": line_texts(position, candidate.line),
    }


def _threat_data(position: AnyPosition, threat: Threat) -> dict[str, Any]:
    return {
        "move": position.format_move(threat.move),
        **_worth(threat.value, threat.error, threat.proven),
        "atOnce": threat.at_once,
    }


def _connection_data(position: AnyPosition, look: Look) -> dict[str, Any]:
    def names(cells: Iterable[int]) -> list[str]:
        return [position.game.topology.name(cell) for cell in sorted(cells)]

    return {
        "winner": None if look.winner is None else look.winner.value,
        "mustPlay": None if look.must_play is None else names(look.must_play),
        "carrier": names(look.carrier),
    }


def line_texts(position: AnyPosition, line: Sequence[Move]) -> list[str]:
    """Return the moves of a line of play as text, each as the position before it writes it."""
    texts = []
    for move in line:
        texts.append(position.format_move(move))
        position = position.play(move)
    return texts

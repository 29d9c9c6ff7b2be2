"""Rounds of an event: its rows as the pure functions of its format know them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from antipodes.clocks import SECOND, Pace
from antipodes.tournaments import EventState, Pairing
from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import forfeits
from antipodes.web.tournaments.log import Step, record
from antipodes.web.tournaments.models import EntryRow, PairingRow, TournamentRow

_PATIENCE = 10 * SECOND  # before the last opponent of an arena is met again

_PAIRING = (
    "round",
    "first__number",
    "second__number",
    "first_points",
    "second_points",
    "is_forfeit",
    "needs_winner",
)


def pairings_of(row: TournamentRow) -> list[Pairing]:
    """Return all pairings of an event."""
    return [
        _pairing(*values)
        for values in row.pairings.order_by("round", "table").values_list(*_PAIRING)
    ]


def _pairing(
    round_number: int, first: int, second: int | None, one: Any, other: Any, *flags: bool
) -> Pairing:
    points = None if one is None else (one, other)
    return Pairing(round_number, first, second, points, *flags)


def state_of(row: TournamentRow, at: int | None = None) -> EventState:
    """Return the players and pairings of an event that has begun.

    Args:
        row: the event.
        at: now; players of an arena who have waited for some seconds are patient.
    """
    entries = list(row.entries.exclude(number=None))
    waiting = dict(free_players(row)) if row.is_arena and at is not None else {}
    return EventState(
        players=_numbers(entries),
        pairings=pairings_of(row),
        tie_breaks=row.ranking,
        withdrawn=frozenset(_numbers([one for one in entries if one.is_withdrawn])),
        rounds=row.last_round,
        places={one.number: one.place for one in entries if one.number and one.place},
        teams={one.number: one.team for one in entries if one.number and one.team},
        patient=[one for one, since in waiting.items() if (at or 0) - (since or 0) >= _PATIENCE],
    )


def _numbers(entries: list[EntryRow]) -> list[int]:
    return [one.number for one in entries if one.number is not None]


def next_pairings(row: TournamentRow, at: int) -> list[Pairing]:
    """Return the next pairings of an event; none if it is over, or an arena has to wait.

    Raises:
        InputError: the round cannot be paired.
    """
    return row.format.pair(state_of(row, at), row.round + 1)


def store(row: TournamentRow, pairings: Sequence[Pairing], by: User | None = None) -> None:
    """Store a round, with the points of those who need no game."""
    entries = {one.number: one for one in row.entries.exclude(number=None)}
    row.round += 1
    made = PairingRow.objects.bulk_create(
        PairingRow(
            tournament=row,
            round=row.round,
            table=table,
            first=entries[one.first],
            second=None if one.second is None else entries[one.second],
            needs_winner=one.needs_winner,
        )
        for table, one in enumerate(pairings, start=1)
    )
    points = forfeits.decide(made)
    row.due_at = now()
    record(
        row,
        Step.PAIRED,
        by,
        round=row.round,
        pairings=[[one.first, one.second] for one in pairings],
        decisive=[one.table for one in made if one.needs_winner],
        points=points,
    )


def pairs_ahead(row: TournamentRow) -> bool:
    """Return whether the next round is paired now: by correspondence, where none need wait."""
    count = row.entries.exclude(number=None).count()
    return row.pace is not Pace.LIVE and row.format.pairs_ahead(count, row.round + 1)


def free_players(row: TournamentRow) -> list[tuple[int, int | None]]:
    """Return the pairing numbers of players without a game, and since when they wait."""
    undecided = row.pairings.filter(first_points=None)
    busy = {key for pair in undecided.values_list("first", "second") for key in pair}
    entries = row.entries.filter(is_withdrawn=False).exclude(number=None)
    return [
        (number, since)
        for key, number, since in entries.values_list("pk", "number", "free_since")
        if key not in busy and number is not None
    ]

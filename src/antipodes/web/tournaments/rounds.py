"""Rounds of an event: its rows as the pure functions of its format know them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from antipodes.clocks import SECOND, Pace
from antipodes.tournaments import (
    BoutGame,
    EventState,
    Pairing,
    Score,
    TieBreak,
    openings_of_pairings,
    total,
)
from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import forfeits
from antipodes.web.tournaments.log import Step, record
from antipodes.web.tournaments.models import (
    POINTS,
    SEATS,
    EntryRow,
    GameRow,
    PairingRow,
    TournamentRow,
)

_FLAGS = ("is_forfeit", "needs_winner", "is_playoff")
_PAIRING = (
    "round",
    *(f"{seat}__number" for seat in SEATS),
    *POINTS,
    *_FLAGS,
)


def pairings_of(row: TournamentRow) -> list[Pairing]:
    """Return all pairings of an event, with the scores of their games if a tie-break needs them."""
    scores = scores_of(row) if TieBreak.GAME_DIFFERENCE in row.ranking else {}
    return [
        _pairing(scores.get(key), *values)
        for key, *values in row.pairings.order_by("round", "table").values_list("pk", *_PAIRING)
    ]


def scores_of(row: TournamentRow) -> dict[int, Score]:
    """Return the points of both players in all games of each pairing, by its key."""
    games = GameRow.objects.filter(pairing__tournament=row, pairing__third=None)
    games_of: defaultdict[int, list[BoutGame]] = defaultdict(list)
    for one in games.order_by().iterator(chunk_size=1_000):
        games_of[one.pairing_id].append(one.as_bout_game())
    return {key: total(some) for key, some in games_of.items()}


def _pairing(score: Score | None, round_number: int, *values: Any) -> Pairing:
    (first, second, *more), stored = values[:4], values[4:8]
    others = tuple(one for one in more if one is not None)
    points = None if stored[0] is None else tuple(one for one in stored if one is not None)
    flags = dict(zip(_FLAGS, values[8:], strict=True))
    return Pairing(round_number, first, second, points, others=others, score=score, **flags)


def state_of(row: TournamentRow, at: int | None = None) -> EventState:
    """Return the players and pairings of an event that has begun.

    Args:
        row: the event.
        at: now; players of a continuous event who have waited for long are patient.
    """
    entries = list(row.entries.exclude(number=None))
    patience = row.format.patience * SECOND
    waiting = dict(free_players(row)) if row.is_continuous and at is not None else {}
    return EventState(
        players=_numbers(entries),
        pairings=pairings_of(row),
        tie_breaks=row.ranking,
        withdrawn=frozenset(_numbers([one for one in entries if one.is_withdrawn])),
        rounds=row.last_round,
        sides=row.sides,
        places={one.number: one.place for one in entries if one.number and one.place},
        teams={one.number: one.team for one in entries if one.number and one.team},
        patient=[one for one, since in waiting.items() if (at or 0) - (since or 0) >= patience],
    )


def _numbers(entries: list[EntryRow]) -> list[int]:
    return [one.number for one in entries if one.number is not None]


def next_pairings(row: TournamentRow, at: int) -> list[Pairing] | None:
    """Return the next pairings of an event, none if it has to wait; ``None`` if it is over.

    Raises:
        InputError: the round cannot be paired.
    """
    state = state_of(row, at)
    pairings = row.format.pair(state, row.round + 1)
    return pairings if pairings or row.format.waits(state) else None


def store(row: TournamentRow, pairings: Sequence[Pairing], by: User | None = None) -> None:
    """Store a round, with the points of those who need no game."""
    entries = {one.number: one for one in row.entries.exclude(number=None)}
    row.round += 1
    openings = _openings(row, len(pairings))
    made = PairingRow.objects.bulk_create(
        PairingRow(
            tournament=row,
            round=row.round,
            table=table,
            **{seat: entries[player] for seat, player in zip(SEATS, pairing.players, strict=False)},
            needs_winner=pairing.needs_winner,
            is_playoff=pairing.is_playoff,
            opening=opening,
        )
        for table, (pairing, opening) in enumerate(zip(pairings, openings, strict=True), start=1)
    )
    points = forfeits.decide(row, made)
    row.due_at = now()
    of_openings: dict[str, Any] = {"openings": openings} if row.openings else {}
    record(
        row,
        Step.PAIRED,
        by,
        round=row.round,
        pairings=[[one.first, one.second, *one.others] for one in pairings],
        decisive=[one.table for one in made if one.needs_winner],
        playoff=any(one.is_playoff for one in made),
        points=points,
        **of_openings,
    )


def _openings(row: TournamentRow, count: int) -> list[int | None]:
    """Return the openings of so many new pairings of a round."""
    if not row.openings:
        return [None] * count
    has_rounds = not row.format.is_continuous
    earlier = 0 if has_rounds else row.pairings.count()
    known = len(row.openings)
    return [*openings_of_pairings(count, row.round, earlier, known, has_rounds=has_rounds)]


def pairs_ahead(row: TournamentRow) -> bool:
    """Return whether the next round is paired now: by correspondence, where none need wait."""
    count = row.entries.exclude(number=None).count()
    return row.pace is not Pace.LIVE and row.format.pairs_ahead(count, row.round + 1)


def free_players(row: TournamentRow) -> list[tuple[int, int | None]]:
    """Return the pairing numbers of players without a game, and since when they wait."""
    undecided = row.pairings.filter(first_points=None)
    busy = {key for table in undecided.values_list(*SEATS) for key in table}
    entries = row.entries.filter(is_withdrawn=False).exclude(number=None)
    return [
        (number, since)
        for key, number, since in entries.values_list("pk", "number", "free_since")
        if key not in busy and number is not None
    ]

"""Seasons of recurring events: points for places in all events of a series within a year."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db.models import Q, QuerySet

from antipodes.tournaments import SeasonRow, season_standings
from antipodes.web.accounts.models import User
from antipodes.web.tournaments.access import visible_to
from antipodes.web.tournaments.models import EntryRow, State, TournamentRow

LEAST_PLAYERS = 4  # of an event that counts


@dataclass(frozen=True)
class Season:
    """The table of a year.

    Attributes:
        year: of the ends of events, in UTC.
        years: in which the series has events that count, the latest first.
        events: that count, in the order of their ends.
        lines: each player with points and places.
    """

    year: int
    years: list[int]
    events: list[TournamentRow]
    lines: list[tuple[SeasonRow, User]]


def series_of(row: TournamentRow) -> QuerySet[TournamentRow]:
    """Return all events of the series of an event, itself among them."""
    first = row.series_id or row.pk
    return TournamentRow.objects.filter(Q(pk=first) | Q(series=first))


def is_recurring(row: TournamentRow) -> bool:
    """Return whether an event is one of a series."""
    return bool(row.repeats) or row.series_id is not None


def season_of(row: TournamentRow, viewer: User | None, year: int | None = None) -> Season:
    """Return a season of the series of an event, by default the latest one.

    Args:
        row: an event of the series.
        viewer: only events that they may see count.
        year: the year; one without events has an empty table.
    """
    seen = series_of(row).filter(visible_to(viewer), state=State.FINISHED)
    events: defaultdict[int, list[TournamentRow]] = defaultdict(list)
    for one in seen.order_by("ended_at"):
        ended = datetime.fromtimestamp((one.ended_at or 0) / 1_000, UTC)
        if one.entries.filter(rank__isnull=False).count() >= LEAST_PLAYERS:
            events[ended.year].append(one)
    years = sorted(events, reverse=True)
    chosen = year if year is not None else max(years, default=datetime.now(UTC).year)
    counted = events.get(chosen, [])
    ranks: defaultdict[int, dict[int, int]] = defaultdict(dict)
    entries = EntryRow.objects.filter(tournament__in=counted, rank__isnull=False)
    for event, user, rank in entries.values_list("tournament", "user", "rank"):
        ranks[event][user] = rank or 0
    rows = season_standings([ranks[one.pk] for one in counted])
    users = User.objects.in_bulk([one.player for one in rows])
    return Season(chosen, years, counted, [(one, users[one.player]) for one in rows])

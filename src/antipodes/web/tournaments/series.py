"""Series of events: the next one of a repeated event, its first players, and seasons.

An event that is repeated every week or month has a next one when it has begun; where players are
carried over, as in a league, when it is finished. A season has points for places in all events of a
series within a year.
"""

from __future__ import annotations

import calendar
import logging
from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from antipodes.errors import InputError
from antipodes.tournaments import FORMATS, SeasonRow, season_standings
from antipodes.web.accounts.models import User
from antipodes.web.platform.clock import now
from antipodes.web.tournaments import services
from antipodes.web.tournaments.access import visible_to
from antipodes.web.tournaments.log import Step, record
from antipodes.web.tournaments.models import (
    BEFORE_START,
    EntryRow,
    Repeat,
    TournamentRow,
    TournamentState,
)
from antipodes.web.tournaments.plans import Plan, plan_of
from antipodes.web.tournaments.rounds import state_of

logger = logging.getLogger(__name__)

LEAST_PLAYERS = 4  # of an event that counts in a season


def repeat_tournaments() -> None:
    """Make the next event of each repeated one that is due to have one."""
    for key in due():
        make_next(key)


def due() -> list[int]:
    """Return the keys of repeated events that are due to have a next one, and have none yet."""
    seasons = [name for name, kind in FORMATS.items() if kind.carries_over]
    is_due = Q(state=TournamentState.FINISHED) | ~Q(format_name__in=seasons) & ~Q(
        state__in=BEFORE_START
    )
    rows = TournamentRow.objects.exclude(repeats=Repeat.NEVER).filter(
        is_due, following=None, starts_at__isnull=False
    )
    return list(rows.values_list("pk", flat=True))


def make_next(key: int) -> TournamentRow | None:
    """Make the next event of a repeated one; return ``None`` if the host may not, or has done so.

    A host who may host no events any more ends the repetition.
    """
    row = TournamentRow.objects.select_related("host", "club", "guest_club").get(pk=key)
    try:
        with transaction.atomic():
            following_row = services.create_tournament(row.host, _plan(row), previous=row)
            if row.format.carries_over:
                enter_players(following_row)
            return following_row
    except IntegrityError:
        return None  # another process was faster
    except InputError as error:
        logger.info("tournament not repeated tournament=%s error=%s", row.slug, error)
        TournamentRow.objects.filter(pk=key).update(repeats=Repeat.NEVER)
        return None


def _plan(row: TournamentRow) -> Plan:
    assert row.starts_at is not None
    starts_at = following(row.starts_at, Repeat(row.repeats))
    while starts_at <= now():
        starts_at = following(starts_at, Repeat(row.repeats))
    return replace(plan_of(row), opens_at=None, starts_at=starts_at)


def following(instant: int, repeat: Repeat) -> int:
    """Return the same time a week or a month later.

    A month later is the same day of the next month, or its last day if it has no such day.

    Args:
        instant: in milliseconds since 1970.
        repeat: weekly or monthly.
    """
    at = datetime.fromtimestamp(instant / 1_000, UTC)
    if repeat == Repeat.WEEKLY:
        later = at + timedelta(weeks=1)
    else:
        year, month = (at.year + 1, 1) if at.month == 12 else (at.year, at.month + 1)
        day = min(at.day, calendar.monthrange(year, month)[1])
        later = at.replace(year=year, month=month, day=day)
    return int(later.timestamp() * 1_000)


def enter_players(row: TournamentRow) -> None:
    """Enter the players of the previous season in a new one, but for those who have withdrawn.

    They are notified, and can leave before the start.
    """
    assert row.previous is not None
    last = row.previous.entries.exclude(number=None).filter(
        is_withdrawn=False, user__is_active=True
    )
    users = [one.user for one in last.select_related("user") if not one.user.is_computer]
    users = users[: row.most_players]
    EntryRow.objects.bulk_create(services.add_entry(row, user) for user in users)
    record(row, Step.ENTERED, users=[user.pk for user in users])


def places_of(row: TournamentRow) -> dict[int, int]:
    """Return the places of users with which a season begins; empty for other events."""
    if row.previous is None or not row.format.carries_over:
        return {}
    users = dict(row.previous.entries.exclude(number=None).values_list("number", "user"))
    order = row.previous.format.order_of_next(state_of(row.previous))
    return {users[number]: place for place, number in enumerate(order)}


# --- seasons --------------------------------------------------------------------------------------


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
    seen = series_of(row).filter(visible_to(viewer), state=TournamentState.FINISHED)
    events: defaultdict[int, list[TournamentRow]] = defaultdict(list)
    for past_event in seen.order_by("ended_at"):
        ended = datetime.fromtimestamp((past_event.ended_at or 0) / 1_000, UTC)
        if past_event.entries.filter(rank__isnull=False).count() >= LEAST_PLAYERS:
            events[ended.year].append(past_event)
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

"""Events that are repeated every week or month: the next is made when one has begun.

The next season of a league is made when one is finished, and has its players.
"""

from __future__ import annotations

import calendar
import logging
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q

from antipodes.errors import InputError
from antipodes.tournaments import FORMATS
from antipodes.web.platform.clock import now
from antipodes.web.tournaments.carry_over import enter_players
from antipodes.web.tournaments.models import BEFORE_START, Repeat, State, TournamentRow
from antipodes.web.tournaments.plans import Plan, plan_of
from antipodes.web.tournaments.services import create_tournament

logger = logging.getLogger(__name__)


def due() -> list[int]:
    """Return the keys of repeated events that are due to have a next one, and have none yet."""
    seasons = [name for name, kind in FORMATS.items() if kind.carries_over]
    is_due = Q(state=State.FINISHED) | ~Q(format_name__in=seasons) & ~Q(state__in=BEFORE_START)
    found = TournamentRow.objects.exclude(repeats=Repeat.NEVER).filter(
        is_due, following=None, starts_at__isnull=False
    )
    return list(found.values_list("pk", flat=True))


def make_next(key: int) -> TournamentRow | None:
    """Make the next event of a repeated one; return ``None`` if the host may not, or has done so.

    A host who may host no events any more ends the repetition.
    """
    row = TournamentRow.objects.select_related("host", "club", "guest_club").get(pk=key)
    try:
        with transaction.atomic():
            following_row = create_tournament(row.host, _plan(row), previous=row)
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

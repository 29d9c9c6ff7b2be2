"""The puzzle of the day as a notification, at the hour of the daily e-mail of each reader."""

from __future__ import annotations

import logging

from django.db import transaction
from django.urls import reverse

from antipodes.clocks import HOUR
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.models import PreferenceRow
from antipodes.web.notifications.schedule import next_daily
from antipodes.web.notifications.services import notify
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import outage_of
from antipodes.web.puzzles.daily import daily, day_of
from antipodes.web.puzzles.selectors import first_try

logger = logging.getLogger(__name__)

_BATCH = 200
_LATEST = 12 * HOUR  # milliseconds; after a longer outage the puzzle is left out


def notify_of_daily() -> None:
    """Notify the users whose hour has come of the puzzle of the day.

    When a user is due is stored, and advanced in the transaction that stores the notification. So
    each user is notified once, by whichever worker comes first, also after a restart.
    """
    while rows := _due():
        for row in rows:
            try:
                _notify(row)
            except Exception as error:
                if outage_of(error):
                    raise
                logger.exception("puzzle of the day not sent user=%s", row.user_id)
                _advance(row)


def _due() -> list[PreferenceRow]:
    rows = PreferenceRow.objects.filter(puzzle_due__lte=now()).select_related("user")
    return list(rows.order_by("puzzle_due")[:_BATCH])


def _advance(row: PreferenceRow) -> bool:
    """Set when the user is due next; return false if another worker has done so."""
    following = next_daily(now(), row.hour, row.zone)
    same = PreferenceRow.objects.filter(pk=row.pk, puzzle_due=row.puzzle_due)
    return same.update(puzzle_due=following) == 1


def _notify(row: PreferenceRow) -> None:
    """Notify a user, unless they are on vacation or have tried the puzzle already."""
    due, at = row.puzzle_due, now()
    with transaction.atomic():
        if not _advance(row) or due is None or at - due > _LATEST or (row.away_until or 0) > at:
            return
        day = day_of(due)
        puzzle = daily(day)
        if puzzle is None or first_try(row.user, puzzle) is not None:
            return
        notify(
            row.user,
            Kind.DAILY_PUZZLE,
            key=f"puzzle of {day}",
            path=reverse("puzzle", args=[puzzle.id]),
            puzzle=puzzle.id,
            game=puzzle.game_id,
        )

"""Reminders before a player's time in a correspondence game runs out, each once per turn."""

from __future__ import annotations

import logging

from antipodes.clocks import DAY, HOUR, Pace, read_control
from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import MatchSnapshot, snapshot_of
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.preferences import TENTH, preference_of, reminders_of
from antipodes.web.notifications.services import notify
from antipodes.web.platform.clock import now

logger = logging.getLogger(__name__)

_LONGEST = 40 * DAY  # more than a tenth of a turn of a year
_TENTHS = 10

# A turn must be longer than a reminder's lead by this factor; else it would come at once.
_MARGIN = 1.25


def remind() -> None:
    """Remind players whose time runs out soon."""
    at = now()
    soon = MatchRow.objects.filter(ended_at=None, deadline__gt=at)
    rows = soon.filter(deadline__lte=at + _LONGEST).select_related("series")
    for row in rows.order_by("deadline").iterator():
        if read_control(row.control).pace is Pace.CORRESPONDENCE:
            try:
                _remind(row, at)
            except Exception:
                logger.exception("reminder failed match=%s", row.slug)


def _remind(row: MatchRow, at: int) -> None:
    if row.seat_to_move is None or row.deadline is None:
        return
    seat = row.seats.select_related("user").get(number=row.seat_to_move)
    if seat.user.is_computer:
        return
    snapshot = snapshot_of(row)
    clock = snapshot.match.clock
    # The clock is stopped during a vacation.
    if (clock.until[seat.number] or 0) > at:
        return
    begun = _turn_start(snapshot)
    reached = _due_reminder(seat.user, row.deadline, begun, at)
    if reached is not None:
        key = f"reminder {row.slug} {begun} {reached}"
        notify(seat.user, NotificationKind.REMINDER, key=key, match=row, deadline=row.deadline)


def _turn_start(snapshot: MatchSnapshot) -> int:
    """Return when the current turn began."""
    moves = snapshot.match.moves
    return moves[-1].at if moves else snapshot.row.begun_at


def _due_reminder(user: User, deadline: int, begun: int, at: int) -> int | None:
    """Return the latest due reminder, in hours before the end; earlier ones are skipped."""
    whole = deadline - begun
    spans = [
        (hours, whole // _TENTHS if hours == TENTH else hours * HOUR)
        for hours in reminders_of(preference_of(user))
    ]
    due = [one for one in spans if deadline - at <= one[1] and one[1] * _MARGIN < whole]
    return min(due, key=lambda one: one[1])[0] if due else None

"""Reminders that a challenge sets: sent after so much time of a turn has passed.

They are sent once in a turn, in addition to the reminders before the end of the time, and through
the channels that the player has chosen for reminders.
"""

from __future__ import annotations

import logging

from django.db.models import Q

from antipodes.web.email_play.models import ReminderRow
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.services import notify
from antipodes.web.platform.clock import now

logger = logging.getLogger(__name__)


def send_reminders() -> None:
    """Remind players whose turn has lasted for as long as their challenge says."""
    at = now()
    rows = ReminderRow.objects.filter(
        challenge__match__ended_at=None, challenge__match__isnull=False
    )
    for row in rows.select_related("challenge__match__series"):
        match = row.challenge.match
        if match is not None and match.changed_at <= at:
            try:
                _remind(row, match, at)
            except Exception:
                logger.exception("turn reminder failed match=%s", match.slug)
    # Cancelled matches and challenges have deleted theirs already.
    ReminderRow.objects.filter(Q(challenge__match__ended_at__gt=0)).delete()


def _remind(row: ReminderRow, match: MatchRow, at: int) -> None:
    snapshot = snapshot_of(match)
    moves = snapshot.match.moves
    turn_began_at = moves[-1].at if moves else match.begun_at
    seat = match.seat_to_move
    if seat is None or turn_began_at + row.after > at or match.deadline is None:
        return
    user = match.seats.select_related("user").get(number=seat).user
    if user.is_computer or (snapshot.match.clock.until[seat] or 0) > at:
        return
    key = f"turn reminder {match.slug} {turn_began_at}"
    notify(user, Kind.REMINDER, key=key, match=match, deadline=match.deadline)

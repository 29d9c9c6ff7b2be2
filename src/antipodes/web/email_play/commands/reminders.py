"""Reminders that were agreed on with a challenge: after so long without a move.

They come beside those that everybody chooses before their time runs out, once in a turn, and by the
ways that each has chosen for reminders.
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
from antipodes.web.platform.periodic import every

logger = logging.getLogger(__name__)


@every(300)
def nag() -> None:
    """Remind those whose turn has gone on for as long as was agreed."""
    at = now()
    rows = ReminderRow.objects.filter(
        challenge__match__ended_at=None, challenge__match__isnull=False
    )
    for row in rows.select_related("challenge__match__series"):
        match = row.challenge.match
        if match is not None and match.changed_at <= at:
            try:
                _nag(row, match, at)
            except Exception:
                logger.exception("nobody is reminded of %s", match)
    # A match that was called off has no reminders, and a challenge that was taken back neither.
    ReminderRow.objects.filter(Q(challenge__match__ended_at__gt=0)).delete()


def _nag(row: ReminderRow, match: MatchRow, at: int) -> None:
    standing = snapshot_of(match)
    moves = standing.match.moves
    begun = moves[-1].at if moves else match.begun_at
    seat = match.seat_to_move
    if seat is None or begun + row.after > at or match.deadline is None:
        return
    user = match.seats.select_related("user").get(number=seat).user
    if user.is_computer or (standing.match.clock.until[seat] or 0) > at:
        return
    key = f"nag {match.slug} {begun}"
    notify(user, Kind.REMINDER, key=key, match=match, deadline=match.deadline)

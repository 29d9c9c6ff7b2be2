"""Periodic deletion of old notifications, e-mails and viewing marks."""

from __future__ import annotations

from antipodes.clocks import DAY
from antipodes.web.notifications.models import EmailRow, NotificationRow, ViewingRow
from antipodes.web.platform.clock import now

# All in days.
KEPT_SEEN = 90
KEPT_UNSEEN = 365
KEPT_EMAILS = 30


def delete_old() -> None:
    """Delete old notifications, e-mails that were sent or given up, and expired viewing marks."""
    at = now()
    old = NotificationRow.objects.filter(made_at__lt=at - KEPT_SEEN * DAY)
    old.exclude(seen_at=None).delete()
    old.filter(made_at__lt=at - KEPT_UNSEEN * DAY).delete()
    EmailRow.objects.filter(due_at=None, made_at__lt=at - KEPT_EMAILS * DAY).delete()
    ViewingRow.objects.filter(until__lt=at).delete()

"""Notifications of secrets that the site masked in an author's text."""

from __future__ import annotations

from collections.abc import Sequence

from antipodes.clocks import MINUTE
from antipodes.web.accounts.models import User
from antipodes.web.notifications.kinds import Kind
from antipodes.web.notifications.services import notify
from antipodes.web.platform.clock import now


def notify_masked(user: User, kinds: Sequence[str], **_: object) -> None:
    """Tell an author what the site masked, of the same kinds at most once a minute."""
    masked = " ".join(kinds)
    notify(user, Kind.SECRETS, key=f"secrets {masked} {now() // MINUTE}", masked=masked)

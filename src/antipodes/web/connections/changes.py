"""Signal handlers: when a session, token or user changes, all processes check its connections.

Messages only trigger a check against the database, so lost or repeated ones do no harm.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from antipodes.web.accounts.models import TokenBase, User
from antipodes.web.connections import checks
from antipodes.web.platform import pubsub

CHANGED = "credentials-changed"  # pub/sub topic
_FIELDS = {"password", "is_active"}  # whose changes may end connections


def on_session_end(instance: Session, **_: object) -> None:
    """Check the connections of a session that was deleted before it expired."""
    user = instance.get_decoded().get(SESSION_KEY)
    # The periodic check finds expired sessions, which are deleted by the thousand.
    if user is not None and instance.expire_date > timezone.now():
        _broadcast(int(user))


def on_token_end(instance: TokenBase, **_: object) -> None:
    """Check the connections of a token that was revoked."""
    _broadcast(instance.user_id)


def on_user_change(
    instance: User, *, update_fields: Collection[str] | None = None, **_: object
) -> None:
    """Check the connections of a user who was changed or deleted."""
    if update_fields is None or _FIELDS & set(update_fields):
        _broadcast(instance.pk)


def _broadcast(user: int) -> None:
    transaction.on_commit(partial(pubsub.broadcast, CHANGED, {"user": user}))


def check_here(message: dict[str, Any]) -> None:
    """Check the connections of a user whose credentials have changed."""
    pubsub.call_in_event_loop(partial(checks.check_user_soon, message["user"]))

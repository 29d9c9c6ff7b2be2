"""When sessions, tokens and users change: all processes check the connections of the user.

A message says no more than that it is worth looking; whether a connection stays is found in the
database. So a message that is lost, or comes twice, does no harm.
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

_CHANGED = "credentials-changed"  # the name under which processes tell each other
_MATTERS = {"password", "is_active"}


def listen() -> None:
    """Hear what other processes tell of changes."""
    pubsub.subscribe(_CHANGED, _check_here)


def on_session_end(instance: Session, **_: object) -> None:
    """Check the connections of a session that was deleted before its time."""
    user = instance.get_decoded().get(SESSION_KEY)
    # The periodic check finds the others; thousands of them are deleted together.
    if user is not None and instance.expire_date > timezone.now():
        _tell(int(user))


def on_token_end(instance: TokenBase, **_: object) -> None:
    """Check the connections of a token that was revoked."""
    _tell(instance.user_id)


def on_user_change(
    instance: User, *, update_fields: Collection[str] | None = None, **_: object
) -> None:
    """Check the connections of a user who was changed or deleted."""
    if update_fields is None or _MATTERS & set(update_fields):
        _tell(instance.pk)


def _tell(user: int) -> None:
    transaction.on_commit(partial(pubsub.broadcast, _CHANGED, {"user": user}))


def _check_here(message: dict[str, Any]) -> None:
    pubsub.call_in_event_loop(partial(checks.check_user_soon, message["user"]))

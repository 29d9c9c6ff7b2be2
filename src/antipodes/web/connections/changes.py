"""Signal handlers: when a session, token or user changes, all processes check its connections.

Messages only trigger a check against the database, so lost or repeated ones do no harm.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from channels.db import database_sync_to_async
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils import timezone

from antipodes.web.accounts.models import TokenBase, User
from antipodes.web.connections.credentials import Credentials, still_valid
from antipodes.web.connections.registry import Connection, Ending, open_connections
from antipodes.web.platform import pubsub

logger = logging.getLogger(__name__)

CHECK_EVERY = 5.0  # seconds; for all connections

# A thread of its own, so that a check of many connections delays no command.
_thread = ThreadPoolExecutor(1, thread_name_prefix="credentials")
_checking: set[asyncio.Task[None]] = set()


async def check_periodically() -> None:
    """Check all connections of this process until cancelled."""
    while True:
        await asyncio.sleep(CHECK_EVERY)
        try:
            await check(open_connections())
        except Exception as error:  # noqa: BLE001 - the database may be unavailable
            logger.warning("connections not checked error=%s", error)


def check_user_soon(user: int) -> None:
    """Start a check of a user's connections; call it in the thread of the event loop.

    Until the check has ended, nothing is sent over these connections, so that a client receives no
    event that is later than the end of its session.
    """
    own = [one for one in open_connections() if one.credentials and one.credentials.user == user]
    if own:
        for connection in own:
            connection.begin_check()
        task = asyncio.ensure_future(_check_or_log(own))
        _checking.add(task)
        task.add_done_callback(_checking.discard)


async def _check_or_log(connections: Iterable[Connection]) -> None:
    try:
        await check(connections)
    except Exception as error:  # noqa: BLE001 - the periodic check comes soon
        logger.warning("connections not checked error=%s", error)
    finally:
        for one in connections:
            one.end_check()


async def check(connections: Iterable[Connection]) -> None:
    """End connections whose credentials are no longer valid."""
    identified = [(one, one.credentials) for one in connections if one.credentials is not None]
    if not identified:
        return
    query = database_sync_to_async(still_valid, thread_sensitive=False, executor=_thread)
    valid: set[Credentials] = await query({credentials for _one, credentials in identified})
    for one, credentials in identified:
        if credentials not in valid:
            one.end(Ending.SIGNED_OUT)


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
    pubsub.call_in_event_loop(partial(check_user_soon, message["user"]))

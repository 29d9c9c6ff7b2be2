"""Checks of open connections: when something has changed, and from time to time anyway."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from channels.db import database_sync_to_async

from antipodes.web.connections.credentials import Credentials, still_good
from antipodes.web.connections.registry import Connection, Ending, open_here

logger = logging.getLogger(__name__)

EACH = 5.0  # seconds between two checks of all connections

# A thread of its own, so that a check of many connections holds no command up.
_thread = ThreadPoolExecutor(1, thread_name_prefix="credentials")
_checking: set[asyncio.Task[None]] = set()


async def keep() -> None:
    """Check all connections of this process periodically, for as long as this is awaited."""
    while True:
        await asyncio.sleep(EACH)
        try:
            await check(open_here())
        except Exception as error:  # noqa: BLE001 - the database may be away; the next check comes
            logger.warning("connections not checked error=%s", error)


def check_user_soon(user: int) -> None:
    """Begin to check the connections of a user; call it in the thread of the event loop.

    What happens after a session's end is told after it, too: so from here on nothing is sent
    over these connections until their check has ended.
    """
    own = [one for one in open_here() if one.credentials and one.credentials.user == user]
    if own:
        for one in own:
            one.begin_check()
        task = asyncio.ensure_future(_check_or_log(own))
        _checking.add(task)
        task.add_done_callback(_checking.discard)


async def _check_or_log(some: Iterable[Connection]) -> None:
    try:
        await check(some)
    except Exception as error:  # noqa: BLE001 - the periodic check comes soon
        logger.warning("connections not checked error=%s", error)
    finally:
        for one in some:
            one.end_check()


async def check(some: Iterable[Connection]) -> None:
    """End those connections whose credentials are good no longer."""
    known = [(one, one.credentials) for one in some if one.credentials is not None]
    if not known:
        return
    ask = database_sync_to_async(still_good, thread_sensitive=False, executor=_thread)
    good: set[Credentials] = await ask({credentials for _one, credentials in known})
    for one, credentials in known:
        if credentials not in good:
            one.end(Ending.SIGNED_OUT)

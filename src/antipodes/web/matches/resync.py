"""Resync: send WebSockets the changes that they missed.

A process may be killed between a change and its broadcast, and Redis may be unavailable. So each
web process compares what its WebSockets were sent with the database, in one query for all matches.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor

from channels.db import database_sync_to_async

from antipodes.web.matches.consumers import MatchSocket
from antipodes.web.matches.models import ChatLine, MatchRow
from antipodes.web.platform.clock import now

logger = logging.getLogger(__name__)

_EACH = 3.0  # seconds between two checks
_RECENT = 15_000  # age in milliseconds up to which missed chat lines are found

# A separate thread, so that a query over many matches delays no command.
_thread = ThreadPoolExecutor(1, thread_name_prefix="resync")
_telling: dict[MatchSocket, asyncio.Task[None]] = {}


async def keep() -> None:
    """Resync periodically until cancelled."""
    while True:
        await asyncio.sleep(_EACH)
        try:
            await look()
        except Exception as error:  # noqa: BLE001 - the database may be unavailable; try again
            logger.warning("socket resync failed error=%s", error)


async def look() -> None:
    """Send this process' WebSockets the changes that they missed."""
    sockets = [socket for socket in MatchSocket.open_here if socket.sent is not None]
    if not sockets:
        return
    ask = database_sync_to_async(_ask, thread_sensitive=False, executor=_thread)
    versions, lines = await ask({socket.slug for socket in sockets})
    for socket in sockets:
        version, said = versions.get(socket.slug, 0), lines.get(socket.slug, set())
        if socket not in _telling and socket.has_missed(version, said):
            # A task of its own, so that a client that does not read delays only itself.
            _telling[socket] = asyncio.ensure_future(_catch_up(socket, version, said))


async def _catch_up(socket: MatchSocket, version: int, said: set[int]) -> None:
    try:
        await socket.match_changed({"version": version})
        await socket.catch_up_with_chat(said)
    except Exception as error:  # noqa: BLE001 - the next resync tries again
        logger.warning("socket resync failed match=%s error=%s", socket.slug, error)
    finally:
        del _telling[socket]


def _ask(slugs: Collection[str]) -> tuple[dict[str, int], dict[str, set[int]]]:
    """Return the versions of matches, and the ids of recent chat lines there."""
    versions = dict(MatchRow.objects.filter(slug__in=slugs).values_list("slug", "version"))
    recent = ChatLine.objects.filter(at__gt=now() - _RECENT, match__slug__in=slugs)
    lines: dict[str, set[int]] = {}
    for slug, line in recent.values_list("match__slug", "pk"):
        lines.setdefault(slug, set()).add(line)
    return versions, lines

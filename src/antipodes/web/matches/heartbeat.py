"""Heartbeat of a web process: beats as long as the process could handle a move."""

from __future__ import annotations

import asyncio
import logging

from channels.db import database_sync_to_async

from antipodes.web.matches import services, snapshots
from antipodes.web.matches.consumers import MatchSocket
from antipodes.web.platform import heartbeats, write_probe
from antipodes.web.platform.models import ProcessKind

logger = logging.getLogger(__name__)


async def keep() -> None:
    """Beat until cancelled."""
    while True:
        await asyncio.sleep(heartbeats.BEAT)
        await beat()


async def beat() -> None:
    """Beat once; give players their time back if only this process hung."""
    played = {(one.slug, seat) for one in MatchSocket.open_here for seat in one.seats}
    try:
        await database_sync_to_async(_beat)(played)
    except Exception as error:  # noqa: BLE001 - the database may be unavailable; try again
        write_probe.note(error)
        logger.warning("heartbeat failed error=%s", error)


def _beat(played: set[tuple[str, int]]) -> None:
    downtime = heartbeats.beat(ProcessKind.WEB)
    if downtime is None:
        return
    logger.warning("process hung alone seconds=%.1f", (downtime.ended - downtime.stopped) / 1_000)
    for slug, seat in played:
        if snapshots.look_up(slug).match.seat_to_move == seat:
            services.give_back(slug, downtime)

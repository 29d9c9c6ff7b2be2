"""Open live challenges end when their author has left the site: the game would begin without them.

Each web process notes for which challenges it has an open page of the author.
"""

from __future__ import annotations

import asyncio
import logging

from channels.db import database_sync_to_async
from django.db import transaction

from antipodes.clocks import MINUTE, Pace
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.connections.registry import users_online
from antipodes.web.matches.labels import pace_of
from antipodes.web.platform import heartbeats
from antipodes.web.platform.clock import now
from antipodes.web.platform.models import ProcessKind
from antipodes.web.platform.outages import optional_write

PATIENCE = MINUTE  # milliseconds that an author may be away
_INTERVAL = 15.0  # seconds between two looks at who is there

logger = logging.getLogger(__name__)


def await_author(row: ChallengeRow) -> None:
    """Let a challenge that was posted on a page end when its author leaves, if it is open and live.

    Links and invitations stay: who sends one waits elsewhere.
    """
    if row.is_listed and pace_of(row.control) is Pace.LIVE:
        row.seen_at = now()
        row.save(update_fields=["seen_at"])


async def keep() -> None:
    """Note regularly which authors are here, until cancelled."""
    # Pages of a site that starts again have a time to reconnect.
    is_start = True
    while True:
        authors = None if is_start else users_online()
        try:
            await database_sync_to_async(note_present)(authors)
            is_start = False
        except Exception as error:  # noqa: BLE001 - the database may be unavailable
            logger.warning("presence of authors not noted error=%s", error)
        await asyncio.sleep(_INTERVAL)


def note_present(users: set[int] | None) -> None:
    """Note that some users are at the site; ``None`` stands for all authors."""
    waiting = ChallengeRow.objects.filter(match=None, seen_at__isnull=False)
    here = [pk for pk, by in waiting.values_list("pk", "by") if users is None or by in users]
    if here:
        with optional_write("presence of authors of challenges"):
            waiting.filter(pk__in=here).update(seen_at=now())


def end_left_challenges() -> None:
    """End challenges whose authors have been away for a minute in which the site was there."""
    until = heartbeats.latest(ProcessKind.WEB)
    if until is not None:
        left = ChallengeRow.objects.filter(match=None, seen_at__lt=until - PATIENCE)
        if left.exists():
            with transaction.atomic():
                # A lock, so that none begins its match meanwhile.
                for row in left.select_for_update():
                    row.delete()

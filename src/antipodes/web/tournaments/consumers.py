"""WebSocket consumer: tells the viewers of an event when it has changed."""

from __future__ import annotations

from typing import Any

from channels.db import database_sync_to_async

from antipodes.web.connections.consumers import NOT_FOUND, SiteSocket
from antipodes.web.tournaments.access import may_see
from antipodes.web.tournaments.log import group_of
from antipodes.web.tournaments.models import TournamentRow


class TournamentSocket(SiteSocket):
    """The socket of one viewer of an event.

    The server sends the event's version on connect and after each change; the page then loads what
    has changed. The client sends nothing.
    """

    async def connect(self) -> None:
        """Join the group of the event, and send its version."""
        self.prepare()
        self.slug = self.scope["url_route"]["kwargs"]["slug"]
        await self.join(group_of(self.slug))
        await self.accept()
        version = await database_sync_to_async(self._version)()
        if version is None:
            await self.close(NOT_FOUND)
            return
        await self.send_object({"version": version})

    def _version(self) -> int | None:
        row = TournamentRow.objects.filter(slug=self.slug).first()
        return row.version if row is not None and may_see(row, self.user) else None

    async def tournament_changed(self, message: dict[str, Any]) -> None:
        """Send the version after a change; the page checks access when it loads the change."""
        await self.send_object({"version": message["version"]})

"""Sockets: commands of seats come in, news of the match go out."""

from __future__ import annotations

import json
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer

from antipodes.errors import InputError
from antipodes.web.matches import wire
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.presenters import match_view
from antipodes.web.matches.services import carry_out, group_of
from antipodes.web.people.models import User

_NOT_FOUND = 4404
_MAX_MESSAGE = 64 * 1024


class MatchSocket(AsyncWebsocketConsumer):
    """One browser that watches a match; what it sends is checked against its own seats."""

    async def connect(self) -> None:
        """Join those who watch, and tell how the match stands."""
        self.slug: str = self.scope["url_route"]["kwargs"]["slug"]
        user: object = self.scope.get("user")
        self.user = user if isinstance(user, User) else None
        await self.accept()
        if not await MatchRow.objects.filter(slug=self.slug).aexists():
            await self.close(_NOT_FOUND)
            return
        await self.channel_layer.group_add(group_of(self.slug), self.channel_name)
        await self._tell()

    async def disconnect(self, code: int) -> None:  # noqa: ARG002
        """Leave those who watch."""
        await self.channel_layer.group_discard(group_of(self.slug), self.channel_name)

    async def receive(
        self,
        text_data: str | None = None,
        bytes_data: bytes | None = None,  # noqa: ARG002
    ) -> None:
        """Carry out a command, and answer its key with what came of it."""
        text = text_data or ""
        answer: dict[str, Any]
        try:
            if len(text) > _MAX_MESSAGE:
                raise wire.bad_message(f"a message of {len(text)} characters is too long")
            command = await database_sync_to_async(wire.read_command)(text, self.slug, self.user)
            await database_sync_to_async(carry_out)(self.slug, command)
            answer = {"type": "done", "key": command.key}
        except InputError as error:
            answer = {
                "type": "refused",
                "key": wire.key_of(text),
                "code": error.code,
                "message": str(error),
            }
        await self.send(json.dumps(answer))

    async def match_changed(self, _message: dict[str, Any]) -> None:
        """Tell the browser how the match stands now."""
        await self._tell()

    async def _tell(self) -> None:
        await self.send(json.dumps({"type": "match", "match": await self._view()}))

    @database_sync_to_async
    def _view(self) -> dict[str, Any]:
        row = MatchRow.objects.get(slug=self.slug)
        return match_view(row, row.match(), self.user)

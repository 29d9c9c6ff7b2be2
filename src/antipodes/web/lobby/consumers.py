"""WebSocket consumer: receives lines of the lobby's chat, broadcasts them."""

from __future__ import annotations

from functools import partial
from typing import Any

from channels.db import database_sync_to_async

from antipodes.web.connections.commands import Call
from antipodes.web.connections.consumers import NOT_FOUND, CommandSocket
from antipodes.web.lobby import chat
from antipodes.web.matches import messages
from antipodes.web.matches.chat import group_of_chat, line_views
from antipodes.web.platform.schemas import read_as


class LobbySocket(CommandSocket):
    """The socket of one client in the lobby, which sends and receives messages of its chat."""

    async def connect(self) -> None:
        """Join the group of the chat, and send the latest lines."""
        self.prepare()
        if not chat.is_on():
            await self.accept()
            await self.close(NOT_FOUND)
            return
        self.viewer = self.user.pk if self.user else None
        # Subscribe before reading the lines, so that none is missed.
        await self.join(group_of_chat(None))
        lines = await database_sync_to_async(chat.history)(self.viewer)
        await self.accept()
        await self.send_object({"type": "chat", "lines": lines})

    def call_of(self, data: dict[str, Any]) -> Call:
        """Return the function that adds a line."""
        return partial(self._say, read_as(messages.SAY_MESSAGE, data, messages.CODE))

    def _say(self, message: messages.SayMessage) -> None:
        chat.say(self.reload_user(), message.model_dump())

    async def chat_said(self, message: dict[str, Any]) -> None:
        """Send a new line, unless one of author and client has blocked the other."""
        if self.viewer is None or self.viewer not in message["deaf"]:
            lines = line_views([message["line"]], self.viewer)
            await self.send_object({"type": "chat", "lines": lines})

    async def chat_hidden(self, message: dict[str, Any]) -> None:
        """Tell the client that a line was deleted."""
        await self.send_object({"type": "chat-hidden", "id": message["id"]})

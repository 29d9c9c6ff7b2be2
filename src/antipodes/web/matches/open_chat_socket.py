"""WebSocket consumer: receives lines of chats outside matches, broadcasts them."""

from __future__ import annotations

from functools import partial
from typing import Any

from channels.db import database_sync_to_async

from antipodes.errors import Fault, MatchError
from antipodes.web.connections.commands import Call
from antipodes.web.connections.consumers import NOT_FOUND, CommandSocket
from antipodes.web.matches import messages, open_chat
from antipodes.web.matches.chat import group_of_room, line_views
from antipodes.web.matches.schemas import ChatMessageOut
from antipodes.web.platform.schemas import read_as


class ChatSocket(CommandSocket):
    """The socket of one reader of the chat of the lobby or an event, which may write too."""

    async def connect(self) -> None:
        """Join the group of the chat, and send the latest lines."""
        self.prepare()
        address = self.scope["url_route"]["kwargs"]
        self.room, self.slug = address["room"], address.get("slug", "")
        self.viewer = self.user.pk if self.user else None
        # Subscribe before reading the lines, so that none is missed.
        await self.join(group_of_room(self.room, self.slug))
        lines = await database_sync_to_async(self._history)()
        await self.accept()
        if lines is None:
            await self.close(NOT_FOUND)
            return
        await self.send_object({"type": "chat", "lines": lines})

    def _find(self) -> open_chat.OpenChat | None:
        return open_chat.find(self.room, self.slug, self.user)

    def _history(self) -> list[ChatMessageOut] | None:
        self.place = self._find()
        return None if self.place is None else open_chat.history(self.place, self.user)

    def call_of(self, data: dict[str, Any]) -> Call:
        """Return the function that adds a line."""
        return partial(self._say, read_as(messages.SAY_MESSAGE, data, messages.CODE))

    def _say(self, message: messages.SayMessage) -> None:
        user = self.reload_user()
        place = open_chat.find(self.room, self.slug, user)
        if place is None:
            raise MatchError([Fault("chat/closed", "this chat is closed")])
        open_chat.say(place, user, message.model_dump())

    async def chat_said(self, message: dict[str, Any]) -> None:
        """Send a new line, unless one of author and client has blocked the other."""
        place = self.place
        if place is None:
            return
        if self.viewer in message["deaf"] and not place.may_direct:
            return
        # A member who leaves a club may no longer read what is private to it.
        if place.is_private and await database_sync_to_async(self._find)() is None:
            await self.close(NOT_FOUND)
            return
        lines = line_views([message["line"]], self.viewer)
        await self.send_object({"type": "chat", "lines": lines})

    async def chat_hidden(self, message: dict[str, Any]) -> None:
        """Tell the client that a line was deleted."""
        await self.send_object({"type": "chat-hidden", "id": message["id"]})

"""The base of the site's WebSocket consumers."""

from __future__ import annotations

from typing import Any

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer


class SiteSocket(AsyncWebsocketConsumer):
    """A consumer of WebSocket messages."""

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Call the handler of a message.

        Channels would first wait for a thread that closes unusable database connections. Here all
        queries run through ``database_sync_to_async``, which does that in its own thread.
        """
        handler = getattr(self, get_handler_name(message), None)
        if handler is None:
            raise ValueError(f"no handler for messages of type {message['type']}")
        await handler(message)

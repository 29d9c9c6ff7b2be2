"""ASGI middleware that counts WebSockets and streams, and ends them with their credentials."""

from __future__ import annotations

import logging
import time
from typing import Any

from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.conf import settings
from django.http import HttpRequest

from antipodes.web.connections import refusals
from antipodes.web.connections.credentials import of_scope, still_valid
from antipodes.web.connections.handshakes import refuse
from antipodes.web.connections.registry import (
    Connection,
    ConnectionKind,
    EndedError,
    Ending,
    TooManyConnectionsError,
)
from antipodes.web.platform.client_addresses import address_of, address_of_scope
from antipodes.web.platform.limits import TooManyError, rate_limit, take_for_networks

logger = logging.getLogger(__name__)

# Opening a WebSocket costs queries, even if the client closes it at once and never holds many.
NEW_SOCKETS = rate_limit("new-sockets", "600/minute", per="address", what="WebSockets opened")

FRESH = 0.1  # seconds for which a check of the session is valid, so that a flood costs few queries


class CountedSockets:
    """Counts each WebSocket before its handshake is accepted, or refuses it.

    It runs before the session middleware, so that a refusal costs no query.
    """

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        connection = Connection(ConnectionKind.SOCKET, address_of_scope(scope))
        is_accepted = False

        async def send_and_note(message: Any) -> None:
            nonlocal is_accepted
            is_accepted |= message["type"] == "websocket.accept"
            await send(message)

        try:
            await self._count(connection)
            await self._application({**scope, "connection": connection}, receive, send_and_note)
        except (TooManyConnectionsError, TooManyError) as error:
            if not is_accepted:
                code = Ending.TOO_MANY.value
                await refuse(scope, send, 429, error.seconds, str(error), code)
        finally:
            connection.leave()

    @staticmethod
    async def _count(connection: Connection) -> None:
        """Count a new WebSocket; in a thread if the counts are in Redis."""
        try:
            if connection.address is not None and settings.REDIS_URL:
                take = sync_to_async(take_for_networks, thread_sensitive=False)
                await take(NEW_SOCKETS, connection.address)
            elif connection.address is not None:
                take_for_networks(NEW_SOCKETS, connection.address)
            connection.open()
        except (TooManyConnectionsError, TooManyError):
            refusals.note(connection.address)
            raise


class IdentifiedSockets:
    """Ties each WebSocket to the session that opened it.

    It ends when the session does. A message from the client is passed on only if the session is
    still valid, and nothing is sent after the WebSocket was ended.
    """

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        connection = connection_of(scope)
        connection.identify(of_scope(scope))
        await _CheckedSocket(connection, receive, send).run(self._application, scope)


class _CheckedSocket:
    """One WebSocket, with its messages in both directions."""

    def __init__(self, connection: Connection, receive: Any, send: Any) -> None:
        self._connection = connection
        self._receive = receive
        self._send = send
        self._checked = float("-inf")
        self._has_left = False

    async def run(self, application: Any, scope: Any) -> None:
        await application(scope, self.receive, self.send)

    async def receive(self) -> Any:
        """Return the next message of the client, or a disconnect if the site ended the socket."""
        connection = self._connection
        try:
            message = await connection.unless_ended(self._receive())
            if message["type"] == "websocket.receive":
                connection.active = time.monotonic()
                await self._check()
        except EndedError:
            assert connection.ending is not None
            code = connection.ending.value
            await self._pass({"type": "websocket.close", "code": code})
            return {"type": "websocket.disconnect", "code": code}
        return message

    async def _check(self) -> None:
        """End the connection if its session is no longer valid."""
        credentials, at = self._connection.credentials, time.monotonic()
        if credentials is None or self._connection.commands_are_checked:
            return
        if at < self._checked + FRESH:
            return
        if credentials not in await database_sync_to_async(still_valid)([credentials]):
            self._connection.end(Ending.SIGNED_OUT)
            raise EndedError
        self._checked = at

    async def send(self, message: Any) -> None:
        """Send a message, unless the connection was ended."""
        if await self._connection.may_send():
            await self._pass(message)

    async def _pass(self, message: Any) -> None:
        """Send a message, unless the client has left, which ``receive`` reports soon."""
        if self._has_left:
            return
        try:
            await self._send(message)
        except (OSError, RuntimeError) as error:
            self._has_left = True
            logger.debug("websocket client left error=%s", error)


class CountedStreams:
    """Removes streams from the registry when their requests end, for whatever reason."""

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        opened: list[Connection] = []
        try:
            await self._application({**scope, "streams": opened}, receive, send)
        finally:
            for connection in opened:
                connection.leave()


def connection_of(scope: Any) -> Connection:
    found: Connection | None = scope.get("connection")
    return Connection(ConnectionKind.SOCKET) if found is None else found


def new_stream(request: HttpRequest) -> Connection:
    """Register the connection of a new stream; it is removed when the request ends.

    Raises:
        TooManyConnectionsError: a limit is reached.
    """
    connection = Connection(ConnectionKind.STREAM, address_of(request))
    connection.open()
    getattr(request, "scope", {}).get("streams", []).append(connection)
    return connection

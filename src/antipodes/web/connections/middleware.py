"""ASGI middleware: WebSockets and streams are counted, and end with what they were opened with."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from typing import Any

from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.http import HttpRequest

from antipodes.web.connections import refusals
from antipodes.web.connections.credentials import of_scope, still_good
from antipodes.web.connections.registry import (
    Connection,
    EndedError,
    Ending,
    Kind,
    TooManyConnectionsError,
)
from antipodes.web.platform.client_addresses import address_of, address_of_scope
from antipodes.web.platform.limits import TooManyError, rate_limit, take_for_networks

logger = logging.getLogger(__name__)

# Each one that is opened costs queries, and those who come and go at once never hold many.
NEW_SOCKETS = rate_limit("new-sockets", "600/minute", per="address", what="WebSockets opened")

FRESH = 0.1  # seconds for which a check of the session holds, so that a flood asks it no more often

_LEFT = 1006  # the code of a WebSocket whose client has left without a word


class CountedSockets:
    """Gives each WebSocket a place before its handshake is accepted, or refuses it.

    It stands before what looks for the session, so a WebSocket too many costs no query.
    """

    def __init__(self, application: Any) -> None:
        """Keep what serves the WebSockets."""
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a WebSocket until it ends."""
        connection = Connection(Kind.SOCKET, address_of_scope(scope))
        is_accepted = False

        async def noting(message: Any) -> None:
            nonlocal is_accepted
            is_accepted |= message["type"] == "websocket.accept"
            await send(message)

        try:
            await self._take(connection)
            await self._application({**scope, "connection": connection}, receive, noting)
        except (TooManyConnectionsError, TooManyError) as error:
            if not is_accepted:
                await _refuse(error, scope, send)
        finally:
            connection.leave()

    @staticmethod
    async def _take(connection: Connection) -> None:
        """Count a WebSocket that is opened, in a thread: the counts may be in Redis."""
        try:
            if connection.address is not None:
                take = sync_to_async(take_for_networks, thread_sensitive=False)
                await take(NEW_SOCKETS, connection.address)
            connection.open()
        except (TooManyConnectionsError, TooManyError):
            refusals.note(connection.address)
            raise


async def _refuse(error: TooManyConnectionsError | TooManyError, scope: Any, send: Any) -> None:
    """Answer a handshake with status 429, where the server can do that."""
    with suppress(OSError):  # the client may have left
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": Ending.TOO_MANY.value})
            return
        headers = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"retry-after", str(error.seconds).encode()),
        ]
        start = {"type": "websocket.http.response.start", "status": 429, "headers": headers}
        await send(start)
        await send({"type": "websocket.http.response.body", "body": f"{error}\n".encode()})


class IdentifiedSockets:
    """Ties each WebSocket to the session that it was opened with.

    It ends when the session does. Each message from the client is passed on only if the session is
    still good, and nothing is sent once the WebSocket was ended.
    """

    def __init__(self, application: Any) -> None:
        """Keep what serves the WebSockets."""
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a WebSocket until it ends."""
        connection = connection_of(scope)
        connection.identify(of_scope(scope))
        await _Serving(connection, receive, send).run(self._application, scope)


class _Serving:
    """One WebSocket that is served."""

    def __init__(self, connection: Connection, receive: Any, send: Any) -> None:
        self._connection = connection
        self._receive = receive
        self._send = send
        self._checked = float("-inf")
        self._has_left = False

    async def run(self, application: Any, scope: Any) -> None:
        await application(scope, self.receive, self.send)

    async def receive(self) -> Any:
        """Return the next message of the client, or that the site has ended the connection."""
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
        """End the connection if its session is good no longer."""
        credentials, at = self._connection.credentials, time.monotonic()
        if credentials is None or at < self._checked + FRESH:
            return
        if credentials not in await database_sync_to_async(still_good)([credentials]):
            self._connection.end(Ending.SIGNED_OUT)
            raise EndedError
        self._checked = at

    async def send(self, message: Any) -> None:
        """Send a message, unless the connection was ended."""
        if await self._connection.may_send():
            await self._pass(message)

    async def _pass(self, message: Any) -> None:
        """Send a message; a client may leave at any moment, and ``receive`` tells so soon."""
        if self._has_left:
            return
        try:
            await self._send(message)
        except (OSError, RuntimeError) as error:
            self._has_left = True
            logger.debug("websocket client left error=%s", error)


class CountedStreams:
    """Gives back the places of streams when their requests end, whatever has happened."""

    def __init__(self, application: Any) -> None:
        """Keep what answers requests."""
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        opened: list[Connection] = []
        try:
            await self._application({**scope, "streams": opened}, receive, send)
        finally:
            for connection in opened:
                connection.leave()


def connection_of(scope: Any) -> Connection:
    """Return the connection of a WebSocket."""
    found: Connection | None = scope.get("connection")
    return Connection(Kind.SOCKET) if found is None else found


def new_stream(request: HttpRequest) -> Connection:
    """Return a connection for a stream that is about to begin; its request gives its places back.

    Raises:
        TooManyConnectionsError: there are too many.
    """
    connection = Connection(Kind.STREAM, address_of(request))
    connection.open()
    getattr(request, "scope", {}).get("streams", []).append(connection)
    return connection

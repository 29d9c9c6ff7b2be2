"""Streams of newline-delimited JSON.

A stream sends the current state first, then changes. Messages of the channel layer only wake it: it
reads the data from the database, and resyncs regularly without a message. So a lost message does no
harm, nor does a lost connection, since a new one starts with the current state.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.db import close_old_connections
from django.http import HttpRequest, StreamingHttpResponse

from antipodes.web.api.auth import bad_token_error, caller
from antipodes.web.connections.middleware import new_stream
from antipodes.web.connections.registry import Connection, EndedError, Ending
from antipodes.web.platform import pubsub

HEARTBEAT = 6.0  # seconds without another line
RESYNC = 20.0  # seconds between regular resyncs
MEDIA_TYPE = "application/x-ndjson"

Line = dict[str, Any]
Result = TypeVar("Result")

# All streams share one database connection: each may last for weeks, and queries rarely.
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="streams")


async def in_database_thread(query: Callable[[], Result]) -> Result:
    """Run a database query in the thread that all streams share."""
    result: Result = await sync_to_async(
        partial(_run, query), thread_sensitive=False, executor=_thread
    )()
    return result


def _run(query: Callable[[], Result]) -> Result:
    close_old_connections()
    return query()


class GroupListener:
    """The subscriptions of one stream to groups of the channel layer."""

    def __init__(self) -> None:
        """Start without subscriptions."""
        layer = get_channel_layer()
        assert layer is not None
        self._layer = layer
        self._channel = ""
        self._groups: set[str] = set()
        self._next: asyncio.Task[Line] | None = None

    async def subscribe(self, groups: Iterable[str]) -> None:
        """Subscribe to these groups, and unsubscribe from all others."""
        pubsub.attach_event_loop()
        if not self._channel:
            self._channel = await self._layer.new_channel()
        wanted = set(groups)
        for group in wanted - self._groups:
            await self._layer.group_add(group, self._channel)
        for group in self._groups - wanted:
            await self._layer.group_discard(group, self._channel)
        self._groups = wanted

    async def receive(self, seconds: float) -> Line | None:
        """Return the next message, or ``None`` after a timeout.

        A pending receive continues in the next call, since a layer may lose the message that
        arrives while a receive is cancelled.
        """
        if self._next is None:
            self._next = asyncio.ensure_future(self._layer.receive(self._channel))
        done, _pending = await asyncio.wait({self._next}, timeout=seconds)
        if not done:
            return None
        task, self._next = self._next, None
        return task.result()

    async def lines(
        self,
        lines_for: Callable[[Line], Awaitable[Iterable[Result]]],
        resync: Line,
        is_over: Callable[[], bool] = lambda: False,
    ) -> AsyncIterator[Result | Line]:
        """Yield the lines for each message, and heartbeats while there is none.

        Args:
            lines_for: returns the lines to send after a message.
            resync: the message after which `lines_for` looks for changes of all kinds; it is taken
                as received regularly.
            is_over: whether the stream ends.
        """
        resynced = time.monotonic()
        while not is_over():
            message = await self.receive(HEARTBEAT)
            if message is None:
                yield heartbeat()
            messages = [] if message is None else [message]
            if time.monotonic() - resynced > RESYNC:
                resynced = time.monotonic()
                messages.append(resync)
            for pushed in messages:
                for line in await lines_for(pushed):
                    yield line

    async def close(self) -> None:
        """Unsubscribe from all groups."""
        if self._next is not None:
            self._next.cancel()
        for group in self._groups:
            await self._layer.group_discard(group, self._channel)


async def encoded_lines(
    source: AsyncGenerator[Line | str, None], connection: Connection
) -> AsyncIterator[bytes]:
    """Yield objects, or their JSON, as lines until the source or the connection ends.

    The last line of a stream whose token was revoked or has expired says so.
    """
    try:
        while True:
            try:
                line = await connection.unless_ended(anext(source))
            except StopAsyncIteration:
                return
            except EndedError:
                break
            yield _encode(line)
        if connection.ending is Ending.SIGNED_OUT:
            yield _encode(_ended())
    finally:
        connection.leave()
        await source.aclose()


def _encode(line: Line | str) -> bytes:
    text = line if isinstance(line, str) else json.dumps(line, separators=(",", ":"))
    return text.encode() + b"\n"


def _ended() -> Line:
    error = bad_token_error()
    return {"type": "ended", "code": error.code, "message": str(error)}


def stream_response(
    request: HttpRequest, source: AsyncGenerator[Any, None]
) -> StreamingHttpResponse:
    """Return the response of a stream, which ends with its token.

    Raises:
        TooManyConnectionsError: there are too many streams.
    """
    connection = new_stream(request)
    connection.identify(caller(request).credentials)
    response = StreamingHttpResponse(encoded_lines(source, connection), content_type=MEDIA_TYPE)
    response.headers["Cache-Control"] = "no-store"
    # Otherwise proxies and our own compression would buffer lines.
    response.headers["X-Accel-Buffering"] = "no"
    response.headers["Content-Encoding"] = "identity"
    return response


def heartbeat() -> Line:
    """Return the line that shows that the stream is alive."""
    return {"type": "alive"}

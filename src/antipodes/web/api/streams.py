"""Streams of news for programs: one object of JSON a line, for as long as somebody listens.

A stream tells first how everything stands, then what changes. What is told is always found in the
rows: messages between processes only say that it is worth looking, and from time to time a stream
looks without being told. So a message that is lost does no harm, and neither does a broken
connection: whoever connects again is told how everything stands now.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.db import close_old_connections
from django.http import HttpRequest, StreamingHttpResponse

from antipodes.web.api.auth import bad_token, caller
from antipodes.web.connections.middleware import new_stream
from antipodes.web.connections.registry import Connection, EndedError, Ending
from antipodes.web.platform import pubsub

ALIVE = 6.0  # seconds after which a stream that has nothing to tell says that it is there
LOOK = 20.0  # seconds after which it looks without being told
MEDIA = "application/x-ndjson"

Line = dict[str, Any]
Answer = TypeVar("Answer")

# One connection to the database for all streams: each may last for weeks and ask now and then only.
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="streams")


async def look(find: Callable[[], Answer]) -> Answer:
    """Ask the database, in the thread that all streams share."""
    found: Answer = await sync_to_async(
        partial(_found, find), thread_sensitive=False, executor=_thread
    )()
    return found


def _found(find: Callable[[], Answer]) -> Answer:
    close_old_connections()
    return find()


class Ear:
    """Hears what is told to groups of the channel layer, for one stream."""

    def __init__(self) -> None:
        """Listen to nothing yet."""
        layer = get_channel_layer()
        assert layer is not None
        self._layer = layer
        self._name = ""
        self._groups: set[str] = set()
        self._next: asyncio.Task[Line] | None = None

    async def listen_to(self, groups: Iterable[str]) -> None:
        """Listen to these groups, and no longer to others."""
        pubsub.attach_event_loop()
        if not self._name:
            self._name = await self._layer.new_channel()
        wanted = set(groups)
        for group in wanted - self._groups:
            await self._layer.group_add(group, self._name)
        for group in self._groups - wanted:
            await self._layer.group_discard(group, self._name)
        self._groups = wanted

    async def hear(self, seconds: float) -> Line | None:
        """Return the next message, or ``None`` if there is none for so long.

        The waiting goes on from one call to the next: a layer may lose what arrives just when a
        wait is called off.
        """
        if self._next is None:
            self._next = asyncio.ensure_future(self._layer.receive(self._name))
        done, _waiting = await asyncio.wait({self._next}, timeout=seconds)
        if not done:
            return None
        task, self._next = self._next, None
        return task.result()

    async def close(self) -> None:
        """Listen no longer."""
        if self._next is not None:
            self._next.cancel()
        for group in self._groups:
            await self._layer.group_discard(group, self._name)


async def lines_of(
    source: AsyncGenerator[Line | str, None], connection: Connection
) -> AsyncIterator[bytes]:
    """Yield each object as a line, until there are no more or the connection is ended.

    What is JSON already goes out as it is. A stream whose token was revoked says so in its last
    line.
    """
    try:
        while True:
            try:
                one = await connection.unless_ended(anext(source))
            except StopAsyncIteration:
                return
            except EndedError:
                break
            yield _line(one)
        if connection.ending is Ending.SIGNED_OUT:
            yield _line(_ended())
    finally:
        connection.leave()
        await source.aclose()


def _line(one: Line | str) -> bytes:
    text = one if isinstance(one, str) else json.dumps(one, separators=(",", ":"))
    return text.encode() + b"\n"


def _ended() -> Line:
    """Return the last line of a stream whose token is good no longer."""
    error = bad_token()
    return {"type": "ended", "code": error.code, "message": str(error)}


def stream_of(request: HttpRequest, source: AsyncGenerator[Any, None]) -> StreamingHttpResponse:
    """Return the answer that goes on for as long as there are objects and the token is good.

    Raises:
        TooManyConnectionsError: there are too many streams.
    """
    connection = new_stream(request)
    connection.identify(caller(request).credentials)
    answer = StreamingHttpResponse(lines_of(source, connection), content_type=MEDIA)
    answer.headers["Cache-Control"] = "no-store"
    # Proxies, and our own compression, would keep lines back until there are more of them.
    answer.headers["X-Accel-Buffering"] = "no"
    answer.headers["Content-Encoding"] = "identity"
    return answer


def alive() -> Line:
    """Return the line that says nothing but that the stream is there."""
    return {"type": "alive"}

"""Streams of news for programs: one object of JSON a line, for as long as somebody listens.

A stream tells first how everything stands, then what changes. What is told is always found in the
rows: messages between processes only say that it is worth looking, and from time to time a stream
looks without being told. So a message that is lost does no harm, and neither does a broken
connection: whoever connects again is told how everything stands now.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from django.db import close_old_connections
from django.http import StreamingHttpResponse

from antipodes.web import wake

ALIVE = 6.0  # seconds after which a stream that has nothing to tell says that it is there
LOOK = 20.0  # seconds after which it looks without being told
MEDIA = "application/x-ndjson"

Line = dict[str, Any]
Answer = TypeVar("Answer")

_ears: set[Ear] = set()  # of all streams that are open in this process

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


class SiteEndsError(Exception):
    """This process ends, and its streams with it: whoever listens connects again."""


def end_all() -> None:
    """Let all streams of this process end at once; call it in the thread of the event loop."""
    for ear in _ears:
        ear.end()


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
        self._end = asyncio.Event()
        self._ending = asyncio.ensure_future(self._end.wait())
        _ears.add(self)

    def end(self) -> None:
        """Hear nothing any more."""
        self._end.set()

    async def listen_to(self, groups: Iterable[str]) -> None:
        """Listen to these groups, and no longer to others."""
        wake.listen_here()
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

        Raises:
            SiteEndsError: nothing will be heard any more.
        """
        if self._next is None:
            self._next = asyncio.ensure_future(self._layer.receive(self._name))
        done, _waiting = await asyncio.wait(
            {self._next, self._ending}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
        )
        if self._ending in done:
            raise SiteEndsError
        if not done:
            return None
        task, self._next = self._next, None
        return task.result()

    async def close(self) -> None:
        """Listen no longer."""
        _ears.discard(self)
        self._ending.cancel()
        if self._next is not None:
            self._next.cancel()
        for group in self._groups:
            await self._layer.group_discard(group, self._name)


async def lines_of(source: AsyncIterator[Line | str]) -> AsyncIterator[bytes]:
    """Return each object as a line; what is JSON already goes out as it is."""
    with suppress(SiteEndsError):
        async for one in source:
            text = one if isinstance(one, str) else json.dumps(one, separators=(",", ":"))
            yield text.encode() + b"\n"


def stream_of(source: AsyncIterator[Line | str]) -> StreamingHttpResponse:
    """Return the answer that goes on for as long as there are objects."""
    answer = StreamingHttpResponse(lines_of(source), content_type=MEDIA)
    answer.headers["Cache-Control"] = "no-store"
    # Proxies, and our own compression, would keep lines back until there are more of them.
    answer.headers["X-Accel-Buffering"] = "no"
    answer.headers["Content-Encoding"] = "identity"
    return answer


def alive() -> Line:
    """Return the line that says nothing but that the stream is there."""
    return {"type": "alive"}

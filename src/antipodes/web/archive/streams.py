"""Answers that are sent while they are made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import HttpRequest, StreamingHttpResponse


def streamed(
    request: HttpRequest, parts: Iterable[bytes], content_type: str
) -> StreamingHttpResponse:
    """Answer with parts, each sent when it is made; they may ask the database."""
    whole: AsyncIterator[bytes] | Iterable[bytes] = parts
    if isinstance(request, ASGIRequest):
        whole = _from_thread(iter(parts))
    return StreamingHttpResponse(whole, content_type=content_type)


async def _from_thread(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield parts that are made in a thread of their own.

    In the one thread that makes all short answers they would keep everybody waiting.
    """
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1) as thread:
        try:
            while (part := await loop.run_in_executor(thread, next, parts, None)) is not None:
                yield part
        finally:
            await loop.run_in_executor(thread, connections.close_all)

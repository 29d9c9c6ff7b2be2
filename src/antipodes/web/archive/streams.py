"""Streaming responses."""

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
    """Return a response that sends parts as they are produced; they may query the database."""
    content: AsyncIterator[bytes] | Iterable[bytes] = parts
    if isinstance(request, ASGIRequest):
        content = _from_thread(iter(parts))
    return StreamingHttpResponse(content, content_type=content_type)


async def _from_thread(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield parts that are produced in a separate thread.

    In Django's thread for synchronous code they would block all other requests.
    """
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1) as thread:
        try:
            while (part := await loop.run_in_executor(thread, next, parts, None)) is not None:
                yield part
        finally:
            await loop.run_in_executor(thread, connections.close_all)

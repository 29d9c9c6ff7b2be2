"""Streaming responses."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_sequence

_ACCEPTS_GZIP = re.compile(r"\bgzip\b")


def streamed(
    request: HttpRequest, parts: Iterable[bytes], content_type: str
) -> StreamingHttpResponse:
    """Return a response that sends parts as they are produced; they may query the database.

    It is compressed here, as one stream, if the client accepts that: Django's middleware would
    compress each part by itself, and browsers read only the first of several streams.
    """
    is_compressed = _ACCEPTS_GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")) is not None
    if is_compressed:
        parts = compress_sequence(parts)
    content: AsyncIterator[bytes] | Iterable[bytes] = parts
    if isinstance(request, ASGIRequest):
        content = _from_thread(iter(parts))
    response = StreamingHttpResponse(content, content_type=content_type)
    if is_compressed:
        response.headers["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


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

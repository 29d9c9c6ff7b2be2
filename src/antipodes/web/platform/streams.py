"""Streaming responses."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable, Iterator

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_sequence

_ACCEPTS_GZIP = re.compile(r"\bgzip\b")


def streamed(
    request: HttpRequest, parts: Iterable[bytes], content_type: str
) -> StreamingHttpResponse:
    """Return a response that sends parts as they are produced; they may query the database.

    A slow client holds no thread and no database connection between two parts; so a part must not
    leave a query open.

    It is compressed here, as one stream, if the client accepts that: Django's middleware would
    compress each part by itself, and browsers read only the first of several streams.
    """
    is_compressed = _ACCEPTS_GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")) is not None
    if is_compressed:
        parts = compress_sequence(parts)
    content: AsyncIterator[bytes] | Iterable[bytes] = parts
    if isinstance(request, ASGIRequest):
        content = _in_turns(iter(parts))
    response = StreamingHttpResponse(content, content_type=content_type)
    if is_compressed:
        response.headers["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    return response


async def _in_turns(parts: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield parts that are produced in the thread of the request, which it shares with others."""

    def produce() -> bytes | None:
        return next(parts, None)

    in_thread = sync_to_async(produce, thread_sensitive=True)
    while (part := await in_thread()) is not None:
        yield part

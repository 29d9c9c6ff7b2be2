"""A client of the site's static files, without the rest of the site."""

from __future__ import annotations

import asyncio
from functools import cache
from typing import Any
from urllib.parse import unquote

from django.http import HttpResponse

from antipodes.web.platform.static_files import StaticFiles


class FileClient:
    """Gets static files like Django's test client; all other addresses are not found."""

    def __init__(self, files: StaticFiles | None = None) -> None:
        self._files = files or _of_the_site()

    def get(self, address: str, *, headers: dict[str, str] | None = None) -> HttpResponse:
        """Return the answer to a request for a file."""
        return asyncio.run(self._ask("GET", address, headers or {}))

    def head(self, address: str, *, headers: dict[str, str] | None = None) -> HttpResponse:
        """Return the head of the answer to a request for a file."""
        return asyncio.run(self._ask("HEAD", address, headers or {}))

    async def _ask(self, method: str, address: str, headers: dict[str, str]) -> HttpResponse:
        sent: list[dict[str, Any]] = []

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        encoded = [(name.lower().encode(), text.encode()) for name, text in headers.items()]
        scope = {"type": "http", "method": method, "path": unquote(address), "headers": encoded}
        await self._files(scope, None, send)
        head, body = sent
        named = {name.decode(): text.decode() for name, text in head["headers"]}
        return HttpResponse(body["body"], status=head["status"], headers=named)


@cache
def _of_the_site() -> StaticFiles:
    return StaticFiles(not_found)


async def not_found(_scope: Any, _receive: Any, send: Any) -> None:
    """Answer as an ASGI application that has no pages."""
    await send({"type": "http.response.start", "status": 404, "headers": []})
    await send({"type": "http.response.body", "body": b""})

"""A small HTTP/1.1 client for attackers: cheap, and free to be slow, rude and incomplete."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from urllib.parse import urlencode

ATTACKER = "192.0.2.66"  # the address of every attack, as a proxy before the site reports it
_CSRF = "a" * 32  # a form's token and its cookie are sent by the same client, so any will do
_LIMIT = 1024 * 1024  # bytes of a line of an answer


def head(
    method: str, path: str, headers: Mapping[str, str] | None = None, address: str = ATTACKER
) -> bytes:
    """Return the first lines of a request, up to and including the empty line."""
    fields = {"Host": "127.0.0.1", "X-Forwarded-For": address, **(headers or {})}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def form(
    path: str, fields: Mapping[str, str], cookie: str | None = None, address: str = ATTACKER
) -> bytes:
    """Return a request that sends a form, from a session or from a visitor without one."""
    body = urlencode(fields).encode()
    session = f"; sessionid={cookie}" if cookie else ""
    headers = {
        "Cookie": f"csrftoken={_CSRF}{session}",
        "X-CSRFToken": _CSRF,
        "Content-Type": "application/x-www-form-urlencoded",
        "Content-Length": str(len(body)),
    }
    return head("POST", path, headers, address) + body


def api(method: str, path: str, token: str, data: object = None) -> bytes:
    """Return a request of a program."""
    body = b"" if data is None else json.dumps(data).encode()
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
    }
    return head(method, "/api/v1" + path, headers) + body


class Connection:
    """One connection, kept alive from request to request as long as the server keeps it."""

    def __init__(self, port: int) -> None:
        """Connect with the first request."""
        self.port = port
        self._reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect if there is no connection."""
        if self._reader is None or self.writer is None:
            self._reader, self.writer = await asyncio.open_connection(
                "127.0.0.1", self.port, limit=_LIMIT
            )
        return self._reader, self.writer

    async def send(self, request: bytes) -> int:
        """Send a request and read its whole answer; return the status.

        Raises:
            OSError: the server has closed the connection.
        """
        reader, writer = await self.open()
        try:
            writer.write(request)
            await writer.drain()
            status, _ = await self._read(reader)
        except (asyncio.IncompleteReadError, ValueError, OSError) as error:
            self.close()
            raise OSError(str(error)) from error
        return status

    async def stream(self, request: bytes) -> AsyncIterator[bytes]:
        """Send a request; yield the status, then what comes for as long as it comes."""
        reader, writer = await self.open()
        writer.write(request)
        try:
            status, _ = await self.read_head(reader)
            yield str(status).encode()
            while piece := await reader.read(65_536):
                yield piece
        finally:
            self.close()

    @staticmethod
    async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
        """Read the status and the headers of an answer."""
        raw = await reader.readuntil(b"\r\n\r\n")
        first, *lines = raw.decode("latin-1").split("\r\n")
        pairs = (line.split(":", 1) for line in lines if ":" in line)
        return int(first.split()[1]), {name.lower(): value.strip() for name, value in pairs}

    async def _read(self, reader: asyncio.StreamReader) -> tuple[int, int]:
        """Read an answer; return its status and the size of its body."""
        status, headers = await self.read_head(reader)
        size = 0
        if headers.get("transfer-encoding") == "chunked":
            while length := int(await reader.readline(), 16):
                await reader.readexactly(length + 2)
                size += length
            await reader.readline()
        elif status not in {204, 304}:
            size = int(headers.get("content-length", "0"))
            await reader.readexactly(size)
        if headers.get("connection") == "close":
            self.close()
        return status, size

    def close(self) -> None:
        """Hang up."""
        if self.writer is not None:
            self.writer.close()
        self._reader = self.writer = None

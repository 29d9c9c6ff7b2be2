"""A small and fast HTTP/1.1 client for attackers, which may send incomplete requests."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from urllib.parse import urlencode

ATTACKER = "192.0.2.66"  # the address of every attack, as reported by a proxy
_CSRF = "a" * 32  # any value, as long as form and cookie have the same
_LIMIT = 1024 * 1024  # bytes of a line of a response


def head(
    method: str, path: str, headers: Mapping[str, str] | None = None, address: str = ATTACKER
) -> bytes:
    """Return the head of a request, including the empty line."""
    fields = {"Host": "127.0.0.1", "X-Forwarded-For": address, **(headers or {})}
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def form(
    path: str, fields: Mapping[str, str], cookie: str | None = None, address: str = ATTACKER
) -> bytes:
    """Return a request that sends a form, with or without a session."""
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
    """Return a request to the API."""
    body = b"" if data is None else json.dumps(data).encode()
    headers = {
        "Authorization": f"Bearer {token}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
    }
    return head(method, "/api/v1" + path, headers) + body


class Connection:
    """One persistent connection."""

    def __init__(self, port: int) -> None:
        """Create a connection that connects with the first request."""
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
        """Send a request and read the whole response; return the status.

        Raises:
            OSError: the server has closed the connection.
        """
        status, _ = await self.fetch(request)
        return status

    async def fetch(self, request: bytes) -> tuple[int, bytes]:
        """Send a request; return the status and the body of the response.

        Raises:
            OSError: the server has closed the connection.
        """
        reader, writer = await self.open()
        try:
            writer.write(request)
            await writer.drain()
            return await self._read(reader)
        except (asyncio.IncompleteReadError, ValueError, OSError) as error:
            self.close()
            raise OSError(str(error)) from error

    async def stream(self, request: bytes) -> AsyncIterator[bytes]:
        """Send a request; yield the status, then pieces of the body."""
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
        """Read the status and the headers of a response."""
        raw = await reader.readuntil(b"\r\n\r\n")
        first, *lines = raw.decode("latin-1").split("\r\n")
        pairs = (line.split(":", 1) for line in lines if ":" in line)
        return int(first.split()[1]), {name.lower(): value.strip() for name, value in pairs}

    async def _read(self, reader: asyncio.StreamReader) -> tuple[int, bytes]:
        """Read a response; return its status and its body."""
        status, headers = await self.read_head(reader)
        body = b""
        if headers.get("transfer-encoding") == "chunked":
            chunks = []
            while length := int(await reader.readline(), 16):
                chunks.append((await reader.readexactly(length + 2))[:length])
            await reader.readline()
            body = b"".join(chunks)
        elif status not in {204, 304}:
            body = await reader.readexactly(int(headers.get("content-length", "0")))
        if headers.get("connection") == "close":
            self.close()
        return status, body

    def close(self) -> None:
        """Close the connection."""
        if self.writer is not None:
            self.writer.close()
        self._reader = self.writer = None

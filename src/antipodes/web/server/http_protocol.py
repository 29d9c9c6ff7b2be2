"""The HTTP protocol of the web server: uvicorn's, with bounds on connections that do nothing.

uvicorn waits for ever for the first bytes of a request, for the rest of its headers, and for a
client that does not read its answer. Here each of these ends after some seconds, and one address
holds so many connections at most.
"""

from __future__ import annotations

import asyncio
from collections import Counter

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from antipodes.web.connections import refusals
from antipodes.web.platform.client_addresses import address_of_scope, networks, parse
from antipodes.web.platform.limits import count_limit
from antipodes.web.project.admission import HEAD

CONNECTIONS = count_limit(
    "http-connections", 256, per="address and process", what="open HTTP connections"
)
HEAD_SECONDS = count_limit(
    "head-seconds", 15, per="connection", what="seconds until a request's headers have arrived"
)
STALLED_SECONDS = count_limit(
    "stalled-seconds", 30, per="connection", what="seconds in which a client reads nothing"
)

_LOOK = 2.0  # seconds between two looks at a connection


def _closing_answer(status: str, text: str) -> bytes:
    """Return an answer for a connection on which nothing else follows."""
    lines = (
        f"HTTP/1.1 {status}",
        "content-type: text/plain; charset=utf-8",
        f"content-length: {len(text)}",
        "retry-after: 5",
        "connection: close",
    )
    return ("\r\n".join(lines) + "\r\n\r\n" + text).encode("ascii")


_TOO_MANY = _closing_answer(
    "429 Too Many Requests", "Your network has too many open connections; close some.\n"
)
_TOO_MANY_SOCKETS = _closing_answer(
    "429 Too Many Requests", "Your network opens too many WebSockets; try again in a moment.\n"
)
_HEAD_TOO_LONG = _closing_answer(
    "431 Request Header Fields Too Large", "The headers of the request are too long.\n"
)

_open: Counter[str] = Counter()  # HTTP connections of this process, by network


class BoundedHttpProtocol(HttpToolsProtocol):
    """One connection.

    WebSockets begin as HTTP connections; from the handshake on they are bounded elsewhere.
    """

    _networks: tuple[str, ...] = ()
    _looking: asyncio.TimerHandle | None = None
    _head_began: float | None = None  # when the head that is awaited began; None within a request
    _is_between_requests = True
    _head_size = 0  # bytes of that head so far
    _pending = 0  # bytes that the client had not read at the last look
    _read_at = 0.0  # when the client read something, or had nothing to read

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to watch the connection, unless its address has too many."""
        super().connection_made(transport)
        self._head_began = self._read_at = self.loop.time()
        if not self._count():
            transport.write(_TOO_MANY)
            transport.close()
        self._looking = self.loop.call_later(_LOOK, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection no longer."""
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over, unless its address has just opened too many."""
        self._leave()
        if refusals.is_refused(address_of_scope(self.scope)):
            self.transport.write(_TOO_MANY_SOCKETS)
            self.transport.close()
            return
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Read on, as long as the head of a request is not too long."""
        if self._head_began is None and self._is_between_requests:
            self._head_began = self.loop.time()
        if self._head_began is not None:
            self._head_size += len(data)
        super().data_received(data)
        if self._head_began is not None and self._head_size > HEAD.value:
            self.transport.write(_HEAD_TOO_LONG)
            self.transport.close()

    def on_headers_complete(self) -> None:
        """Wait for a head no longer."""
        self._head_began = None
        self._head_size = 0
        self._is_between_requests = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Expect the head of the next request."""
        self._is_between_requests = True
        super().on_message_complete()

    def resume_writing(self) -> None:
        """Note that the client reads."""
        self._read_at = self.loop.time()
        super().resume_writing()

    def _count(self) -> bool:
        """Count the connection for its networks; return whether they may have it.

        Behind other servers all connections come from there, and these count for themselves.
        """
        address = parse(str(self.client[0])) if self.client else None
        if settings.TRUSTED_PROXIES or address is None or address.is_loopback:
            return True
        found = networks(address)
        if any(_open[name] >= CONNECTIONS.value * multiple for name, multiple in found):
            return False
        self._networks = tuple(name for name, _multiple in found)
        _open.update(self._networks)
        return True

    def _leave(self) -> None:
        if self._looking is not None:
            self._looking.cancel()
            self._looking = None
        for name in self._networks:
            _open[name] -= 1
            if not _open[name]:
                del _open[name]
        self._networks = ()

    def _look(self) -> None:
        """End the connection if its client has done nothing for too long."""
        now = self.loop.time()
        pending = self.transport.get_write_buffer_size()
        if pending == 0 or pending < self._pending:
            self._read_at = now
        self._pending = pending
        answers = not getattr(self.cycle, "response_complete", True)  # None before the first one
        is_slow = self._head_began is not None and now - self._head_began > HEAD_SECONDS.value
        if now - self._read_at > STALLED_SECONDS.value or (is_slow and not answers and not pending):
            self.transport.abort()
        else:
            self._looking = self.loop.call_later(_LOOK, self._look)

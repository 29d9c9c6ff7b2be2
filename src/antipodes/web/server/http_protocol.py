"""HTTP protocol of the web server: uvicorn's, with timeouts and a limit on connections.

uvicorn waits for ever for the first bytes of a request, for the rest of its headers, and for a
client that does not read its response. Here each of these times out, and the number of connections
of an address is limited.
"""

from __future__ import annotations

import asyncio
import re
import select
from collections import Counter
from typing import Any

from django.conf import settings
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from antipodes.web.connections import handshakes, refusals
from antipodes.web.connections.registry import Ending
from antipodes.web.platform import metrics
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

_CHECK_EVERY = 2.0  # seconds


def _closing_answer(status: str, text: str, seconds: int = 5) -> bytes:
    """Return a response after which the connection is closed."""
    lines = (
        f"HTTP/1.1 {status}",
        "content-type: text/plain; charset=utf-8",
        f"content-length: {len(text)}",
        f"retry-after: {seconds}",
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

_UPGRADE = re.compile(rb"\r\nupgrade: *websocket *\r\n", re.IGNORECASE)
_LEFT = getattr(select, "POLLRDHUP", 0)  # not on macOS; errors and POLLHUP are always reported


def _unavailable(text: str) -> bytes:
    return _closing_answer("503 Service Unavailable", f"{text}\n", handshakes.retry_after())


def _has_left(transport: asyncio.Transport) -> bool:
    """Return whether the other end of a connection is closed, which the event loop tells too late.

    It passes on what a client has sent before it tells that the client has left.
    """
    waiting = select.poll()
    waiting.register(transport.get_extra_info("socket").fileno(), _LEFT)
    return bool(waiting.poll(0))


_open: Counter[str] = Counter()  # HTTP connections of this process, by network


class BoundedHttpProtocol(HttpToolsProtocol):
    """One connection.

    WebSockets begin as HTTP connections; after the handshake `connections.registry` limits them.
    """

    _networks: tuple[str, ...] = ()
    _check_timer: asyncio.TimerHandle | None = None
    _head_began: float | None = None  # when the expected head began; None within a request
    _is_between_requests: bool  # since the first request
    _head_size = 0  # bytes of that head so far
    _pending = 0  # bytes that the client had not read at the previous check
    _read_at = 0.0  # when the client read something, or had nothing to read

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeouts of the connection, unless its address has too many."""
        super().connection_made(transport)
        self._head_began = self._read_at = self.loop.time()
        if not self._count():
            transport.write(_TOO_MANY)
            transport.close()
        self._check_timer = self.loop.call_later(_CHECK_EVERY, self._check)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._leave()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        """Begin a WebSocket, unless its address has just opened too many."""
        self._leave()
        if refusals.is_refused(address_of_scope(self.scope)):
            metrics.note_refused_handshake()
            self.transport.write(_TOO_MANY_SOCKETS)
            self.transport.close()
            return
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Parse data, unless the head is too long, or begins a WebSocket of no use now."""
        if self._head_began is not None and _UPGRADE.search(data) and self._drop_handshake():
            return
        if self._head_began is None and self._is_between_requests:
            self._head_began = self.loop.time()
        if self._head_began is not None:
            self._head_size += len(data)
        super().data_received(data)
        if self._head_began is not None and self._head_size > HEAD.value:
            self.transport.write(_HEAD_TOO_LONG)
            self.transport.close()

    def _drop_handshake(self) -> bool:
        """Refuse the handshake if the process is busy, and drop it if the client has left."""
        if _has_left(self.transport):
            self.transport.abort()
            return True
        if handshakes.is_full():
            metrics.note_refused_handshake()
            self.transport.write(_unavailable(handshakes.BUSY))
            self.transport.close()
            return True
        return False

    def on_headers_complete(self) -> None:
        """Stop the timeout of the head."""
        self._head_began = None
        self._head_size = 0
        self._is_between_requests = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Expect the head of the next request."""
        self._is_between_requests = True
        super().on_message_complete()

    def resume_writing(self) -> None:
        """Note that the client has read data."""
        self._read_at = self.loop.time()
        super().resume_writing()

    def _count(self) -> bool:
        """Count the connection for its networks; return whether it is allowed.

        Behind a proxy all connections come from there, and the proxy has limits of its own.
        """
        address = parse(str(self.client[0])) if self.client else None
        if settings.TRUSTED_PROXIES or address is None or address.is_loopback:
            return True
        counted_networks = networks(address)
        if any(_open[name] >= CONNECTIONS.value * multiple for name, multiple in counted_networks):
            return False
        self._networks = tuple(name for name, _multiple in counted_networks)
        _open.update(self._networks)
        return True

    def _leave(self) -> None:
        if self._check_timer is not None:
            self._check_timer.cancel()
            self._check_timer = None
        for name in self._networks:
            _open[name] -= 1
            if not _open[name]:
                del _open[name]
        self._networks = ()

    def _check(self) -> None:
        """Abort the connection if its client has timed out; otherwise check again later."""
        now = self.loop.time()
        pending = self.transport.get_write_buffer_size()
        if pending == 0 or pending < self._pending:
            self._read_at = now
        self._pending = pending
        responds = not getattr(self.cycle, "response_complete", True)  # no cycle before the first
        is_slow = self._head_began is not None and now - self._head_began > HEAD_SECONDS.value
        if now - self._read_at > STALLED_SECONDS.value or (
            is_slow and not responds and not pending
        ):
            self.transport.abort()
        else:
            self._check_timer = self.loop.call_later(_CHECK_EVERY, self._check)


class SocketProtocol(WebSocketsSansIOProtocol):
    """One WebSocket; when the server stops, a handshake in progress is refused with 503."""

    async def send(self, message: Any) -> None:
        """Send a message; a handshake that is refused with a status is complete, too.

        uvicorn would log an error for each of them.
        """
        await super().send(message)
        if message["type"] == "websocket.http.response.body" and not message.get("more_body"):
            self.handshake_complete = True

    def shutdown(self) -> None:
        """Refuse the handshake, or close the WebSocket with code 1012."""
        if self.handshake_complete or self.initial_response is not None:
            super().shutdown()
            return
        self.handshake_complete = True  # whatever the application sends now is lost
        self.queue.put_nowait({"type": "websocket.disconnect", "code": Ending.RESTART.value})
        self.transport.write(_unavailable(handshakes.STOPS))
        self.transport.close()

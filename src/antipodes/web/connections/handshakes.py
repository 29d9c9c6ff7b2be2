"""WebSocket handshakes: a bound for the whole process, and how each WebSocket ends.

When a process stops, all its clients come back at once. Each handshake costs several queries, so
they would delay all moves, and clients that give up and try again would make more of them than any
process can answer. Therefore only some are in progress at a time, all others are refused with 503
at the price of a few system calls, and a client that has left costs nothing more.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from contextlib import suppress
from typing import Any

from antipodes.web.connections.registry import Ending
from antipodes.web.platform import metrics
from antipodes.web.platform.limits import count_limit
from antipodes.web.platform.outages import outage_of

logger = logging.getLogger(__name__)

HANDSHAKES = count_limit(
    "handshakes", 256, per="process", what="WebSocket handshakes in progress; others get 503"
)
AT_ONCE = 4  # of them do their queries; moves wait for as many

_RETRY_AFTER = (2, 8)  # seconds; clients that were refused together return one after another


class BusyHandshakesError(Exception):
    """Too many handshakes of this process are in progress."""


class _HandshakeProgress:
    """The handshakes of this process that are in progress; each process has one event loop."""

    def __init__(self) -> None:
        self.count = 0
        self.slots = asyncio.Semaphore(AT_ONCE)

    def enter(self) -> None:
        """Count a handshake.

        Raises:
            BusyHandshakesError: there are too many.
        """
        if is_full():
            raise BusyHandshakesError
        if not self.count:
            self.slots = asyncio.Semaphore(AT_ONCE)  # of the event loop that runs now
        self.count += 1


_progress = _HandshakeProgress()


def is_full() -> bool:
    """Return whether to refuse further handshakes."""
    return _progress.count >= HANDSHAKES.value


class Handshake:
    """One handshake in progress, from `begin` until `leave`."""

    def __init__(self) -> None:
        """Create a handshake that is not counted yet."""
        self._is_counted = False
        self._has_slot = False
        self._begun = 0.0

    async def begin(self) -> None:
        """Count it, and wait until it may do its queries.

        Raises:
            BusyHandshakesError: too many are in progress.
        """
        _progress.enter()
        self._is_counted, self._begun = True, time.monotonic()
        metrics.note_handshake_begun()
        await _progress.slots.acquire()
        self._has_slot = True

    def leave(self) -> None:
        """Let the next one begin; idempotent."""
        if self._has_slot:
            self._has_slot = False
            _progress.slots.release()
        if self._is_counted:
            self._is_counted = False
            _progress.count -= 1
            metrics.note_handshake_ended(time.monotonic() - self._begun)


def retry_after() -> int:
    """Return the seconds after which a client that was refused may try again."""
    return random.randint(*_RETRY_AFTER)


async def refuse(scope: Any, send: Any, status: int, seconds: int, text: str, code: int) -> None:
    """Answer a handshake with an HTTP status, where the server supports that.

    Args:
        scope: of the WebSocket.
        send: sends messages to the client.
        status: the HTTP status.
        seconds: for the header ``Retry-After``.
        text: tells the reason.
        code: close code for servers without HTTP responses to handshakes.
    """
    metrics.note_refused_handshake()
    with suppress(OSError):  # the client may have left
        if "websocket.http.response" not in scope.get("extensions", {}):
            await send({"type": "websocket.close", "code": code})
            return
        headers = [
            (b"content-type", b"text/plain; charset=utf-8"),
            (b"retry-after", str(seconds).encode()),
        ]
        start = {"type": "websocket.http.response.start", "status": status, "headers": headers}
        await send(start)
        await send({"type": "websocket.http.response.body", "body": f"{text}\n".encode()})


_TRY_AGAIN = 1013  # close code

# What a client is told with 503; `server.http_protocol` refuses some before they get here.
STOPS = "The server restarts; try again in a moment."
BUSY = "The site is busy; try again in a moment."
_AWAY = "The site has lost its database for a moment; try again in a few seconds."


class GuardedSockets:
    """ASGI middleware that ends each WebSocket with an answer that its client understands.

    Before it is accepted that is status 503, and afterwards a close code: 1012 when the server
    stops, 1013 when a command fails in an outage. Pages reconnect, and then send again what was not
    acknowledged. If the client leaves before its handshake is answered, its work is cancelled.
    """

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        socket = _GuardedSocket(receive, send)
        try:
            await socket.begin()
            await self._application(scope, socket.receive, socket.send)
        except asyncio.CancelledError:
            if not socket.has_left:  # the server stops, and has waited long enough
                await socket.end(scope, STOPS, Ending.RESTART.value)
        except BusyHandshakesError:
            await socket.end(scope, BUSY, _TRY_AGAIN)
        except Exception as error:
            if outage_of(error) is None:
                raise
            logger.warning("socket closed: outage error=%s", error)
            await socket.end(scope, _AWAY, _TRY_AGAIN)
        finally:
            socket.stop()


class _GuardedSocket:
    """One WebSocket, of which the first message after ``connect`` is awaited at once.

    Attributes:
        has_left: whether the client has left before its handshake was answered.
    """

    def __init__(self, receive: Any, send: Any) -> None:
        self.has_left = False
        self._receive = receive
        self._send = send
        self._first: Any = None  # the message ``connect``, until it is passed on
        self._next: asyncio.Future[Any] | None = None  # the message after it, likewise
        self._task = asyncio.current_task()
        self._is_answered = False

    async def begin(self) -> None:
        """Receive the handshake, and watch whether the client leaves."""
        self._first = await self._receive()
        # Awaited at once, so that a client that leaves ends the queries of its handshake.
        self._next = asyncio.ensure_future(self._receive())
        self._next.add_done_callback(self._on_next)

    def _on_next(self, received: asyncio.Future[Any]) -> None:
        if self._is_answered or received.cancelled() or received.exception() is not None:
            return
        if received.result()["type"] == "websocket.disconnect" and self._task is not None:
            self.has_left = True
            self._task.cancel()

    async def receive(self) -> Any:
        """Return the next message of the client."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        if self._next is not None:
            following, self._next = self._next, None
            return await following
        return await self._receive()

    async def send(self, message: Any) -> None:
        self._is_answered = True
        await self._send(message)

    async def end(self, scope: Any, text: str, code: int) -> None:
        """Refuse the handshake with 503, or close the WebSocket."""
        was_answered, self._is_answered = self._is_answered, True
        with suppress(Exception):  # the client may have left
            if was_answered:
                await self._send({"type": "websocket.close", "code": code})
            else:
                await refuse(scope, self._send, 503, retry_after(), text, code)

    def stop(self) -> None:
        """Stop to wait for a message."""
        if self._next is not None:
            self._next.cancel()
        # The cancellation came from here and ends here: the server has not cancelled the task.
        if self.has_left and self._task is not None:
            self._task.uncancel()

"""ASGI middleware that limits the size of requests, and how many of an address are in progress.

A request that is too large or too slow is refused before it reaches the application. A body is
received completely first, so that a slow client occupies no thread. Then the request waits for one
of the few slots of its address, so that no client can delay the others, however many connections
it opens and however expensive the pages are that it requests. WebSocket handshakes have slots of
their own.
"""

from __future__ import annotations

import asyncio
from base64 import b64encode
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from antipodes.errors import Fault
from antipodes.web.accounts.languages import language_of_scope
from antipodes.web.connections.handshakes import Handshake
from antipodes.web.connections.origins import has_valid_port
from antipodes.web.platform.client_addresses import address_of_scope, networks
from antipodes.web.platform.limits import TooManyError, count_limit
from antipodes.web.platform.request_threads import Application

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

HEAD = count_limit(
    "request-head", 32 * 1024, per="request", what="bytes of a request's address and headers"
)
BODY = count_limit("request-body", 256 * 1024, per="request", what="bytes of a request's body")
WEBHOOK_BODY = count_limit(
    "webhook-body", 5 * 1024 * 1024, per="request", what="bytes of a mail that a provider posts"
)
BODY_SECONDS = count_limit(
    "body-seconds", 30, per="request", what="seconds until a request's body has arrived"
)
IN_PROGRESS = count_limit(
    "requests-in-progress",
    2,
    per="address and process",
    what="requests handled at once; as many WebSocket handshakes",
)
WAITING = count_limit(
    "requests-waiting", 100, per="address and process", what="requests that arrive or wait"
)

WEBHOOKS = "/mail/webhooks/"
_RETRY_AFTER = 2  # seconds
_DISCARDED = 2 * 1024 * 1024  # bytes that are read and discarded before a body is refused
_DISCARD_SECONDS = 5
_MAX_DIGITS = 15  # of a Content-Length


class RefusedError(Exception):
    """A request that does not reach the application."""

    def __init__(self, status: int, code: str, limit: int = 0) -> None:
        super().__init__(code)
        self.status = status
        self.code = code
        self.limit = limit


class DisconnectedError(Exception):
    """The client disconnected before its request was complete."""


class Admission:
    """Refuses requests that are too large, too slow or too many, and passes on all others."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._networks: dict[str, _Network] = {}

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        entry = _Entry(self._networks, scope)
        response = _Response(send, entry.leave)
        try:
            entry.arrive()
            body = await _receive_body(scope, receive)
            await entry.wait()
            await self._application(scope, _replay(body, receive), response.send)
        except asyncio.CancelledError:
            # The server stops, and has waited long enough for this request.
            if not response.has_begun:
                await _refuse(scope, send, RefusedError(503, "request/server-stops"))
        except RefusedError as refused:
            if refused.status == 413:
                await _discard(receive, max(_DISCARDED, refused.limit))
            await _refuse(scope, send, refused)
        except DisconnectedError:
            return
        finally:
            entry.leave()


class HandshakeAdmission:
    """Limits the WebSocket handshakes of an address in progress; further ones wait.

    Only those that need not wait for their address count among those of the process, so that one
    address cannot occupy all of them.
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        self._networks: dict[str, _Network] = {}

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Serve a WebSocket; its slot is free again after the handshake.

        Raises:
            TooManyError: too many WebSockets of a network wait already.
            BusyHandshakesError: too many of the process are in progress.
        """
        entry, handshake = _Entry(self._networks, scope), Handshake()

        async def send_and_leave(message: Message) -> None:
            await send(message)
            handshake.leave()
            entry.leave()

        try:
            entry.arrive()
            await entry.wait()
            await handshake.begin()
            await self._application(scope, receive, send_and_leave)
        except RefusedError:
            raise TooManyError(_RETRY_AFTER) from None
        finally:
            handshake.leave()
            entry.leave()


class _Network:
    """Requests of the clients of one network."""

    def __init__(self, multiple: int) -> None:
        self.requests = 0
        self.slots = asyncio.Semaphore(IN_PROGRESS.value * multiple)
        self.max_requests = (IN_PROGRESS.value + WAITING.value) * multiple


class _Entry:
    """One request, counted for its networks; clients on this machine are not limited."""

    def __init__(self, known: dict[str, _Network], scope: Any) -> None:
        address = address_of_scope(scope)
        self._known = known
        self._names = networks(address) if address and not address.is_loopback else []
        self._counted: list[str] = []
        self._admitted: list[_Network] = []

    def arrive(self) -> None:
        """Count the request.

        Raises:
            RefusedError: too many requests of a network arrive or wait already.
        """
        for name, multiple in self._names:
            network = self._known.setdefault(name, _Network(multiple))
            if network.requests >= network.max_requests:
                raise RefusedError(429, "limits/too-many-at-once")
            network.requests += 1
            self._counted.append(name)

    async def wait(self) -> None:
        """Wait for a slot; requests of a network get slots in the order of arrival."""
        for name in self._counted:
            network = self._known[name]
            await network.slots.acquire()
            self._admitted.append(network)

    def leave(self) -> None:
        """Stop counting the request, and admit the next one of its network; idempotent."""
        while self._admitted:
            self._admitted.pop().slots.release()
        while self._counted:
            name = self._counted.pop()
            self._known[name].requests -= 1
            if not self._known[name].requests:
                del self._known[name]


def _header(scope: Any, name: bytes) -> str:
    values = [value for key, value in scope["headers"] if key == name]
    return str(values[-1].decode("latin-1")) if values else ""


def _check_head(scope: Any) -> None:
    """Check the lengths of the address and the headers, and the declared length of the body.

    Raises:
        RefusedError: one is too long or invalid.
    """
    address = len(scope.get("raw_path") or b"") + len(scope.get("query_string") or b"")
    if address > HEAD.value:
        raise RefusedError(414, "request/address-too-long", HEAD.value)
    headers = sum(len(name) + len(value) for name, value in scope["headers"])
    if address + headers > HEAD.value:
        raise RefusedError(431, "request/headers-too-long", HEAD.value)
    length = _header(scope, b"content-length")
    if length and not (length.isascii() and length.isdigit()):
        raise RefusedError(400, "request/length")
    if not has_valid_port(_header(scope, b"host")):
        raise RefusedError(400, "request/host")
    limit = _max_body(scope)
    if length and (len(length) > _MAX_DIGITS or int(length) > limit):
        raise RefusedError(413, "request/body-too-large", limit)


def _max_body(scope: Any) -> int:
    """Return how large a body may be; larger for mail from a provider that knows the secret."""
    if scope["path"].startswith(WEBHOOKS) and settings.MAIL_WEBHOOK_SECRET:
        secret = b64encode(settings.MAIL_WEBHOOK_SECRET.encode()).decode("ascii")
        if constant_time_compare(_header(scope, b"authorization"), f"Basic {secret}"):
            return WEBHOOK_BODY.value
    return BODY.value


async def _receive_body(scope: Any, receive: Receive) -> bytes:
    """Return the body of a request when all of it has arrived.

    Raises:
        RefusedError: it is too large or does not arrive in time.
        DisconnectedError: the client disconnected.
    """
    _check_head(scope)
    parts: list[bytes] = []
    size, limit = 0, _max_body(scope)
    try:
        async with asyncio.timeout(BODY_SECONDS.value):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise DisconnectedError
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > limit:
                    raise RefusedError(413, "request/body-too-large", limit)
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        raise RefusedError(408, "request/body-too-slow", BODY_SECONDS.value) from None


async def _discard(receive: Receive, left: int) -> None:
    """Read on for a moment, since a client that is still sending may miss the response.

    A proxy in front of the site would then respond with 502.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(_DISCARD_SECONDS):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


def _replay(body: bytes, receive: Receive) -> Receive:
    """Return a callable that receives the whole body first, then further messages."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


class _Response:
    """Sends the messages of a response, and calls ``leave`` if it is a stream.

    An event stream, which has the header ``X-Accel-Buffering``, may last for hours and costs
    little.

    Attributes:
        has_begun: whether anything has been sent.
    """

    def __init__(self, send: Send, leave: Callable[[], None]) -> None:
        self.has_begun = False
        self._send = send
        self._leave = leave

    async def send(self, message: Message) -> None:
        self.has_begun = True
        if (b"x-accel-buffering", b"no") in (
            (name.lower(), value) for name, value in message.get("headers", ())
        ):
            self._leave()
        await self._send(message)


async def _refuse(scope: Any, send: Send, refused: RefusedError) -> None:
    """Respond to a refused request; the connection is closed, since its body was not read."""
    is_api = scope["path"].startswith("/api/")
    language = language_of_scope(scope)
    body = _response_body(refused.status, refused.code, refused.limit, language, is_api=is_api)
    kind = b"application/json" if is_api else b"text/html; charset=utf-8"
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        (b"cache-control", b"no-store"),
        (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'"),
        (b"x-content-type-options", b"nosniff"),
    ]
    if refused.status in (429, 503):
        headers.append((b"retry-after", str(_RETRY_AFTER).encode()))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@lru_cache(maxsize=64)
def _response_body(status: int, code: str, limit: int, language: str, *, is_api: bool) -> bytes:
    """Return the response to a refused request, as JSON or as a page; cached."""
    # Imported late: the API needs the loaded apps.
    from antipodes.web.api.problems import problem

    with translation.override(language):
        reason = _reason(code, limit)
        if is_api:
            return problem([Fault(code, reason)], status).content
        return render_to_string("refused.html", {"reason": reason}).encode()


def _reason(code: str, limit: int) -> str:
    reasons = {
        "request/address-too-long": _("The address is too long; at most %(most)s bytes are read."),
        "request/headers-too-long": _(
            "The headers of the request are too long; at most %(most)s bytes are read. Delete the"
            " cookies of this site, then try again."
        ),
        "request/length": _("The Content-Length of the request is not a number."),
        "request/host": _("The port in the header Host is not a number up to 65535."),
        "request/body-too-large": _(
            "The body of the request is too large; at most %(most)s bytes are read."
        ),
        "request/body-too-slow": _(
            "The body of the request did not arrive within %(most)s seconds; try again."
        ),
        "request/server-stops": _("The server restarts; try again in a moment."),
        "limits/too-many-at-once": _(
            "Too many requests from your network are in progress; try again in a moment."
        ),
    }
    return reasons[code] % {"most": limit}

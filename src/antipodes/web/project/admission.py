"""ASGI middleware: bounds what a request may send, and how many requests a client has in progress.

A request that is too large or too slow is refused before the application hears of it. A body is
received whole first, so that a slow client occupies no thread. Then the request waits for one of
the few places that its address has, so that no client can keep the others waiting, however many
connections it opens and however expensive the pages are that it asks for. WebSockets wait for
places of their own until their handshake is answered.
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
from antipodes.web.platform.client_addresses import address_of_scope, networks
from antipodes.web.platform.limits import TooManyError, count_limit

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[None]]

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
    what="requests that are answered at once; as many WebSockets that are opened at once",
)
WAITING = count_limit(
    "requests-waiting", 100, per="address and process", what="requests that arrive or wait"
)

WEBHOOKS = "/mail/webhooks/"
_RETRY_AFTER = 2  # seconds
_DISCARDED = 2 * 1024 * 1024  # bytes that are read and dropped before a body is refused
_DISCARDING = 5  # seconds that this may take
_MOST_DIGITS = 15  # of a length that is read as a number


class RefusedError(Exception):
    """A request that is answered without asking the application."""

    def __init__(self, status: int, code: str, most: int = 0) -> None:
        """Keep the HTTP status, the code of the error, and how much is allowed."""
        super().__init__(code)
        self.status = status
        self.code = code
        self.most = most


class DisconnectedError(Exception):
    """The client has gone before its request was complete."""


class Admission:
    """Refuses requests that are too large, too slow or too many, and passes on all others."""

    def __init__(self, application: Application) -> None:
        """Wrap the application that answers."""
        self._application = application
        self._networks: dict[str, _Network] = {}

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer a request."""
        entry = _Entry(self._networks, scope)
        try:
            entry.arrive()
            body = await _received(scope, receive)
            await entry.wait()
            await self._application(
                scope, _replayed(body, receive), _noting_streams(send, entry.leave)
            )
        except RefusedError as refused:
            if refused.status == 413:
                await _discard(receive, max(_DISCARDED, refused.most))
            await _refuse(scope, send, refused)
        except DisconnectedError:
            return
        finally:
            entry.leave()


class FewHandshakes:
    """Opens few WebSockets of one address at once; more of them wait, so moves of others do not."""

    def __init__(self, application: Application) -> None:
        """Wrap the application that serves WebSockets."""
        self._application = application
        self._networks: dict[str, _Network] = {}

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Serve a WebSocket; its place is free again when its handshake is answered.

        Raises:
            TooManyError: too many WebSockets of a network wait already.
        """
        entry = _Entry(self._networks, scope)

        async def send_and_leave(message: Message) -> None:
            await send(message)
            entry.leave()

        try:
            entry.arrive()
            await entry.wait()
            await self._application(scope, receive, send_and_leave)
        except RefusedError:
            raise TooManyError(_RETRY_AFTER) from None
        finally:
            entry.leave()


class _Network:
    """What the clients of one network occupy."""

    def __init__(self, multiple: int) -> None:
        self.requests = 0
        self.free = asyncio.Semaphore(IN_PROGRESS.value * multiple)
        self.most = (IN_PROGRESS.value + WAITING.value) * multiple


class _Entry:
    """One request among those of its networks; clients on this machine have no bounds."""

    def __init__(self, known: dict[str, _Network], scope: Any) -> None:
        address = address_of_scope(scope)
        bounded = address is not None and not address.is_loopback
        self._known = known
        self._names = networks(address) if address is not None and bounded else []
        self._counted: list[str] = []
        self._taken: list[_Network] = []

    def arrive(self) -> None:
        """Count the request.

        Raises:
            RefusedError: too many requests of a network arrive or wait already.
        """
        for name, multiple in self._names:
            network = self._known.setdefault(name, _Network(multiple))
            if network.requests >= network.most:
                raise RefusedError(429, "limits/too-many-at-once")
            network.requests += 1
            self._counted.append(name)

    async def wait(self) -> None:
        """Wait for a place; requests of one network get theirs in the order of arrival."""
        for name in self._counted:
            network = self._known[name]
            await network.free.acquire()
            self._taken.append(network)

    def leave(self) -> None:
        """Count the request no longer, and let the next one of its network go on."""
        while self._taken:
            self._taken.pop().free.release()
        while self._counted:
            name = self._counted.pop()
            self._known[name].requests -= 1
            if not self._known[name].requests:
                del self._known[name]


def _header(scope: Any, name: bytes) -> str:
    values = [value for key, value in scope["headers"] if key == name]
    return str(values[-1].decode("latin-1")) if values else ""


def _check_head(scope: Any) -> None:
    """Refuse an address or headers that are too long, and a body that says that it is.

    Raises:
        RefusedError: with the status that fits.
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
    most = _most_bytes(scope)
    if length and (len(length) > _MOST_DIGITS or int(length) > most):
        raise RefusedError(413, "request/body-too-large", most)


def _most_bytes(scope: Any) -> int:
    """Return how large a body may be: larger for mail, from a provider that knows the secret."""
    if scope["path"].startswith(WEBHOOKS) and settings.MAIL_WEBHOOK_SECRET:
        secret = b64encode(settings.MAIL_WEBHOOK_SECRET.encode()).decode("ascii")
        if constant_time_compare(_header(scope, b"authorization"), f"Basic {secret}"):
            return WEBHOOK_BODY.value
    return BODY.value


async def _received(scope: Any, receive: Receive) -> bytes:
    """Return the body of a request, once all of it has arrived.

    Raises:
        RefusedError: it is too large or does not arrive in time.
        DisconnectedError: the client has gone.
    """
    _check_head(scope)
    parts: list[bytes] = []
    size, most = 0, _most_bytes(scope)
    try:
        async with asyncio.timeout(BODY_SECONDS.value):
            while True:
                message = await receive()
                if message["type"] == "http.disconnect":
                    raise DisconnectedError
                parts.append(message.get("body", b""))
                size += len(parts[-1])
                if size > most:
                    raise RefusedError(413, "request/body-too-large", most)
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        raise RefusedError(408, "request/body-too-slow", BODY_SECONDS.value) from None


async def _discard(receive: Receive, left: int) -> None:
    """Read on for a moment: a client that is still sending may miss an answer otherwise.

    A proxy before the site would answer 502 then.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(_DISCARDING):
            while left > 0:
                message = await receive()
                left -= len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return what gives the application the whole body at once, then what comes after it."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return waiting.pop() if waiting else await receive()

    return replay


def _noting_streams(send: Send, leave: Callable[[], None]) -> Send:
    """Return what sends an answer, and leaves early if it is a stream of news.

    Such a stream, which proxies are told not to buffer, may last for hours and costs little.
    """

    async def send_on(message: Message) -> None:
        if (b"x-accel-buffering", b"no") in (
            (name.lower(), value) for name, value in message.get("headers", ())
        ):
            leave()
        await send(message)

    return send_on


async def _refuse(scope: Any, send: Send, refused: RefusedError) -> None:
    """Answer a request that is refused; the connection is closed, for its body was not read."""
    is_api = scope["path"].startswith("/api/")
    language = language_of_scope(scope)
    body = _answer_body(refused.status, refused.code, refused.most, language, is_api=is_api)
    kind = b"application/json" if is_api else b"text/html; charset=utf-8"
    headers = [
        (b"content-type", kind),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
        (b"cache-control", b"no-store"),
        (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'"),
        (b"x-content-type-options", b"nosniff"),
    ]
    if refused.status == 429:
        headers.append((b"retry-after", str(_RETRY_AFTER).encode()))
    await send({"type": "http.response.start", "status": refused.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@lru_cache(maxsize=64)
def _answer_body(status: int, code: str, most: int, language: str, *, is_api: bool) -> bytes:
    """Return the answer to what is refused, as JSON or as a page; each is made once."""
    # Imported here: the API is loaded after the settings of the application.
    from antipodes.web.api.problems import problem

    with translation.override(language):
        reason = _reason(code, most)
        if is_api:
            return problem([Fault(code, reason)], status).content
        return render_to_string("refused.html", {"reason": reason}).encode()


def _reason(code: str, most: int) -> str:
    reasons = {
        "request/address-too-long": _("The address is too long; at most %(most)s bytes are read."),
        "request/headers-too-long": _(
            "The headers of the request are too long; at most %(most)s bytes are read. Delete the"
            " cookies of this site, then try again."
        ),
        "request/length": _("The Content-Length of the request is not a number."),
        "request/body-too-large": _(
            "The body of the request is too large; at most %(most)s bytes are read."
        ),
        "request/body-too-slow": _(
            "The body of the request did not arrive within %(most)s seconds; try again."
        ),
        "limits/too-many-at-once": _(
            "Too many requests from your network are in progress; try again in a moment."
        ),
    }
    return reasons[code] % {"most": most}

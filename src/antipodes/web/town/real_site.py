"""A site elsewhere, as people of the town reach it: HTTP, WebSockets and mail, in real time."""

from __future__ import annotations

import asyncio
import secrets
import smtplib
import socket
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import httpx
from aiosmtpd.controller import Controller

_SETTLE = 0.2  # seconds in which a site mostly answers
_TIMEOUT = 30.0  # seconds until an answer is given up


@dataclass(frozen=True, slots=True)
class MailRoute:
    """How mail goes between a site and the people.

    Attributes:
        address: where the site receives mail, such as ``lmtp://127.0.0.1:8024``.
        host: the domain of the site's mail addresses.
        port: on this machine, where people receive what the site sends.
    """

    address: str
    host: str
    port: int


class RealTime:
    """The time of this machine."""

    def time(self) -> float:
        """Return seconds."""
        return time.monotonic()

    async def settle(self) -> None:
        """Wait as long as a site mostly takes."""
        await asyncio.sleep(_SETTLE)


class _Channel:
    """A WebSocket to the site; notes how long its answers take."""

    def __init__(self, site: RealSite, path: str, headers: Mapping[str, str], address: str) -> None:
        self._site, self._address = site, address
        self._target = site.origin.replace("http", "ws", 1) + path
        self._headers = {**headers, **_forwarded(address)}
        self._messages: list[Mapping[str, Any]] = []
        self._sent_at: float | None = None
        self._wire: aiohttp.ClientWebSocketResponse | None = None
        self._reader: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Connect; a refusal is a message."""
        try:
            self._sent_at = time.perf_counter()
            self._wire = await self._site.sockets.ws_connect(
                self._target, headers=self._headers, max_msg_size=0
            )
        except (aiohttp.ClientError, OSError):
            self._messages.append({"type": "websocket.close"})
            return
        self._messages.append({"type": "websocket.accept"})
        self._reader = asyncio.create_task(self._read(self._wire))

    async def _read(self, wire: aiohttp.ClientWebSocketResponse) -> None:
        async for message in wire:
            if self._sent_at is not None:
                milliseconds = (time.perf_counter() - self._sent_at) * 1_000
                self._site.waits[self._address].append(milliseconds)
                self._sent_at = None
            self._messages.append({"type": "websocket.send", "text": message.data})
        self._messages.append({"type": "websocket.close"})

    async def send(self, text: str) -> None:
        """Send a text, unless the connection was lost."""
        if self._wire is not None:
            self._sent_at = time.perf_counter()
            with suppress(aiohttp.ClientError, ConnectionError):
                await self._wire.send_str(text)

    async def close(self) -> None:
        """Close the connection."""
        if self._wire is not None:
            await self._wire.close()

    def lose(self) -> None:
        """End the connection below the protocol."""
        if self._wire is not None and (connection := self._wire.get_extra_info("socket")):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def received(self) -> Iterator[Mapping[str, Any]]:
        """Yield what has come."""
        messages, self._messages = self._messages, []
        yield from messages


class _Mailbox:
    """Receives the mail of all people."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, EmailMessage]] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        """Keep a mail, as mail servers put it into a mailbox."""
        for address in envelope.rcpt_tos:
            mail = message_from_bytes(envelope.content, policy=policy.default)
            assert isinstance(mail, EmailMessage)
            mail["Return-Path"] = f"<{envelope.mail_from or ''}>"
            self.mails.append((address, mail))
        return "250 kept"


class RealSite:
    """A site at an address.

    Attributes:
        origin: its address.
        loop: its time.
        password: of all people; new for each run.
        posted: mails that people have sent.
        waits: milliseconds until the answers to messages of sockets, by address of the client.
        sockets: opens WebSockets.
    """

    def __init__(self, origin: str, mail: MailRoute | None) -> None:
        """Prepare to reach a site; :meth:`start` comes next, in the loop of asyncio."""
        self.origin = origin.rstrip("/")
        self.loop = RealTime()
        self.password = secrets.token_urlsafe(12)
        self.posted = 0
        self.waits: dict[str, list[float]] = defaultdict(list)
        self._mail = mail
        self._mailbox = _Mailbox()
        self._controller: Controller | None = None

    async def start(self) -> None:
        """Open what carries requests, and the mailbox."""
        self.sockets = aiohttp.ClientSession(
            cookie_jar=aiohttp.DummyCookieJar(), timeout=aiohttp.ClientTimeout(_TIMEOUT)
        )
        self._transport = httpx.AsyncHTTPTransport()
        if self._mail is not None:
            self._controller = Controller(self._mailbox, hostname="127.0.0.1", port=self._mail.port)
            self._controller.start()

    async def stop(self) -> None:
        """Close everything."""
        await self.sockets.close()
        await self._transport.aclose()
        if self._controller is not None:
            self._controller.stop()

    @property
    def mail_host(self) -> str:
        """The domain of its mail addresses."""
        return self._mail.host if self._mail is not None else str(urlsplit(self.origin).hostname)

    def now(self) -> int:
        """Return this machine's time, which may differ a little from the site's."""
        return int(time.time() * 1_000)

    def stopwatch(self) -> float:
        """Return seconds of real time."""
        return time.perf_counter()

    def transport(self, address: str) -> httpx.AsyncBaseTransport:
        """Return what carries the requests of a person."""
        return _Transport(self._transport, address)

    def channel(self, path: str, headers: Mapping[str, str], address: str) -> _Channel:
        """Return a WebSocket that is not open yet."""
        return _Channel(self, path, headers, address)

    async def appoint(self, _name: str) -> bool:
        """Appoint no person: only the operator of a site does."""
        return False

    async def post(self, raw: bytes, sender: str, to: Iterable[str]) -> None:
        """Hand a mail to the site's mail server."""
        assert self._mail is not None
        parts = urlsplit(self._mail.address)
        protocol = smtplib.LMTP if parts.scheme == "lmtp" else smtplib.SMTP
        recipients = list(to)
        self.posted += 1

        def send() -> None:
            host, port = parts.hostname or "127.0.0.1", parts.port or 25
            refusals = smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused
            with suppress(*refusals), protocol(host, port) as server:
                server.sendmail(sender, recipients, raw)

        await asyncio.to_thread(send)

    def letters(self) -> list[tuple[str, EmailMessage]]:
        """Return the mails that have come since the last call, with their recipients."""
        mails, self._mailbox.mails = self._mailbox.mails, []
        return mails


class _Transport(httpx.AsyncBaseTransport):
    """Carries the requests of one person over the connections of all."""

    def __init__(self, shared: httpx.AsyncHTTPTransport, address: str) -> None:
        self._shared = shared
        self._headers = _forwarded(address)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.headers.update(self._headers)
        request.extensions.setdefault("timeout", {}).update(
            connect=_TIMEOUT, read=_TIMEOUT, write=_TIMEOUT, pool=_TIMEOUT
        )
        return await self._shared.handle_async_request(request)


def _forwarded(address: str) -> dict[str, str]:
    """Return what a proxy says of a client; a site with ``TRUSTED_PROXIES=1`` believes it."""
    return {"X-Forwarded-For": address}

"""LMTP and SMTP transport: a mail server delivers mail to the site.

Recipients are checked one by one before the mail is transferred; nothing is relayed. A mail that
cannot be stored is answered with 451, so that the server keeps it and tries again.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.web.email_play.inbound.intake import (
    MAX_BYTES,
    MAX_RECIPIENTS,
    NO_SUCH_ADDRESS,
    POSTMASTER,
    TryAgainError,
    accept,
    is_own,
    is_postmaster,
)
from antipodes.web.email_play.inbound.transport import Transport
from antipodes.web.platform.mail_settings import ListenAddress
from antipodes.web.platform.throttling import share_of_time

# Mails are stored one by one and in a part of the time, so that a flood of mail does not delay
# moves; mail servers can wait. That is still about thirty mails a second.
_SHARE = 0.25
_MAX_CONNECTIONS = 100
_TIMEOUT = 120  # seconds without a command after which a connection is closed
_NULL_SENDER = "<>"  # as aiosmtpd writes it

_STORED = "250 2.0.0 mail stored"
_TRY_AGAIN = "451 4.3.0 temporary failure, try again later"
_TOO_MANY_RECIPIENTS = f"452 4.5.3 at most {MAX_RECIPIENTS} recipients"
_BUSY = b"421 4.3.2 too many connections, try again later\r\n"


class _Server(SMTP):
    """SMTP with a limit of connections, and an address ``postmaster`` without a domain."""

    line_length_limit = MAX_BYTES  # old programs write long lines, which are harmless
    _open = 0

    def connection_made(self, transport: Any) -> None:
        """Refuse connections above the limit."""
        _Server._open += 1
        super().connection_made(transport)
        if _Server._open > _MAX_CONNECTIONS:
            transport.write(_BUSY)
            transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        """Count the connection as closed."""
        _Server._open -= 1
        super().connection_lost(error)

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Parse an address; ``postmaster`` needs no domain."""
        if arg.strip().lower() == f"<{POSTMASTER}>":
            return POSTMASTER, ""
        return super()._getaddr(arg)


class _LmtpServer(_Server, LMTP):
    """LMTP with one response to a mail for each recipient, which aiosmtpd lacks."""

    _responses = 1

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        """Receive a mail; aiosmtpd forgets its recipients before it responds."""
        self._recipients = len(self.envelope.rcpt_tos) if self.envelope else 0
        try:
            await super().smtp_DATA(arg)
        finally:
            self._responses = 1

    async def push(self, status: Any) -> None:
        """Send a response; that to the mail itself once for each recipient."""
        responses = self._responses
        await super().push(b"\r\n".join([_bytes(status)] * responses))
        if _bytes(status).startswith(b"354"):
            self._responses = max(1, self._recipients)


def _bytes(status: str | bytes) -> bytes:
    return status.encode() if isinstance(status, str) else status


class _Handler:
    """Callbacks of aiosmtpd."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._executor = ThreadPoolExecutor(1, thread_name_prefix=f"mail by {name}")

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept or refuse a recipient."""
        if not is_own(address) and not is_postmaster(address):
            return NO_SUCH_ADDRESS
        if len(envelope.rcpt_tos) >= MAX_RECIPIENTS:
            return _TOO_MANY_RECIPIENTS
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 ok"

    async def handle_DATA(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """Store a mail."""
        mail_from = envelope.mail_from or ""
        sender = "" if mail_from == _NULL_SENDER else mail_from
        raw, recipients = bytes(envelope.original_content or b""), list(envelope.rcpt_tos)

        def store() -> str:
            with share_of_time(_SHARE):
                return accept(raw, sender=sender, recipients=recipients, via=self._name)

        try:
            refusal = await asyncio.get_running_loop().run_in_executor(self._executor, store)
        except TryAgainError:
            return _TRY_AGAIN
        return _one_ascii_line(refusal) if refusal else _STORED

    async def handle_exception(self, _error: Exception) -> str:
        """Let the server try again after an unexpected error."""
        return _TRY_AGAIN

    def shut_down(self) -> None:
        """Cancel mails that wait, and let the one that is being stored finish."""
        self._executor.shutdown(wait=False, cancel_futures=True)


def _one_ascii_line(text: str) -> str:
    """Return a text as one line of ASCII, as SMTP responses must be."""
    return " ".join(text.split()).encode("ascii", "replace").decode()[:400]


class ListeningTransport(Transport):
    """LMTP or SMTP server on a port or a Unix socket.

    If another process listens there, this one waits and takes over when that process ends.
    """

    def __init__(self, name: str, where: ListenAddress) -> None:
        """Create the server without listening.

        Args:
            name: ``lmtp`` or ``smtp``.
            where: the address to listen at.
        """
        super().__init__()
        self.name = name
        self.where = where
        self._socket: socket.socket | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None

    def __str__(self) -> str:
        """Return protocol and address."""
        return f"{self.name.upper()} at {self.where}"

    @property
    def port(self) -> int:
        """The port on which it listens; 0 while it does not, or for a Unix socket."""
        if self._socket is None or self.where.path:
            return 0
        port: int = self._socket.getsockname()[1]
        return port

    def check(self) -> None:
        """Bind the socket.

        Raises:
            InvalidOptionsError: the address is in use, or not one of this machine.
        """
        try:
            self._socket = self._socket or _bind(self.where)
        except OSError as error:
            reason = error.strerror or str(error)
            message = f"MAIL_{self.name.upper()}: cannot listen at {self.where}: {reason}"
            raise InvalidOptionsError([Fault("serve/address", message)]) from None

    def run(self) -> None:
        """Serve until the transport is stopped."""
        if self._socket is None:
            self._socket = _bind(self.where)
        try:
            asyncio.run(self._serve(self._socket))
        finally:
            self._socket = None
            if self.where.path:
                Path(self.where.path).unlink(missing_ok=True)

    async def _serve(self, listening: socket.socket) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        handler = _Handler(self.name)
        server_class: type[SMTP] = _LmtpServer if self.name == "lmtp" else _Server

        def session() -> SMTP:
            return server_class(
                handler,
                data_size_limit=MAX_BYTES,
                enable_SMTPUTF8=True,
                ident="Antipodes",
                timeout=_TIMEOUT,
                loop=self._loop,
            )

        create = self._loop.create_unix_server if self.where.path else self._loop.create_server
        server = await create(session, sock=listening)
        self.mark_connected()
        try:
            if not self.stopping.is_set():
                await self._stop.wait()
        finally:
            server.close()
            handler.shut_down()

    def wake(self) -> None:
        """End the event loop."""
        if self._loop is not None and self._stop is not None:
            with suppress(RuntimeError):  # the loop is closed already
                self._loop.call_soon_threadsafe(self._stop.set)


def _bind(where: ListenAddress) -> socket.socket:
    """Return a listening socket.

    Raises:
        OSError: the address is in use, or not one of this machine.
    """
    if where.path:
        return _bind_path(where.path)
    listener = socket.socket(socket.AF_INET6 if ":" in where.host else socket.AF_INET)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((where.host, where.port))
        listener.listen(_MAX_CONNECTIONS)
    except OSError:
        listener.close()
        raise
    return listener


def _bind_path(path: str) -> socket.socket:
    """Return a socket that listens at a path; the socket of a killed process is removed first."""
    listener = socket.socket(socket.AF_UNIX)
    try:
        if os.path.exists(path) and stat.S_ISSOCK(os.stat(path).st_mode):  # noqa: PTH110, PTH116
            with socket.socket(socket.AF_UNIX) as probe:
                if probe.connect_ex(path) == 0:
                    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
            Path(path).unlink()
        listener.bind(path)
        # Mail servers run as users of their own; the folder's permissions decide who may deliver.
        Path(path).chmod(0o666)
        listener.listen(_MAX_CONNECTIONS)
    except OSError:
        listener.close()
        raise
    return listener

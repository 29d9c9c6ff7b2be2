"""LMTP and SMTP: a server for mail hands mails on to the site.

Recipients are checked one by one, before the mail comes; nothing is ever passed on to others. A
mail that cannot be taken now is answered with 451, so that the server keeps it and tries again.
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
    MOST_BYTES,
    MOST_RECIPIENTS,
    NO_SUCH_ADDRESS,
    TryAgainError,
    take,
)
from antipodes.web.email_play.inbound.recipients import POSTMASTER, is_ours, is_postmaster
from antipodes.web.email_play.inbound.transport import Door
from antipodes.web.platform.mail_settings import ListenAddress
from antipodes.web.platform.throttling import share_of_time

# Mails are stored one after another, in a part of the time: a server for mail can wait, and a
# flood of mail delays no moves. That is still about thirty mails a second.
_SHARE = 0.25
_CONNECTIONS = 100  # that are open at the same time
_SILENCE = 120  # seconds without a command after which a connection is closed
_NULL = "<>"  # how the library writes the null sender

_TAKEN = "250 2.0.0 taken"
_LATER = "451 4.3.0 this cannot be taken now, try again later"
_TOO_MANY = f"452 4.5.3 at most {MOST_RECIPIENTS} recipients"
_BUSY = b"421 4.3.2 too many connections, try again later\r\n"


class _Common(SMTP):
    """What the library lacks for both."""

    line_length_limit = MOST_BYTES  # old programs write long lines; they are no fault of the text
    _open = 0

    def connection_made(self, transport: Any) -> None:
        """Turn away what is too much."""
        _Common._open += 1
        super().connection_made(transport)
        if _Common._open > _CONNECTIONS:
            transport.write(_BUSY)
            transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        """Count it no more."""
        _Common._open -= 1
        super().connection_lost(error)

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Know the one address that needs no domain."""
        if arg.strip().lower() == f"<{POSTMASTER}>":
            return POSTMASTER, ""
        return super()._getaddr(arg)


class _Lmtp(_Common, LMTP):
    """LMTP that answers once for each recipient, as it must; the library answers once in all."""

    _answers = 1

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        """Take a mail; its recipients are forgotten when the answer is written."""
        self._recipients = len(self.envelope.rcpt_tos) if self.envelope else 0
        try:
            await super().smtp_DATA(arg)
        finally:
            self._answers = 1

    async def push(self, status: Any) -> None:
        """Write an answer, for each recipient if it is that to the mail itself."""
        answers = self._answers
        await super().push(b"\r\n".join([_bytes(status)] * answers))
        if _bytes(status).startswith(b"354"):
            self._answers = max(1, self._recipients)


def _bytes(status: str | bytes) -> bytes:
    return status.encode() if isinstance(status, str) else status


class _Handler:
    """What the library asks us."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._threads = ThreadPoolExecutor(1, thread_name_prefix=f"mail by {name}")

    async def handle_RCPT(  # noqa: N802 - the library says so
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Say whether a mail may be for somebody."""
        if not is_ours(address) and not is_postmaster(address):
            return NO_SUCH_ADDRESS
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return _TOO_MANY
        envelope.rcpt_tos.append(address)
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 ok"

    async def handle_DATA(  # noqa: N802
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """Take a mail."""
        given = envelope.mail_from or ""
        sender = "" if given == _NULL else given
        raw, recipients = bytes(envelope.original_content or b""), list(envelope.rcpt_tos)

        def write() -> str:
            with share_of_time(_SHARE):
                return take(raw, sender=sender, recipients=recipients, via=self._name)

        try:
            refusal = await asyncio.get_running_loop().run_in_executor(self._threads, write)
        except TryAgainError:
            return _LATER
        return _plain(refusal) if refusal else _TAKEN

    async def handle_exception(self, _error: Exception) -> str:
        """Keep nothing of what went wrong here from being tried again."""
        return _LATER

    def end(self) -> None:
        """Let what is under way end."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _plain(text: str) -> str:
    """Return a text as one line of plain letters, as answers must be."""
    return " ".join(text.split()).encode("ascii", "replace").decode()[:400]


class NetworkDoor(Door):
    """LMTP or SMTP on a port or a socket in the file system.

    If another process has it, this one waits: when the other one ends, it takes the place.
    """

    def __init__(self, name: str, where: ListenAddress) -> None:
        """Prepare.

        Args:
            name: ``lmtp`` or ``smtp``.
            where: to listen.
        """
        super().__init__()
        self.name = name
        self.where = where
        self._socket: socket.socket | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._end: asyncio.Event | None = None

    def __str__(self) -> str:
        """Say what is spoken where."""
        return f"{self.name.upper()} at {self.where}"

    @property
    def port(self) -> int:
        """The port on which it listens; 0 as long as it does not, or for a path."""
        if self._socket is None or self.where.path:
            return 0
        found: int = self._socket.getsockname()[1]
        return found

    def try_out(self) -> None:
        """Take the place at once.

        Raises:
            InvalidOptionsError: another program has it, or it is none of this machine.
        """
        try:
            self._socket = self._socket or _bound(self.where)
        except OSError as error:
            reason = error.strerror or str(error)
            message = f"MAIL_{self.name.upper()}: cannot listen at {self.where}: {reason}"
            raise InvalidOptionsError([Fault("serve/address", message)]) from None

    def stand(self) -> None:
        """Serve until told to end."""
        if self._socket is None:
            self._socket = _bound(self.where)
        try:
            asyncio.run(self._serve(self._socket))
        finally:
            self._socket = None
            if self.where.path:
                Path(self.where.path).unlink(missing_ok=True)

    async def _serve(self, listening: socket.socket) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        handler = _Handler(self.name)
        kind: type[SMTP] = _Lmtp if self.name == "lmtp" else _Common

        def session() -> SMTP:
            return kind(
                handler,
                data_size_limit=MOST_BYTES,
                enable_SMTPUTF8=True,
                ident="Antipodes",
                timeout=_SILENCE,
                loop=self._loop,
            )

        create = self._loop.create_unix_server if self.where.path else self._loop.create_server
        server = await create(session, sock=listening)
        self.works()
        try:
            if not self.ending.is_set():
                await self._end.wait()
        finally:
            server.close()
            handler.end()

    def wake(self) -> None:
        """End the loop."""
        if self._loop is not None and self._end is not None:
            with suppress(RuntimeError):  # it has ended by itself
                self._loop.call_soon_threadsafe(self._end.set)


def _bound(where: ListenAddress) -> socket.socket:
    """Return a socket that listens.

    Raises:
        OSError: the place is taken, or none of this machine.
    """
    if where.path:
        return _bound_to_path(where.path)
    found = socket.socket(socket.AF_INET6 if ":" in where.host else socket.AF_INET)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((where.host, where.port))
        found.listen(_CONNECTIONS)
    except OSError:
        found.close()
        raise
    return found


def _bound_to_path(path: str) -> socket.socket:
    """Listen at a path; what a killed process has left there is removed."""
    found = socket.socket(socket.AF_UNIX)
    try:
        if os.path.exists(path) and stat.S_ISSOCK(os.stat(path).st_mode):  # noqa: PTH110, PTH116
            with socket.socket(socket.AF_UNIX) as probe:
                if probe.connect_ex(path) == 0:
                    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))
            Path(path).unlink()
        found.bind(path)
        # Who may reach the folder says who may deliver: servers for mail run as users of their own.
        Path(path).chmod(0o666)
        found.listen(_CONNECTIONS)
    except OSError:
        found.close()
        raise
    return found

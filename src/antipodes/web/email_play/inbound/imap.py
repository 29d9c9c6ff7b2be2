"""IMAP transport: reads a mailbox, and waits for new mail with IDLE.

A mail is marked as read, or moved, only after it is stored in the database. If that fails, the mail
is read again and recognised by its Message-ID. One process at a time reads the mailbox.
"""

from __future__ import annotations

import imaplib
import logging
import ssl
import time
from typing import Any

from imap_tools import (
    BaseMailBox,
    ImapToolsError,
    MailBox,
    MailboxLoginError,
    MailBoxStartTls,
    MailBoxUnencrypted,
    MailMessageFlags,
)
from imap_tools.idle import IdleManager

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.web.email_play.inbound.intake import MAX_BYTES, TryAgainError, accept, envelope_of
from antipodes.web.email_play.inbound.transport import Transport
from antipodes.web.platform import locks
from antipodes.web.platform.mail_settings import Mailbox

logger = logging.getLogger(__name__)

_TIMEOUT = 30  # seconds for a response of the server
_POLL = 5  # seconds between checks whether to stop
_LEASE = "mail by imap"
_LEASE_SECONDS = 20  # after which another process takes over from one that was killed
_IDLE = 240  # seconds after which IDLE is renewed, before servers and routers time out
_RETRY = 300  # seconds before a mail that was deferred is tried again

_FAILURES = (OSError, ImapToolsError, imaplib.IMAP4.error, ssl.SSLError)


class ImapTransport(Transport):
    """Reads one mailbox."""

    name = "imap"
    failures = _FAILURES

    def __init__(self, where: Mailbox) -> None:
        """Take the mailbox without connecting."""
        super().__init__()
        self.where = where
        self._retry_at: dict[str, float] = {}

    def __str__(self) -> str:
        """Return protocol and mailbox."""
        return f"IMAP from {self.where}"

    def check(self) -> None:
        """Sign in once.

        Raises:
            InvalidOptionsError: the server cannot be reached, or refuses to sign in.
        """
        try:
            _connect(self.where).logout()
        except MailboxLoginError:
            reason = "wrong user or password"
        except _FAILURES as error:
            reason = " ".join(str(error).split())
        else:
            return
        message = f"MAIL_IMAP: {self.where} cannot be read: {reason}"
        raise InvalidOptionsError([Fault("serve/address", message)])

    def run(self) -> None:
        """Read the mailbox, unless another process does."""
        if not locks.acquire_lease(_LEASE, _LEASE_SECONDS):
            self.stopping.wait(_POLL)
            return
        try:
            with _connect(self.where) as mailbox:
                self.mark_connected()
                while not self.stopping.is_set() and locks.acquire_lease(_LEASE, _LEASE_SECONDS):
                    self._accept_unread(mailbox)
                    self._wait(mailbox)
        finally:
            locks.release_lease(_LEASE)

    def _wait(self, mailbox: BaseMailBox) -> None:
        """Wait for new mail, and renew the lease."""
        end = time.monotonic() + _IDLE
        with mailbox.idle as idle:
            while not self.stopping.is_set() and time.monotonic() < end:
                if any(b"EXISTS" in line for line in _poll(idle)):
                    return
                if not locks.acquire_lease(_LEASE, _LEASE_SECONDS) or self._has_due():
                    return

    def _has_due(self) -> bool:
        at = time.monotonic()
        return any(due <= at for due in self._retry_at.values())

    def _accept_unread(self, mailbox: BaseMailBox) -> None:
        """Accept all unread mail, except deferred mail that is not due."""
        unread = mailbox.uids("UNSEEN")
        at = time.monotonic()
        self._retry_at = {uid: due for uid, due in self._retry_at.items() if uid in unread}
        for uid in unread:
            if self.stopping.is_set() or not locks.acquire_lease(_LEASE, _LEASE_SECONDS):
                return
            if self._retry_at.get(uid, at) <= at:
                self._accept(mailbox, uid)

    def _accept(self, mailbox: BaseMailBox, uid: str) -> None:
        raw = _fetch(mailbox, uid)
        if raw is None:
            return  # deleted by another client
        sender, recipients = envelope_of(raw)
        try:
            refusal = accept(raw, sender=sender, recipients=recipients, via=self.name)
        except TryAgainError:
            self._retry_at[uid] = time.monotonic() + _RETRY
            return
        self._retry_at.pop(uid, None)
        if refusal:
            logger.info("mail ignored via=imap uid=%s reason=%s", uid, refusal)
        mailbox.flag([uid], [MailMessageFlags.SEEN], True)
        if self.where.done:
            _move(mailbox, uid, self.where.done)


def _poll(idle: IdleManager) -> list[bytes]:
    """Return the lines that the server sends within the polling interval.

    Raises:
        ConnectionResetError: the server has closed the connection; the library returns no lines.
    """
    begun = time.monotonic()
    lines = idle.poll(timeout=_POLL)
    timed_out = not lines and time.monotonic() - begun >= _POLL / 2
    if (not lines and not timed_out) or any(line.startswith(b"* BYE") for line in lines):
        raise ConnectionResetError("the server has closed the connection")
    return lines


def _connect(where: Mailbox) -> BaseMailBox:
    """Return an open mailbox.

    Raises:
        OSError: the server cannot be reached.
        ImapToolsError: the server refuses to sign in, or the folder does not exist.
    """
    mailbox: BaseMailBox
    if where.security == "imaps":
        mailbox = MailBox(where.host, where.port, timeout=_TIMEOUT)
    elif where.security == "imap+tls":
        mailbox = MailBoxStartTls(where.host, where.port, timeout=_TIMEOUT)
    else:
        mailbox = MailBoxUnencrypted(where.host, where.port, timeout=_TIMEOUT)
    return mailbox.login(where.user, where.password, initial_folder=where.folder)


def _fetch(mailbox: BaseMailBox, uid: str) -> bytes | None:
    """Return a mail without marking it as read; of a large mail one byte more than is accepted."""
    response: Any = mailbox.client.uid("fetch", uid, f"(BODY.PEEK[]<0.{MAX_BYTES + 1}>)")
    status, parts = response
    if status != "OK":
        raise imaplib.IMAP4.error(f"cannot fetch mail {uid}: {parts!r}")
    return next((bytes(part[1]) for part in parts if isinstance(part, tuple)), None)


def _move(mailbox: BaseMailBox, uid: str, folder: str) -> None:
    if not mailbox.folder.exists(folder):
        mailbox.folder.create(folder)
    mailbox.move([uid], folder)

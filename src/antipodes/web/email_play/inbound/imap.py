"""A mailbox elsewhere is read by IMAP: at once when something comes, by IDLE.

A mail is marked as read, or moved, only when it is a row of the database. If that is lost between,
it is taken again, and known by its Message-ID. One process at a time reads the mailbox.
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
from antipodes.web.email_play.inbound.envelopes import envelope_of
from antipodes.web.email_play.inbound.intake import MOST_BYTES, TryAgainError, take
from antipodes.web.email_play.inbound.transport import Door
from antipodes.web.platform import locks
from antipodes.web.platform.mail_settings import Mailbox

logger = logging.getLogger(__name__)

_PATIENCE = 30  # seconds that the server has for an answer
_LOOK = 5  # seconds between two looks whether this door shall end
_LEASE = "mail by imap"
_LEASED = 20  # seconds after which another process reads, if this one is killed
_IDLE = 240  # seconds after which IDLE is asked for anew, before servers and routers forget it
_AGAIN = 300  # seconds until a mail that could not be taken is tried once more

_FAILURES = (OSError, ImapToolsError, imaplib.IMAP4.error, ssl.SSLError)


class ImapDoor(Door):
    """Reads one mailbox for as long as the process lives."""

    name = "imap"
    failures = _FAILURES

    def __init__(self, where: Mailbox) -> None:
        """Prepare; nothing is connected yet."""
        super().__init__()
        self.where = where
        self._not_before: dict[str, float] = {}

    def __str__(self) -> str:
        """Say whose mailbox it is."""
        return f"IMAP from {self.where}"

    def try_out(self) -> None:
        """Sign in once.

        Raises:
            InvalidOptionsError: the server cannot be reached, or does not let us in.
        """
        try:
            _signed_in(self.where).logout()
        except MailboxLoginError:
            reason = "user or password are wrong"
        except _FAILURES as error:
            reason = " ".join(str(error).split())
        else:
            return
        message = f"MAIL_IMAP: {self.where} cannot be read: {reason}"
        raise InvalidOptionsError([Fault("serve/address", message)])

    def stand(self) -> None:
        """Read the mailbox, if no other process does."""
        if not locks.acquire_lease(_LEASE, _LEASED):
            self.ending.wait(_LOOK)
            return
        try:
            with _signed_in(self.where) as mailbox:
                self.works()
                while not self.ending.is_set() and locks.acquire_lease(_LEASE, _LEASED):
                    self._take_all(mailbox)
                    self._wait(mailbox)
        finally:
            locks.release_lease(_LEASE)

    def _wait(self, mailbox: BaseMailBox) -> None:
        """Wait until something comes; keep the lease meanwhile."""
        end = time.monotonic() + _IDLE
        with mailbox.idle as idle:
            while not self.ending.is_set() and time.monotonic() < end:
                if any(b"EXISTS" in line for line in _heard(idle)):
                    return
                if not locks.acquire_lease(_LEASE, _LEASED) or self._has_due():
                    return

    def _has_due(self) -> bool:
        at = time.monotonic()
        return any(due <= at for due in self._not_before.values())

    def _take_all(self, mailbox: BaseMailBox) -> None:
        """Take all that is not marked as read."""
        found = mailbox.uids("UNSEEN")
        at = time.monotonic()
        self._not_before = {uid: due for uid, due in self._not_before.items() if uid in found}
        for uid in found:
            if self.ending.is_set() or not locks.acquire_lease(_LEASE, _LEASED):
                return
            if self._not_before.get(uid, at) <= at:
                self._take(mailbox, uid)

    def _take(self, mailbox: BaseMailBox, uid: str) -> None:
        raw = _fetched(mailbox, uid)
        if raw is None:
            return  # somebody else has removed it
        sender, recipients = envelope_of(raw)
        try:
            refusal = take(raw, sender=sender, recipients=recipients, via=self.name)
        except TryAgainError:
            self._not_before[uid] = time.monotonic() + _AGAIN
            return
        self._not_before.pop(uid, None)
        if refusal:
            logger.info("mail %s in %s is left aside: %s", uid, self.where, refusal)
        mailbox.flag([uid], [MailMessageFlags.SEEN], True)
        if self.where.done:
            _move(mailbox, uid, self.where.done)


def _heard(idle: IdleManager) -> list[bytes]:
    """Return what the server says within some seconds.

    Raises:
        ConnectionResetError: it has closed the connection, which the library takes for silence.
    """
    begun = time.monotonic()
    lines = idle.poll(timeout=_LOOK)
    is_silence = not lines and time.monotonic() - begun >= _LOOK / 2
    if (not lines and not is_silence) or any(line.startswith(b"* BYE") for line in lines):
        raise ConnectionResetError("the server has closed the connection")
    return lines


def _signed_in(where: Mailbox) -> BaseMailBox:
    """Return the mailbox, open.

    Raises:
        OSError: the server cannot be reached.
        ImapToolsError: it does not let us in, or there is no such folder.
    """
    found: BaseMailBox
    if where.security == "imaps":
        found = MailBox(where.host, where.port, timeout=_PATIENCE)
    elif where.security == "imap+tls":
        found = MailBoxStartTls(where.host, where.port, timeout=_PATIENCE)
    else:
        found = MailBoxUnencrypted(where.host, where.port, timeout=_PATIENCE)
    return found.login(where.user, where.password, initial_folder=where.folder)


def _fetched(mailbox: BaseMailBox, uid: str) -> bytes | None:
    """Return a mail, unmarked; of one that is too large only so much that this is seen."""
    answer: Any = mailbox.client.uid("fetch", uid, f"(BODY.PEEK[]<0.{MOST_BYTES + 1}>)")
    status, parts = answer
    if status != "OK":
        raise imaplib.IMAP4.error(f"mail {uid} cannot be read: {parts!r}")
    return next((bytes(one[1]) for one in parts if isinstance(one, tuple)), None)


def _move(mailbox: BaseMailBox, uid: str, folder: str) -> None:
    if not mailbox.folder.exists(folder):
        mailbox.folder.create(folder)
    mailbox.move([uid], folder)

"""Mail that stays on this machine: each address has a folder, and the site has one to read.

It is how one tries to play by mail without any mail account. The folders are maildirs, so any
program that knows these can read them too.
"""

from __future__ import annotations

import mailbox
from collections.abc import Sequence
from contextlib import suppress
from email.utils import getaddresses, parseaddr
from pathlib import Path
from urllib.parse import quote, unquote

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.web.email_play.inbound.envelopes import envelope_of
from antipodes.web.email_play.inbound.intake import MOST_BYTES, TryAgainError, take
from antipodes.web.email_play.inbound.recipients import is_ours
from antipodes.web.email_play.inbound.transport import Door

_BOXES = "boxes"
_INCOMING = "incoming"
_LOOK = 0.3  # seconds between two looks
_PAUSE = 5.0  # seconds until a mail that could not be taken is tried again
_PLAIN = "@+"  # what stands in names of folders as it is, beside letters, digits and ._-~


class MaildirBackend(BaseEmailBackend):
    """Writes what the site sends into the maildirs of those who get it."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Write mails; return how many."""
        for message in email_messages:
            sender = parseaddr(message.from_email)[1]
            raw = message.message().as_bytes()
            for _, address in getaddresses(message.recipients()):
                put(raw, sender, address)
        return len(email_messages)


def put(raw: bytes, sender: str, recipient: str) -> None:
    """Put a mail where it belongs: into a mailbox, or to what the site reads.

    Args:
        raw: the mail.
        sender: of the envelope; empty for none.
        recipient: of the envelope.
    """
    envelope = f"Return-Path: <{sender}>\nDelivered-To: {recipient}\n"
    folder = incoming() if is_ours(recipient) else box_of(recipient)
    opened(folder).add(envelope.encode() + raw)


def opened(folder: Path) -> mailbox.Maildir:
    """Return a maildir; it is made, for this user alone, if it is not there."""
    for above in (_root(), folder.parent):
        above.mkdir(mode=0o700, parents=True, exist_ok=True)
    return mailbox.Maildir(folder, create=True)


def incoming() -> Path:
    """Return the maildir that the site reads."""
    return _root() / _INCOMING


def box_of(address: str) -> Path:
    """Return the maildir of an address."""
    name = quote(address.strip().lower(), safe=_PLAIN)
    # A name that began with a dot could be the folder above.
    return _root() / _BOXES / (f"%2E{name[1:]}" if name.startswith(".") else name)


def addresses() -> list[str]:
    """Return all addresses that have got mail."""
    folder = _root() / _BOXES
    return sorted(unquote(one.name) for one in folder.iterdir()) if folder.exists() else []


def _root() -> Path:
    folder: Path | None = settings.MAIL_FOLDER
    assert folder is not None, "only called where mail stays on this machine"
    return folder


class MaildirDoor(Door):
    """Reads what was sent to the site on this machine."""

    name = "maildir"

    def __str__(self) -> str:
        """Say which folder it is."""
        return f"the folder {incoming()}"

    def try_out(self) -> None:
        """Make the folder.

        Raises:
            InvalidOptionsError: it cannot be made.
        """
        try:
            opened(incoming())
        except OSError as error:
            message = f"{incoming()} cannot be written: {error.strerror}"
            raise InvalidOptionsError([Fault("serve/data-folder", message)]) from None

    def stand(self) -> None:
        """Look again and again."""
        box = opened(incoming())
        self.works()
        while not self.ending.is_set():
            for file in sorted(Path(incoming(), "new").iterdir(), key=_age):
                self._take(file)
            self.ending.wait(_LOOK)
        box.close()

    def _take(self, file: Path) -> None:
        """Take a mail; what cannot be taken now stays where it is."""
        with file.open("rb") as mail:
            raw = mail.read(MOST_BYTES + 1)
        sender, recipients = envelope_of(raw)
        try:
            take(raw, sender=sender, recipients=recipients, via=self.name)
        except TryAgainError:
            self.ending.wait(_PAUSE)
            return
        with suppress(FileNotFoundError):  # another process has taken it too; once counts
            file.rename(Path(incoming(), "cur", f"{file.name}:2,S"))


def _age(file: Path) -> tuple[int, str]:
    return file.stat().st_mtime_ns, file.name

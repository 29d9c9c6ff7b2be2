"""Maildir transport: mail that stays on this machine, one maildir for each address.

It makes play by e-mail possible without a mail account or server, for trials. Any program that
reads maildirs can read them.
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
from antipodes.web.email_play.inbound.intake import (
    MAX_BYTES,
    TryAgainError,
    accept,
    envelope_of,
    is_own,
)
from antipodes.web.email_play.inbound.transport import Transport

_MAILBOXES = "boxes"
_INCOMING = "incoming"
_POLL = 0.3  # seconds
_RETRY = 5.0  # seconds before a mail that was deferred is tried again
_UNQUOTED = "@+"  # in names of folders, besides letters, digits and ._-~


class MaildirBackend(BaseEmailBackend):
    """Django's e-mail backend that delivers to the maildirs of the recipients."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        """Deliver mails; return how many."""
        for message in email_messages:
            sender = parseaddr(message.from_email)[1]
            raw = message.message().as_bytes()
            for _, address in getaddresses(message.recipients()):
                deliver(raw, sender, address)
        return len(email_messages)


def deliver(raw: bytes, sender: str, recipient: str) -> None:
    """Put a mail into the recipient's maildir, or into the one that the site reads.

    Args:
        raw: the mail.
        sender: of the envelope; empty for the null sender.
        recipient: of the envelope.
    """
    envelope = f"Return-Path: <{sender}>\nDelivered-To: {recipient}\n"
    folder = incoming() if is_own(recipient) else mailbox_of(recipient)
    open_maildir(folder).add(envelope.encode() + raw)


def open_maildir(folder: Path) -> mailbox.Maildir:
    """Return a maildir; if missing, create it so that only this system user can read it."""
    for parent in (_root(), folder.parent):
        parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return mailbox.Maildir(folder, create=True)


def incoming() -> Path:
    """Return the maildir that the site reads."""
    return _root() / _INCOMING


def mailbox_of(address: str) -> Path:
    name = quote(address.strip().lower(), safe=_UNQUOTED)
    # A leading dot could lead to the parent folder.
    return _root() / _MAILBOXES / (f"%2E{name[1:]}" if name.startswith(".") else name)


def addresses() -> list[str]:
    """Return all addresses that have received mail."""
    folder = _root() / _MAILBOXES
    return sorted(unquote(box.name) for box in folder.iterdir()) if folder.exists() else []


def _root() -> Path:
    folder: Path | None = settings.MAIL_FOLDER
    assert folder is not None, "only called where mail stays on this machine"
    return folder


class MaildirTransport(Transport):
    """Reads the maildir of mail to the site."""

    name = "maildir"

    def __str__(self) -> str:
        return f"the folder {incoming()}"

    def check(self) -> None:
        """Create the folder.

        Raises:
            InvalidOptionsError: it cannot be created.
        """
        try:
            open_maildir(incoming())
        except OSError as error:
            message = f"cannot write {incoming()}: {error.strerror}"
            raise InvalidOptionsError([Fault("serve/data-folder", message)]) from None

    def run(self) -> None:
        """Poll the folder."""
        box = open_maildir(incoming())
        self.mark_connected()
        while not self.stopping.is_set():
            for file in sorted(Path(incoming(), "new").iterdir(), key=_age):
                self._accept(file)
            self.stopping.wait(_POLL)
        box.close()

    def _accept(self, file: Path) -> None:
        """Accept a mail and move it to the read ones; a deferred mail stays."""
        with file.open("rb") as opened:
            raw = opened.read(MAX_BYTES + 1)
        sender, recipients = envelope_of(raw)
        try:
            accept(raw, sender=sender, recipients=recipients, via=self.name)
        except TryAgainError:
            self.stopping.wait(_RETRY)
            return
        with suppress(FileNotFoundError):  # another process has accepted it too, harmlessly
            file.rename(Path(incoming(), "cur", f"{file.name}:2,S"))


def _age(file: Path) -> tuple[int, str]:
    return file.stat().st_mtime_ns, file.name

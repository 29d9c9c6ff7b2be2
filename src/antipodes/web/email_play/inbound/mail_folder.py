"""A small mail client for the maildirs of this machine: lists, shows and sends messages."""

from __future__ import annotations

import email
import email.policy
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid, parseaddr
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from antipodes.errors import InputError
from antipodes.web.email_play.inbound.intake import is_address, postmaster_box
from antipodes.web.email_play.inbound.maildir import addresses, deliver, mailbox_of, open_maildir

_POLICY = email.policy.default.clone(utf8=False, raise_on_defect=False)
_SEEN = ":2,S"


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message in a maildir of this machine.

    Attributes:
        number: from 1, the oldest first.
        path: its file.
        message: its content.
        is_new: whether it is unread.
    """

    number: int
    path: Path
    message: EmailMessage
    is_new: bool

    @property
    def subject(self) -> str:
        return " ".join(str(self.message.get("Subject", "")).split())

    @property
    def text(self) -> str:
        """The plain text, or else the HTML."""
        part = self.message.get_body(("plain", "html"))
        try:
            return str(part.get_content()) if part is not None else ""
        except (LookupError, UnicodeError):  # an unknown character set
            return ""

    @property
    def reply_to(self) -> str:
        """The address for replies."""
        return parseaddr(str(self.message.get("Reply-To") or self.message.get("From") or ""))[1]


def is_available() -> bool:
    """Return whether mail of this site stays on this machine."""
    return settings.MAIL_FOLDER is not None


def mailboxes() -> list[tuple[str, int, int]]:
    """Return all addresses that have received mail, with all and unread messages counted."""
    found = []
    for address in addresses():
        messages = messages_of(address)
        found.append((address, len(messages), sum(message.is_new for message in messages)))
    return found


def messages_of(address: str) -> list[StoredMessage]:
    """Return the messages of an address, or of ``postmaster``, the oldest first."""
    folder = postmaster_box() if address.lower() == "postmaster" else mailbox_of(address)
    if not folder.exists():
        return []
    files = [file for part in ("new", "cur") for file in (folder / part).iterdir()]
    files.sort(key=lambda file: (file.stat().st_mtime_ns, file.name))
    return [
        StoredMessage(number, file, _read(file), is_new=file.parent.name == "new")
        for number, file in enumerate(files, 1)
    ]


def message_of(address: str, number: int) -> StoredMessage:
    """Return a message by its number.

    Raises:
        InputError: there is no such message.
    """
    messages = messages_of(address)
    if not 1 <= number <= len(messages):
        error = f"{address} has {len(messages)} messages, and none with the number {number}"
        raise InputError.single("mail/no-letter", error)
    return messages[number - 1]


def mark_read(message: StoredMessage) -> None:
    """Move a new message to the read ones."""
    if message.is_new:
        message.path.rename(message.path.parent.parent / "cur" / f"{message.path.name}{_SEEN}")


def _read(file: Path) -> EmailMessage:
    found = email.message_from_bytes(file.read_bytes(), policy=_POLICY)
    assert isinstance(found, EmailMessage)
    return found


def send(
    *,
    sender: str,
    to: str = "",
    subject: str = "",
    body: str = "",
    reply: StoredMessage | None = None,
) -> str:
    """Send a message; return its recipient.

    Args:
        sender: the From address.
        to: the recipient; by default the reply address of ``reply``, or else the site.
        subject: by default that of ``reply``.
        body: the text; ``reply`` is quoted below it, as mail programs do.
        reply: the message that is answered.

    Raises:
        InputError: an address is not valid.
    """
    to = to or (
        reply.reply_to if reply is not None else f"{settings.MAIL_USER}@{settings.MAIL_HOST}"
    )
    for address in (sender, to):
        if not is_address(address):
            raise InputError.single("mail/no-address", f"{address!r} is not a mail address")
    message = EmailMessage()
    message["From"] = sender
    message["To"] = to
    message["Date"] = format_datetime(timezone.now())
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    if reply is not None:
        subject = subject or _reply_subject(reply.subject)
        body = _with_quote(body, reply)
        _add_to_thread(message, reply.message)
    message["Subject"] = " ".join(subject.split())
    message.set_content(body)
    deliver(message.as_bytes(), sender, to)
    open_maildir(mailbox_of(sender))  # lists the sender among the mailboxes
    return to


def _reply_subject(subject: str) -> str:
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"


def _with_quote(body: str, reply: StoredMessage) -> str:
    quoted = "\n".join(f"> {line}".rstrip() for line in reply.text.splitlines())
    author = parseaddr(str(reply.message.get("From", "")))[1]
    return (
        f"{body.rstrip()}\n\nOn {reply.message.get('Date', 'a day')}, {author} wrote:\n{quoted}\n"
    )


def _add_to_thread(message: EmailMessage, answered: EmailMessage) -> None:
    known = str(answered.get("Message-ID", "")).strip()
    if known:
        message["In-Reply-To"] = known
        message["References"] = f"{answered.get('References', '')} {known}".strip()

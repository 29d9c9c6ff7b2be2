"""A small mail program for mail that stays on this machine: lists, shows and answers letters."""

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
from antipodes.web.email_play.inbound.envelopes import is_address
from antipodes.web.email_play.inbound.intake import postmaster_box
from antipodes.web.email_play.inbound.maildir import addresses, box_of, opened, put

_POLICY = email.policy.default.clone(utf8=False, raise_on_defect=False)
_SEEN = ":2,S"


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail in a folder of this machine.

    Attributes:
        number: its place, from 1, the oldest first.
        path: its file.
        message: what it says.
        is_new: whether nobody has read it.
    """

    number: int
    path: Path
    message: EmailMessage
    is_new: bool

    @property
    def subject(self) -> str:
        """The subject in one line."""
        return " ".join(str(self.message.get("Subject", "")).split())

    @property
    def text(self) -> str:
        """The plain text; of a mail that has none, what it has instead."""
        part = self.message.get_body(("plain", "html"))
        try:
            return str(part.get_content()) if part is not None else ""
        except (LookupError, UnicodeError):  # a character set that nobody knows
            return ""

    @property
    def reply_to(self) -> str:
        """The address to which an answer goes."""
        return parseaddr(str(self.message.get("Reply-To") or self.message.get("From") or ""))[1]


def mail_stays_here() -> bool:
    """Return whether mail of this site stays on this machine at all."""
    return settings.MAIL_FOLDER is not None


def boxes() -> list[tuple[str, int, int]]:
    """Return all addresses that have got mail, with how many letters and how many unread."""
    found = []
    for address in addresses():
        letters = letters_of(address)
        found.append((address, len(letters), sum(letter.is_new for letter in letters)))
    return found


def letters_of(address: str) -> list[Letter]:
    """Return the letters of an address, the oldest first; ``postmaster`` has some too."""
    folder = postmaster_box() if address.lower() == "postmaster" else box_of(address)
    if not folder.exists():
        return []
    files = [file for part in ("new", "cur") for file in (folder / part).iterdir()]
    files.sort(key=lambda file: (file.stat().st_mtime_ns, file.name))
    return [
        Letter(number, file, _read(file), is_new=file.parent.name == "new")
        for number, file in enumerate(files, 1)
    ]


def letter_of(address: str, number: int) -> Letter:
    """Return a letter by its number.

    Raises:
        InputError: there is none with this number.
    """
    letters = letters_of(address)
    if not 1 <= number <= len(letters):
        message = f"{address} has {len(letters)} letters, and none with the number {number}"
        raise InputError.single("mail/no-letter", message)
    return letters[number - 1]


def note_read(letter: Letter) -> None:
    """Note that somebody has read a letter."""
    if letter.is_new:
        letter.path.rename(letter.path.parent.parent / "cur" / f"{letter.path.name}{_SEEN}")


def _read(file: Path) -> EmailMessage:
    found = email.message_from_bytes(file.read_bytes(), policy=_POLICY)
    assert isinstance(found, EmailMessage)
    return found


def send(
    *, sender: str, to: str = "", subject: str = "", body: str = "", reply: Letter | None = None
) -> str:
    """Send a mail; return to whom it goes.

    Args:
        sender: the address that it is from.
        to: an address; by default where an answer goes, or else the site.
        subject: by default that of the letter that is answered.
        body: what is said; the letter that is answered is quoted below, as mail programs do.
        reply: the letter that is answered.

    Raises:
        InputError: an address is none.
    """
    to = to or (
        reply.reply_to if reply is not None else f"{settings.MAIL_USER}@{settings.MAIL_HOST}"
    )
    for address in (sender, to):
        if not is_address(address):
            raise InputError.single("mail/no-address", f"{address!r} is no address of mail")
    message = EmailMessage()
    message["From"] = sender
    message["To"] = to
    message["Date"] = format_datetime(timezone.now())
    message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    if reply is not None:
        subject = subject or _answered(reply.subject)
        body = _quoting(body, reply)
        _thread(message, reply.message)
    message["Subject"] = " ".join(subject.split())
    message.set_content(body)
    put(message.as_bytes(), sender, to)
    opened(box_of(sender))  # whoever writes has a mailbox, if only an empty one
    return to


def _answered(subject: str) -> str:
    return subject if subject.lower().startswith("re:") else f"Re: {subject}"


def _quoting(body: str, reply: Letter) -> str:
    quoted = "\n".join(f"> {line}".rstrip() for line in reply.text.splitlines())
    who = parseaddr(str(reply.message.get("From", "")))[1]
    return f"{body.rstrip()}\n\nOn {reply.message.get('Date', 'a day')}, {who} wrote:\n{quoted}\n"


def _thread(message: EmailMessage, before: EmailMessage) -> None:
    known = str(before.get("Message-ID", "")).strip()
    if known:
        message["In-Reply-To"] = known
        message["References"] = f"{before.get('References', '')} {known}".strip()

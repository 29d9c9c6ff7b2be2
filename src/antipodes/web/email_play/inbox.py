"""Where mails come in: each is a row before anybody says that it was taken."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from email.parser import BytesHeaderParser

from django.db import IntegrityError, transaction

from antipodes.web.email_play.models import InboundMailRow
from antipodes.web.platform.clock import now

LARGEST = 1024 * 1024  # bytes of a mail that is read
# Doors at which whoever brings a mail waits for its answer; the others cannot give one back.
REFUSING = frozenset({"lmtp", "smtp", "pipe"})

_HEAD = 64 * 1024  # bytes that are kept of a mail that is too large
_MOST_RECIPIENTS = 200
_LONGEST_SENDER = 320  # characters

# Who is called when something new is stored, in this process alone; a round finds the rest.
_listeners: list[Callable[[], None]] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a door is told when it has brought a mail.

    Attributes:
        is_new: whether the mail was stored; another one with the same Message-ID was not, and
            nothing is to be done about that.
        refused: why the door shall not take the mail, with the code of SMTP that says so; else
            empty.
    """

    is_new: bool
    refused: str = ""


def receive(raw: bytes, *, sender: str | None, recipients: Sequence[str] = (), via: str) -> Receipt:
    """Store a mail that has come; when this returns it is in the database.

    Args:
        raw: the mail as it came, headers and all.
        sender: of its envelope: empty for mail that nobody wants answered, ``None`` where the door
            knows none.
        recipients: of its envelope.
        via: the name of the door, such as ``lmtp``, ``smtp``, ``imap``, ``webhook``, ``pipe``,
            ``maildir``.
    """
    is_whole = len(raw) <= LARGEST
    if not is_whole and via in REFUSING:
        text = f"552 5.3.4 the mail has {len(raw)} bytes; at most {LARGEST} are read"
        return Receipt(is_new=False, refused=text)
    at = now()
    key = key_of(raw)
    to = _addresses(recipients)
    try:
        with transaction.atomic():
            InboundMailRow.objects.create(
                key=key,
                raw=raw if is_whole else raw[:_HEAD],
                size=len(raw),
                is_whole=is_whole,
                sender=None if sender is None else sender[:_LONGEST_SENDER],
                recipients=to,
                via=via,
                came_at=at,
                due_at=at,
            )
    except IntegrityError:
        _add_recipients(key, to)
        return Receipt(is_new=False)
    transaction.on_commit(_tell)
    return Receipt(is_new=True)


def key_of(raw: bytes) -> str:
    """Return the name by which a mail is known again: made of its Message-ID, or of its bytes."""
    head = BytesHeaderParser().parsebytes(raw[:_HEAD])
    name = "".join(str(head.get("Message-ID", "")).split())
    known = name.encode("utf-8", "replace") if name else raw
    return hashlib.sha256(known).hexdigest()


def when_something_comes(do: Callable[[], None]) -> None:
    """Let a function be called after each mail that is stored by this process."""
    if do not in _listeners:
        _listeners.append(do)


def _tell() -> None:
    for do in _listeners:
        do()


def _addresses(recipients: Iterable[str]) -> list[str]:
    found = (one.strip()[:_LONGEST_SENDER] for one in recipients)
    return list(dict.fromkeys(one for one in found if one))[:_MOST_RECIPIENTS]


def _add_recipients(key: str, recipients: Sequence[str]) -> None:
    """Note more recipients of a mail that mail servers deliver to each of them on its own."""
    with transaction.atomic():
        rows = InboundMailRow.objects.select_for_update().filter(key=key, handled_at=None)
        row = rows.only("recipients").first()
        if row is not None and not set(recipients) <= set(row.recipients):
            row.recipients = _addresses([*row.recipients, *recipients])
            row.save(update_fields=["recipients"])

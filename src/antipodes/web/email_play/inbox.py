"""Inbox: stores each inbound mail before its transport acknowledges it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from email.parser import BytesHeaderParser

from django.db import IntegrityError, transaction

from antipodes.web.email_play.models import InboundMailRow
from antipodes.web.platform.clock import now

MAX_BYTES = 1024 * 1024  # of a mail that is processed
# Transports that can refuse a mail while its server waits; the others have it already.
REFUSING = frozenset({"lmtp", "smtp", "pipe"})

_HEAD = 64 * 1024  # bytes kept of a mail above the limit
_MAX_RECIPIENTS = 200
_MAX_ADDRESS = 320  # characters

# Called after a mail was stored by this process; the periodic task finds those of others.
_listeners: list[Callable[[], None]] = []


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The result of storing a mail.

    Attributes:
        is_new: whether the mail was stored; false for a duplicate Message-ID, which needs no
            further action.
        refused: the reason to refuse the mail, with an SMTP code; else empty.
    """

    is_new: bool
    refused: str = ""


def receive(raw: bytes, *, sender: str | None, recipients: Sequence[str] = (), via: str) -> Receipt:
    """Store an inbound mail; it is in the database when this returns.

    Args:
        raw: the mail with its headers.
        sender: of the envelope: empty for the null sender, ``None`` if the transport has none.
        recipients: of the envelope.
        via: the transport: ``lmtp``, ``smtp``, ``imap``, ``webhook``, ``pipe`` or ``maildir``.
    """
    is_whole = len(raw) <= MAX_BYTES
    if not is_whole and via in REFUSING:
        text = f"552 5.3.4 the mail has {len(raw)} bytes; the limit is {MAX_BYTES}"
        return Receipt(is_new=False, refused=text)
    at = now()
    key = message_key(raw)
    addresses = _addresses(recipients)
    try:
        with transaction.atomic():
            InboundMailRow.objects.create(
                key=key,
                raw=raw if is_whole else raw[:_HEAD],
                size=len(raw),
                is_whole=is_whole,
                sender=None if sender is None else sender[:_MAX_ADDRESS],
                recipients=addresses,
                via=via,
                received_at=at,
                due_at=at,
            )
    except IntegrityError:
        _add_recipients(key, addresses)
        return Receipt(is_new=False)
    transaction.on_commit(_notify_listeners)
    return Receipt(is_new=True)


def message_key(raw: bytes) -> str:
    """Return the hash that identifies a mail: of its Message-ID, or else of its bytes."""
    head = BytesHeaderParser().parsebytes(raw[:_HEAD])
    # Copies of a mail that servers fold differently have the same key.
    message_id = "".join(str(head.get("Message-ID", "")).split())
    return hashlib.sha256(message_id.encode("utf-8", "replace") or raw).hexdigest()


def on_new_mail(listener: Callable[[], None]) -> None:
    """Call a function after each mail that this process stores."""
    if listener not in _listeners:
        _listeners.append(listener)


def _notify_listeners() -> None:
    for listener in _listeners:
        listener()


def _addresses(recipients: Iterable[str]) -> list[str]:
    found = (address.strip()[:_MAX_ADDRESS] for address in recipients)
    return list(dict.fromkeys(address for address in found if address))[:_MAX_RECIPIENTS]


def _add_recipients(key: str, recipients: Sequence[str]) -> None:
    """Add recipients to a stored mail: some mail servers deliver to each recipient separately."""
    with transaction.atomic():
        rows = InboundMailRow.objects.select_for_update().filter(key=key, processed_at=None)
        row = rows.only("recipients").first()
        if row is not None and not set(recipients) <= set(row.recipients):
            row.recipients = _addresses([*row.recipients, *recipients])
            row.save(update_fields=["recipients"])

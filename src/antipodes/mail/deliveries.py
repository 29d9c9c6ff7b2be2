"""Delivery reports (RFC 3464), also malformed ones.

They come from mail servers of all kinds and ages. Only the machine-readable part is used, never the
text for people, which differs between servers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message

from antipodes.mail.incoming import KEPT
from antipodes.mail.parts import Fields, fields_of, take_apart

# flufl.bounce is no replacement: it returns addresses without the status and without the header of
# the bounced mail, takes expired and relayed mail for failed, and raises on damaged reports.
_STATUS_PARTS = ("message/delivery-status", "message/global-delivery-status")
_ORIGINAL_PARTS = (
    "message/rfc822",
    "message/global",
    "text/rfc822-headers",
    "message/rfc822-headers",
    "message/global-headers",
)
_STATUS = re.compile(r"(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.])")
_REPLY = re.compile(r"(?<!\d)([245])\d\d(?!\d)")
_ARRIVED = frozenset({"delivered", "relayed", "expanded"})
_NO_MAILBOX = frozenset({"5.1.1", "5.1.10"})
_MOST_RECIPIENTS = 50
_MOST_TEXT = 64 * 1024  # characters of a part that is read line by line
_LONGEST_STATUS = 12  # characters that are kept
_NOTHING = Fields(())


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipient:
    """The delivery of a mail to one recipient.

    Attributes:
        address: of the recipient, as the server wrote it.
        action: ``failed``, ``delayed``, ``delivered``, ``relayed`` or ``expanded``.
        status: of RFC 3463, such as ``5.1.1``; empty if the server gives none.
    """

    address: str = ""
    action: str = ""
    status: str = ""

    @property
    def is_final(self) -> bool:
        """Whether the delivery has failed permanently."""
        return self.action == "failed" and self.status.startswith("5.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryReport:
    """A report on the delivery of one mail.

    Attributes:
        recipients: the delivery to each.
        original: the header of that mail, as far as the report quotes it.
    """

    recipients: tuple[Recipient, ...]
    original: Fields = _NOTHING

    @property
    def failure(self) -> str:
        """The status of a permanent failure; empty if there is none.

        A mail that reached any recipient, such as of a mailing list, has not failed.
        """
        if any(one.action in _ARRIVED for one in self.recipients):
            return ""
        found = [one.status for one in self.recipients if one.is_final]
        return next((one for one in found if means_no_mailbox(one)), found[0] if found else "")


def means_no_mailbox(status: str) -> bool:
    """Return whether a status means that the mailbox does not exist."""
    return status in _NO_MAILBOX


def status_in(text: str) -> str:
    """Return the status in a response of a mail server, such as ``550 5.1.1 no such user``.

    Without one, the first digit of the code counts: 550 is ``5.0.0``. Empty if there is no code.
    """
    found = _STATUS.search(text)
    if found is not None:
        return found[1][:_LONGEST_STATUS]
    code = _REPLY.search(text)
    return f"{code[1]}.0.0" if code is not None else ""


def read_report(raw: bytes) -> DeliveryReport | None:
    """Read a delivery report; return ``None`` if the mail is something else."""
    try:
        return _read(raw)
    except Exception:  # noqa: BLE001 - unreadable mails must not stop the processing
        return None


def _read(raw: bytes) -> DeliveryReport | None:
    root, _fields = take_apart(raw[:KEPT])
    if root.get_content_type() not in ("multipart/report", *_STATUS_PARTS):
        return None
    parts = list(root.walk())
    # The first part of each type counts: the quoted mail may be a report itself.
    status = next((part for part in parts if part.get_content_type() in _STATUS_PARTS), None)
    if status is None:
        return None
    recipients = [_recipient(block) for block in _blocks(status)]
    known = tuple(one for one in recipients if one.action or one.address)[:_MOST_RECIPIENTS]
    if not known:
        return None
    quoted = next((part for part in parts if part.get_content_type() in _ORIGINAL_PARTS), None)
    return DeliveryReport(recipients=known, original=_header_of(quoted))


def _blocks(part: Message) -> Iterator[Fields]:
    """Yield the field groups of the machine-readable part: the mail, then its recipients."""
    payload = part.get_payload()
    for one in payload if isinstance(payload, list) else [payload]:
        if isinstance(one, Message):
            yield fields_of(one)
            one = one.get_payload()  # noqa: PLW2901 - groups that the library took for a body
        if isinstance(one, str):
            for text in re.split(r"\n[ \t]*\n", one[:_MOST_TEXT].strip()):
                yield _fields_of(text)


def _fields_of(text: str) -> Fields:
    return take_apart(text.encode("utf-8", "replace"))[1]


def _recipient(block: Fields) -> Recipient:
    said = block.raw("status")
    status = status_in(said) if _STATUS.search(said) else ""
    cause = status_in(_value(block.raw("diagnostic-code")))
    # Many servers report only 5.0.0, and quote a more precise status of another server.
    if not status or (status.endswith(".0.0") and cause.startswith(status[:2])):
        status = cause or status
    address = block.raw("original-recipient") or block.raw("final-recipient")
    return Recipient(
        address=_value(address).strip("<> ")[:320],
        action=block.raw("action").split("(", 1)[0].strip().lower()[:20],
        status=status,
    )


def _value(field: str) -> str:
    """Return a value without its type, such as ``rfc822;``."""
    return field.partition(";")[2].strip() or field.strip()


def _header_of(part: Message | None) -> Fields:
    """Return the header of the quoted mail in a part."""
    if part is None:
        return _NOTHING
    payload = part.get_payload()
    if isinstance(payload, list) and payload and isinstance(payload[0], Message):
        return fields_of(payload[0])
    content = part.get_payload(decode=True)
    return take_apart(bytes(content)[:_MOST_TEXT])[1] if isinstance(content, bytes) else _NOTHING

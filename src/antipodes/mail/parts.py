"""Parser of header fields and MIME parts, with limits against hostile mails."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import EmailMessage, Message
from email.parser import BytesParser
from email.policy import EmailPolicy
from typing import Any

from antipodes.mail.charsets import decode_words, repair_bytes

# Python's parser compares each line with the boundary of each part around it, so lines and parts
# are bounded. A mail of 1 MiB with attachments has about 14,000 lines.
_MOST_LINES = 40_000
_MOST_PARTS = 100
_LONGEST_FIELD = 8_000
# Parsing the parameters of MIME fields takes superlinear time.
_LONGEST_MIME_FIELD = 1_000


class _Policy(EmailPolicy):
    """Python's default policy, but with fields as plain texts of limited length."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        """Truncate a long field, and decode its bytes."""
        name, value = super().header_source_parse(sourcelines)
        most = _LONGEST_MIME_FIELD if name.lower().startswith("content-") else _LONGEST_FIELD
        return name, repair_bytes(value[:most])

    def header_fetch_parse(self, name: str, value: str) -> Any:
        """Return a field as it was stored, not decoded."""
        del name
        return " ".join(value.split("\n"))


class _EnoughError(Exception):
    """The mail has too many parts."""


@dataclass(slots=True)
class _Factory:
    """Factory of the messages of one mail, which counts them."""

    made: list[EmailMessage] = field(default_factory=list)

    def __call__(self, policy: EmailPolicy | None = None) -> EmailMessage:
        if len(self.made) >= _MOST_PARTS:
            raise _EnoughError
        message = EmailMessage(policy or _Policy())
        self.made.append(message)
        return message


@dataclass(frozen=True, slots=True)
class Fields:
    """The header fields of a mail in their order."""

    items: tuple[tuple[str, str], ...]

    def all(self, name: str) -> Iterator[str]:
        """Yield the values of all fields with this lower-case name."""
        return (value for key, value in self.items if key == name)

    def raw(self, name: str) -> str:
        """Return the first field's value; empty if there is none."""
        return next(self.all(name), "")

    def text(self, name: str) -> str:
        """Return the first field's value in one line, encoded words decoded."""
        return decode_words(self.raw(name))


def take_apart(raw: bytes) -> tuple[EmailMessage, Fields]:
    """Return a mail with its parts, as far as they could be read, and its header fields."""
    factory = _Factory()
    make: Any = factory  # the stubs expect a function that accepts any policy
    parser = BytesParser(policy=_Policy(message_factory=make))
    # After any error, the first message has the parts read so far.
    with suppress(_EnoughError, RecursionError, LookupError, ValueError, TypeError, AttributeError):
        parser.parsebytes(_bounded(raw))
    root = factory.made[0] if factory.made else EmailMessage(_Policy())
    return root, fields_of(root)


def fields_of(message: Message) -> Fields:
    """Return the header fields of a part."""
    return Fields(tuple((name.lower(), str(value)) for name, value in message.raw_items()))


def _bounded(raw: bytes) -> bytes:
    """Return the mail with normal newlines, truncated to the maximum number of lines."""
    raw = raw.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    first = raw.lstrip(b"\n")
    if b":" in first[:80].split(b"\n", 1)[0].split(b" ", 1)[0]:
        raw = first
    if raw.count(b"\n") <= _MOST_LINES:
        return raw
    return b"\n".join(raw.split(b"\n", _MOST_LINES)[:_MOST_LINES])

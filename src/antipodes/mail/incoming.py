"""Incoming mail: whatever bytes came, read as a mail."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

KEPT = 1 << 20
"""How many bytes of a mail are read; the rest of a larger one is not looked at."""


class Verdict(StrEnum):
    """What the host's own mail server says about where a mail comes from."""

    PASS = "pass"  # noqa: S105 - the word of RFC 8601
    FAIL = "fail"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """A mail as far as anybody needs it.

    Attributes:
        message_id: with its angle brackets; empty if it has none that can be used.
        sender: whom to answer: the address in From, or that of the envelope if there is none; the
            domain in small letters. Empty if there is neither.
        envelope: the address in the envelope, or ``None`` if the door did not know it; empty for
            the null sender of bounces.
        sender_name: the name beside the address.
        recipients: whom it was for, by the envelope if the door knew it, else by its header.
        subject: decoded, in one line, every space a plain one.
        text: the plain text of its body, quotes included.
        own_text: what the sender wrote: without quotes, signature and forwarded mail.
        in_reply_to: the Message-ID of the mail that it answers, or empty.
        references: the Message-IDs of the thread.
        size: in bytes, as it came.
        automatic: empty, or why it must be neither carried out nor answered.
        verdict: of the host's own mail server.
    """

    message_id: str = ""
    sender: str = ""
    envelope: str | None = None
    sender_name: str = ""
    recipients: tuple[str, ...] = ()
    subject: str = ""
    text: str = ""
    own_text: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    size: int = 0
    automatic: str = ""
    verdict: Verdict = Verdict.NONE

    @property
    def is_cut(self) -> bool:
        """Whether it was too large to be read to its end."""
        return self.size > KEPT


def read_mail(
    raw: bytes,
    *,
    sender: str | None = None,
    recipients: Sequence[str] = (),
    trusted: Collection[str] = (),
    own_hosts: Collection[str] = (),
) -> Mail:
    """Read a mail; whatever the bytes are, there is an answer.

    Args:
        raw: the mail as it came.
        sender: the envelope's sender, empty for the null sender, ``None`` if the door knows none.
        recipients: the envelope's recipients, if the door knows them.
        trusted: names (authserv-id) under which the host's own mail server writes what it found
            out about the sender; what others write there is not believed.
        own_hosts: domains of this site's own Message-IDs, whose mails are never carried out.
    """
    del trusted, own_hosts
    return Mail(size=len(raw), envelope=sender, sender=sender or "", recipients=tuple(recipients))

"""Parser of incoming mail, which accepts any bytes."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from email.utils import getaddresses
from enum import StrEnum

from antipodes.mail.automatic import why_automatic
from antipodes.mail.bodies import read_body
from antipodes.mail.charsets import decode_words
from antipodes.mail.parts import Fields, take_apart
from antipodes.mail.quoting import own_text

_COMMENT = re.compile(r"\([^()]*\)")
_RESULT = re.compile(r"\s*([a-z0-9-]+)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)", re.IGNORECASE)
_DOMAIN = re.compile(
    r"\b(?:header\.(?:d|i|from)|smtp\.mailfrom)\s*=\s*\"?([^\s\";]+)", re.IGNORECASE
)
_METHODS = ("dmarc", "dkim", "spf")
_BAD = {"fail", "hardfail"}


class MailVerdict(StrEnum):
    """The authentication of a mail's origin."""

    PASS = "pass"  # noqa: S105 - the word of RFC 8601
    FAIL = "fail"
    NONE = "none"


def find_verdict(
    fields: Sequence[tuple[str, str]], *, trusted: Collection[str], domain: str
) -> MailVerdict:
    """Return the authentication result of the host's own mail server.

    The DMARC result counts if there is one. Else a valid DKIM signature or SPF result for the
    sender's domain is a pass; a failure counts only without a pass.

    Args:
        fields: the header's names in lower case, and values, the topmost first.
        trusted: names of that server. It must remove fields of others with its name, as RFC 8601
            demands.
        domain: of the address in From.
    """
    results = list(_results(fields, {name.strip().lower() for name in trusted if name.strip()}))
    # DMARC has weighed DKIM and SPF by the policy of the domain, so its result replaces theirs.
    for method, result, _ in results:
        if method == "dmarc" and result == "pass":
            return MailVerdict.PASS
        if method == "dmarc" and result in _BAD:
            return MailVerdict.FAIL
    others = [one for one in results if one[0] != "dmarc"]
    good = [domains for _, result, domains in others if result == "pass"]
    if any(_belongs(one, domain.lower()) for domains in good for one in domains):
        return MailVerdict.PASS
    failed = any(result in _BAD for _, result, _ in others)
    return MailVerdict.FAIL if failed and not good else MailVerdict.NONE


def _results(
    fields: Sequence[tuple[str, str]], trusted: set[str]
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield method, result and domains of the topmost fields of the own server."""
    has_results = False
    for name, value in fields:
        if name == "received" and has_results:
            # Fields below were written by earlier servers, or by the sender.
            return
        if name != "authentication-results":
            continue
        server, *parts = _COMMENT.sub(" ", value[:4_000]).split(";")
        words = server.split()
        if not words or words[0].lower() not in trusted:
            continue
        has_results = True
        for part in parts:
            result = _RESULT.match(part)
            if result and result[1].lower() in _METHODS:
                domains = tuple(
                    text.rpartition("@")[2].lower().rstrip(".") for text in _DOMAIN.findall(part)
                )
                yield result[1].lower(), result[2].lower(), domains


def _belongs(domain: str, sender: str) -> bool:
    """Return whether two domains are equal, or one is a subdomain of the other."""
    if not domain or not sender or "." not in domain:
        return bool(domain) and domain == sender
    return domain == sender or sender.endswith("." + domain) or domain.endswith("." + sender)


__all__ = ["KEPT", "Mail", "MailVerdict", "read_mail"]

KEPT = 1 << 20
"""Number of bytes that are read of a mail; the rest of a larger one is ignored."""

_ADDRESS = re.compile(r"[^\s@<>()\[\],;:\"\\]{1,64}@[^\s@<>()\[\],;:\"\\]{1,190}")
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,250}>")
_LONGEST_SUBJECT = 2_000
_MOST_REFERENCES = 50
_MOST_RECIPIENTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Mail:
    """The parts of a mail that the site needs.

    Attributes:
        message_id: with its angle brackets; empty if it is missing or malformed.
        sender: the address for replies: that in From, or else of the envelope, with the domain
            in lower case. Empty if there is neither.
        envelope: the address in the envelope, or ``None`` if the transport has none; empty for
            the null sender of bounces.
        sender_name: the name beside the address.
        recipients: of the envelope if there is one, else of the header.
        subject: decoded, in one line, with normal spaces.
        text: the plain text of its body, with quotes.
        own_text: the same without quotes, signature and forwarded mail.
        unreadable: why it has no text, such as that it is encrypted; else empty.
        in_reply_to: the Message-ID of the mail that it answers, or empty.
        references: the Message-IDs of the thread.
        size: in bytes.
        automatic: the reason why it is automatic mail; else empty.
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
    unreadable: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    size: int = 0
    automatic: str = ""
    verdict: MailVerdict = MailVerdict.NONE


def read_mail(
    raw: bytes,
    *,
    sender: str | None = None,
    recipients: Sequence[str] = (),
    trusted: Collection[str] = (),
    own_hosts: Collection[str] = (),
) -> Mail:
    """Read a mail; any bytes give a result.

    Args:
        raw: the mail.
        sender: the envelope's sender, empty for the null sender, ``None`` if there is none.
        recipients: the envelope's recipients, if the transport has them.
        trusted: names (authserv-id) of the host's own mail server in Authentication-Results; fields
            of other servers are ignored.
        own_hosts: domains of this site's own Message-IDs, whose mails are never carried out.
    """
    try:
        return _read(raw, sender, recipients, trusted, own_hosts)
    except Exception:  # noqa: BLE001 - unreadable mails must not stop the processing
        return Mail(
            size=len(raw),
            envelope=sender,
            sender=_address(sender or ""),
            recipients=tuple(recipients),
            automatic="it cannot be read",
        )


def _read(
    raw: bytes,
    envelope: str | None,
    recipients: Sequence[str],
    trusted: Collection[str],
    own_hosts: Collection[str],
) -> Mail:
    root, fields = take_apart(raw[:KEPT])
    if envelope is None and fields.raw("return-path").strip():
        # The delivering server writes the envelope's sender there.
        envelope = fields.raw("return-path").strip()
        envelope = "" if envelope == "<>" else _address(envelope)
    name, address = _author(fields)
    sender = address or _address(envelope or "")
    text, unreadable = read_body(root)
    return Mail(
        message_id=_first_id(fields.raw("message-id")),
        sender=sender,
        envelope=envelope,
        sender_name=name,
        recipients=tuple(recipients) or _recipients(fields),
        subject=fields.text("subject")[:_LONGEST_SUBJECT],
        text=text,
        own_text=own_text(text),
        unreadable=unreadable,
        in_reply_to=_first_id(fields.raw("in-reply-to")),
        references=tuple(_MESSAGE_ID.findall(fields.raw("references"))[-_MOST_REFERENCES:]),
        size=len(raw),
        automatic=why_automatic(
            fields,
            content_type=root.get_content_type(),
            envelope=envelope,
            sender=sender,
            own_hosts=own_hosts,
        ),
        verdict=find_verdict(fields.items, trusted=trusted, domain=sender.rpartition("@")[2]),
    )


def _first_id(value: str) -> str:
    found = _MESSAGE_ID.search(value)
    return found[0] if found else ""


def _address(text: str) -> str:
    """Return the first address in a text, with its domain in lower case; else an empty text."""
    found = _ADDRESS.search(text)
    if found is None:
        return ""
    local, _, domain = found[0].rpartition("@")
    return f"{local}@{domain.lower()}"


def _addresses(value: str) -> list[tuple[str, str]]:
    """Return names and addresses in a field."""
    try:
        found = getaddresses([value])
    except (ValueError, LookupError, RecursionError):
        found = [("", value)]
    return [(decode_words(name), _address(text)) for name, text in found if _address(text)]


def _author(fields: Fields) -> tuple[str, str]:
    """Return name and address of the sender."""
    for name in ("from", "sender"):
        found = _addresses(fields.raw(name)[:2_000])
        if found:
            return found[0]
    return "", ""


def _recipients(fields: Fields) -> tuple[str, ...]:
    """Return the recipients in a mail's header, once each, in order."""
    values = [
        value[:4_000]
        for name in ("delivered-to", "x-original-to", "to", "cc")
        for value in list(fields.all(name))[:10]
    ]
    found = [address for value in values for _, address in _addresses(value)]
    return tuple(dict.fromkeys(found))[:_MOST_RECIPIENTS]

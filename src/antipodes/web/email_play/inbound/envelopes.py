"""Sender and recipients of a mail whose envelope is lost, from its headers."""

from __future__ import annotations

from email import policy
from email.headerregistry import Address
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import getaddresses, parseaddr

# Servers that deliver a mail into a mailbox note its envelope in these.
_DELIVERED = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To")
_WRITTEN = ("To", "Cc", "Resent-To", "Resent-Cc")

_MAX_HEADERS = 262_144  # bytes
_MAX_RECIPIENTS = 200


def envelope_of(raw: bytes) -> tuple[str | None, list[str]]:
    """Return sender and recipients of a mail according to its headers.

    The sender is empty for the null sender, and ``None`` if no server has noted it. Headers can be
    forged, so they prove nothing: a reply address carries its own signature.
    """
    header: Message = BytesHeaderParser(policy=policy.compat32).parsebytes(raw[:_MAX_HEADERS])
    sender = header.get("Return-Path")
    recipients = [
        address
        for name in (*_DELIVERED, *_WRITTEN)
        for _, address in getaddresses([str(value) for value in header.get_all(name, [])])
        if address
    ]
    return (
        None if sender is None else parseaddr(str(sender))[1],
        list(dict.fromkeys(recipients))[:_MAX_RECIPIENTS],
    )


def is_address(text: str) -> bool:
    """Return whether a text is one address, such as ``play@example.org``."""
    try:
        address = Address(addr_spec=text)
    except Exception:  # noqa: BLE001 - the library raises many kinds
        return False
    return bool(address.username and address.domain)

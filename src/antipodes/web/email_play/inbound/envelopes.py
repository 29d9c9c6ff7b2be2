"""Whom a mail was for, where its envelope is gone: in a mailbox only the headers tell."""

from __future__ import annotations

from email import policy
from email.headerregistry import Address
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import getaddresses, parseaddr

# Servers that put a mail into a mailbox write its envelope into these.
_DELIVERED = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To")
_WRITTEN = ("To", "Cc", "Resent-To", "Resent-Cc")

_HEADERS = 262_144  # bytes within which headers have to end
_MOST = 200  # addresses that are looked at


def envelope_of(raw: bytes) -> tuple[str | None, list[str]]:
    """Return sender and recipients of a mail, as far as its headers tell.

    The sender is empty for the null sender, and ``None`` where no server has noted it. Headers can
    be forged; so nothing is believed because of them: a reply address carries its own signature.
    """
    header: Message = BytesHeaderParser(policy=policy.compat32).parsebytes(raw[:_HEADERS])
    sender = header.get("Return-Path")
    found = [
        address
        for name in (*_DELIVERED, *_WRITTEN)
        for _, address in getaddresses([str(one) for one in header.get_all(name, [])])
        if address
    ]
    return (
        None if sender is None else parseaddr(str(sender))[1],
        list(dict.fromkeys(found))[:_MOST],
    )


def is_address(text: str) -> bool:
    """Return whether a text is one address, such as ``play@example.org``."""
    try:
        one = Address(addr_spec=text)
    except Exception:  # noqa: BLE001 - the library raises many kinds
        return False
    return bool(one.username and one.domain)

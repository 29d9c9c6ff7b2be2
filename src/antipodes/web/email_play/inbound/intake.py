"""Intake of mail from all transports: each mail is stored in the database, or refused."""

from __future__ import annotations

import logging
import mailbox
import re
from collections.abc import Iterable, Sequence
from email import policy
from email.headerregistry import Address
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import getaddresses, parseaddr
from pathlib import Path

from django.conf import settings
from django.db import close_old_connections

from antipodes.web.email_play import inbox
from antipodes.web.platform.config import data_folder
from antipodes.web.platform.outages import outage_of

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


POSTMASTER = "postmaster"

_MAX_LENGTH = 254  # characters
_TOKEN = re.compile(r"[a-z0-9._-]{1,128}")


def is_own(address: str) -> bool:
    """Return whether an address has the form ``play@host`` or ``play+TOKEN@host``.

    Tokens are verified later, so that clients cannot guess them during delivery.
    """
    local, _, host = address.strip().lower().rpartition("@")
    if not settings.MAIL_HOST or host != settings.MAIL_HOST or len(address) > _MAX_LENGTH:
        return False
    user, plus, token = local.partition("+")
    return user == settings.MAIL_USER and (not plus or _TOKEN.fullmatch(token) is not None)


def is_postmaster(address: str) -> bool:
    """Return whether an address is the host's, which RFC 5321 requires of every site."""
    local, _, host = address.strip().lower().rpartition("@")
    return (local or host) == POSTMASTER and host in {POSTMASTER, settings.MAIL_HOST}


def only_own(addresses: Iterable[str]) -> list[str]:
    """Return the site's own addresses among others, in order and without duplicates."""
    return list(dict.fromkeys(address.strip() for address in addresses if is_own(address)))


logger = logging.getLogger(__name__)

MAX_BYTES = inbox.MAX_BYTES  # of a mail
MAX_RECIPIENTS = 20  # of a mail; more than that is a search for valid addresses
NO_SUCH_ADDRESS = "550 5.1.1 no such address here"

_MAX_POSTMASTER_MAILS = 500


class TryAgainError(Exception):
    """A mail cannot be stored now; its sender must keep it and deliver it again."""


def accept(raw: bytes, *, sender: str | None, recipients: Sequence[str], via: str) -> str:
    """Store a mail in the database, durably, before returning.

    Args:
        raw: the mail as received.
        sender: of the envelope; empty for the null sender, ``None`` if the envelope is unknown.
        recipients: of the envelope, or else of the headers; other sites' addresses are ignored.
        via: the name of the transport.

    Returns:
        The SMTP reply with which the mail is refused for good; empty if it is stored, or was
        before.

    Raises:
        TryAgainError: the database is unavailable, or an error occurred.
    """
    own_recipients = only_own(recipients)
    for_postmaster = any(is_postmaster(address) for address in recipients)
    if not own_recipients and not for_postmaster:
        return NO_SUCH_ADDRESS
    close_old_connections()
    try:
        if for_postmaster:
            _keep_for_postmaster(raw)
        if not own_recipients:
            return ""
        return inbox.receive(raw, sender=sender, recipients=own_recipients, via=via).refused
    except Exception as error:
        if outage_of(error):
            logger.warning("mail deferred via=%s error=%s", via, error)
        else:
            logger.exception("mail not stored via=%s", via)
        raise TryAgainError from error
    finally:
        close_old_connections()


def postmaster_box() -> Path:
    """Return the maildir of mail for the host of the site."""
    return data_folder() / "postmaster"


def _keep_for_postmaster(raw: bytes) -> None:
    """Store a mail for the host; the site does not process it.

    Raises:
        TryAgainError: the maildir is full.
    """
    box = mailbox.Maildir(postmaster_box(), create=True)
    if len(box) >= _MAX_POSTMASTER_MAILS:
        logger.error("mail to postmaster deferred: maildir full path=%s", postmaster_box())
        raise TryAgainError
    box.add(raw)

"""Intake of mail from all transports: each mail is stored in the database, or refused."""

from __future__ import annotations

import logging
import mailbox
from collections.abc import Sequence
from pathlib import Path

from django.db import close_old_connections

from antipodes.web.email_play import inbox
from antipodes.web.email_play.inbound.recipients import is_postmaster, only_own
from antipodes.web.platform.config import data_folder
from antipodes.web.platform.outages import outage_of

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

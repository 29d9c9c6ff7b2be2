"""What all doors do with a mail: it becomes a row, or it is said why not."""

from __future__ import annotations

import logging
import mailbox
from collections.abc import Sequence
from pathlib import Path

from django.db import close_old_connections

from antipodes.web.email_play import inbox
from antipodes.web.email_play.inbound.recipients import is_postmaster, ours
from antipodes.web.platform.config import data_folder
from antipodes.web.platform.outages import OUTAGES

logger = logging.getLogger(__name__)

MOST_BYTES = inbox.MAX_BYTES  # of a mail; what is larger is no command and no move
MOST_RECIPIENTS = 20  # of one mail: more means that somebody tries addresses out
NO_SUCH_ADDRESS = "550 5.1.1 there is no such address here"

_MOST_FOR_POSTMASTER = 500  # mails that are kept until somebody reads them


class TryAgainError(Exception):
    """A mail cannot be taken now; whoever brings it shall keep it and come again."""


def take(raw: bytes, *, sender: str | None, recipients: Sequence[str], via: str) -> str:
    """Take a mail; when this returns it is in the database, and nothing can lose it.

    Args:
        raw: the mail as it came.
        sender: of the envelope; empty for the null sender, ``None`` where there is no envelope.
        recipients: of the envelope, or of the header; those that are not ours are left out.
        via: the name of the door.

    Returns:
        Why the mail is refused for good, with the code of SMTP that says so; empty if it is taken,
        now or before.

    Raises:
        TryAgainError: the database is away, or something is wrong here.
    """
    for_us = ours(recipients)
    if not for_us and not any(is_postmaster(one) for one in recipients):
        return NO_SUCH_ADDRESS
    close_old_connections()
    try:
        if any(is_postmaster(one) for one in recipients):
            _keep_for_postmaster(raw)
        if not for_us:
            return ""
        return inbox.receive(raw, sender=sender, recipients=for_us, via=via).refused
    except OUTAGES as error:
        logger.warning("a mail is put off, because something is away: %s", error)
        raise TryAgainError from error
    except Exception as error:
        logger.exception("a mail that came by %s cannot be taken", via)
        raise TryAgainError from error
    finally:
        close_old_connections()


def postmaster_box() -> Path:
    """Return the maildir of mail for whoever runs the site."""
    return data_folder() / "postmaster"


def _keep_for_postmaster(raw: bytes) -> None:
    """Keep a mail for whoever runs the site; no program answers it.

    Raises:
        TryAgainError: nobody has read such mail for long.
    """
    box = mailbox.Maildir(postmaster_box(), create=True)
    if len(box) >= _MOST_FOR_POSTMASTER:
        logger.error("mail for postmaster is put off: %s is full", postmaster_box())
        raise TryAgainError
    box.add(raw)

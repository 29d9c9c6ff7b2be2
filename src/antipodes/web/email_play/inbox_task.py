"""The round that carries out what came by mail.

One transaction holds the lock of an arrival, all that its requests change, the letters put into the
outbox, and the note that it is handled. So wherever a process dies, a mail is carried out exactly
once, and its answer is in the outbox exactly when that has happened.
"""

from __future__ import annotations

import logging
import re

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.urls import reverse

from antipodes.mail.incoming import read_mail
from antipodes.web.email_play import inbox
from antipodes.web.email_play.bounces import take_back
from antipodes.web.email_play.match_emails import english
from antipodes.web.email_play.models import InboundMailRow
from antipodes.web.email_play.processing import Visit
from antipodes.web.notifications.emails import site_domain
from antipodes.web.notifications.outbox import send_outbox
from antipodes.web.platform.background import in_background
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import OUTAGES
from antipodes.web.platform.periodic import every
from antipodes.web.platform.throttling import share_of_time

logger = logging.getLogger(__name__)

_AT_ONCE = 500  # mails in one round
_SHARE = 0.5  # of the time of a round, so that many mails do not keep moves from being stored
_MOST_ATTEMPTS = 5
_PAUSE = 20_000  # milliseconds after a failure
_DAY = 86_400_000  # milliseconds

KEPT = 90  # days for which a Message-ID is known again

# A letter of ours that has come back without the headers by which it is known. Others may send mail
# from the same domain, so that alone says nothing.
_OWN = re.compile(
    r"<(?:mail|board|digest|match|notices|warning|invitation|sought|followed)\.[^@>]*@(.*)> \1$",
    re.DOTALL,
)

Outcome = InboundMailRow.Outcome


def handle_due() -> int:
    """Carry out all mails that wait; return how many that were."""
    count = 0
    passed: set[int] = set()
    while count < _AT_ONCE:
        due = InboundMailRow.objects.filter(due_at__lte=now()).exclude(pk__in=passed)
        key = due.order_by("pk").values_list("pk", flat=True).first()
        if key is None:
            break
        passed.add(key)
        with share_of_time(_SHARE):
            count += _try(key)
    return count


def _try(key: int) -> bool:
    """Handle a mail; return whether it was done, and by this process."""
    waiting = InboundMailRow.objects.filter(pk=key, handled_at=None)
    # Counted before and not with the rest: it counts above all where a mail kills the process.
    waiting.update(attempts=F("attempts") + 1)
    try:
        with transaction.atomic(), english():
            row = waiting.select_for_update(skip_locked=True).first()
            if row is None:
                return False
            _finish(row, _handle(row))
    except OUTAGES:
        logger.warning("mail %s waits: the database is away", key, exc_info=True)
        raise
    except Exception:
        logger.exception("mail %s could not be handled", key)
        InboundMailRow.objects.filter(pk=key, handled_at=None).update(due_at=now() + _PAUSE)
        return False
    return True


def _finish(row: InboundMailRow, outcome: Outcome) -> None:
    """Note what became of a mail, and keep nothing of it but the hash of its name."""
    InboundMailRow.objects.filter(pk=row.pk).update(
        raw=b"", sender=None, recipients=[], due_at=None, handled_at=now(), outcome=outcome
    )


def _handle(row: InboundMailRow) -> Outcome:
    """Do what a mail asks for, or say that it cannot be done."""
    if row.attempts > _MOST_ATTEMPTS + 1:
        return Outcome.FAILED  # not even that could be said
    if take_back(bytes(row.raw), row.recipients):
        return Outcome.SILENT
    mail = read_mail(
        bytes(row.raw),
        sender=row.sender,
        recipients=row.recipients,
        trusted=settings.MAIL_AUTHSERV_ID,
    )
    if mail.automatic or _OWN.match(f"{mail.message_id} {site_domain()}"):
        return Outcome.SILENT
    visit = Visit(mail, row)
    return visit.give_up() if row.attempts > _MOST_ATTEMPTS else visit.carry_out()


@every(1)
@in_background
def handle_mail() -> None:
    """Carry out what has come, and let the answers go at once."""
    if handle_due():
        send_outbox()


def get_ready() -> None:
    """Load what letters need: the addresses of all pages, which takes a second or two."""
    reverse("home")


def handle_at_once() -> None:
    """Let this process carry out mails as soon as it has stored them, and not in the next round.

    For processes with doors. A thread of its own does it, so that doors go on taking mail.
    """
    inbox.when_something_comes(handle_mail)


@every(3_600)
def forget_names() -> None:
    """Forget by which names mails were known that came long ago."""
    old = InboundMailRow.objects.filter(came_at__lt=now() - KEPT * _DAY)
    old.exclude(handled_at=None).delete()

"""Periodic task that processes inbound mail.

One transaction locks a mail, applies its commands, puts the replies into the outbox and marks the
mail as processed. So each mail is processed and answered exactly once, even if a process dies.
"""

from __future__ import annotations

import logging
import re
from dataclasses import replace

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.urls import reverse

from antipodes.clocks import DAY
from antipodes.mail.incoming import Mail, read_mail
from antipodes.mail.quoting import own_text, without_sent
from antipodes.web.email_play import inbox
from antipodes.web.email_play.bounces import process_bounce
from antipodes.web.email_play.match_emails import english
from antipodes.web.email_play.models import InboundMailRow
from antipodes.web.email_play.processing import MailProcessor
from antipodes.web.notifications.emails import site_domain
from antipodes.web.notifications.models import EmailRow
from antipodes.web.platform.background import in_background
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import outage_of
from antipodes.web.platform.throttling import share_of_time

logger = logging.getLogger(__name__)

_BATCH = 500  # mails in one run
_SHARE = 0.5  # of the time of a run, so that a flood of mail does not delay moves
_MAX_ATTEMPTS = 5
_RETRY_DELAY = 20_000  # milliseconds
_MOST_OF_THREAD = 5  # e-mails of a thread whose text is looked for in a reply

KEPT = 90  # days for which duplicates of a mail are recognised

# The Message-ID of an e-mail of the site that came back without the headers that mark it. The kinds
# are listed since other people may send mail from the same domain.
_OWN = re.compile(
    r"<(?:mail|board|digest|match|notices|warning|invitation|sought|followed)\.[^@>]*@(.*)> \1$",
    re.DOTALL,
)

Outcome = InboundMailRow.Outcome


def process_due_mails() -> int:
    """Process all waiting mails; return their number."""
    count = 0
    seen: set[int] = set()
    while count < _BATCH:
        due = _due_mails().exclude(pk__in=seen)
        key = due.order_by("pk").values_list("pk", flat=True).first()
        if key is None:
            break
        # Once in a run: a mail that another process has locked stays due.
        seen.add(key)
        with share_of_time(_SHARE):
            count += _try(key)
    return count


def _due_mails() -> QuerySet[InboundMailRow]:
    return InboundMailRow.objects.filter(due_at__lte=now())


def _try(key: int) -> bool:
    """Process a mail; return whether this process has finished it."""
    waiting = InboundMailRow.objects.filter(pk=key, processed_at=None)
    # Counted outside the transaction, since a mail that kills the process must count too.
    waiting.update(attempts=F("attempts") + 1)
    try:
        with transaction.atomic(), english():
            row = waiting.select_for_update(skip_locked=True).first()
            if row is None:
                return False
            _finish(row, _process(row))
    except Exception as error:
        if outage_of(error):
            logger.warning("mail postponed: database unavailable id=%s", key, exc_info=True)
            raise
        logger.exception("mail processing failed id=%s", key)
        retry_at = now() + _RETRY_DELAY
        InboundMailRow.objects.filter(pk=key, processed_at=None).update(due_at=retry_at)
        return False
    return True


def _finish(row: InboundMailRow, outcome: Outcome) -> None:
    """Store the outcome of a mail, and delete everything but the hash of its Message-ID."""
    InboundMailRow.objects.filter(pk=row.pk).update(
        raw=b"", sender=None, recipients=[], due_at=None, processed_at=now(), outcome=outcome
    )


def _process(row: InboundMailRow) -> Outcome:
    if row.attempts > _MAX_ATTEMPTS + 1:
        return Outcome.FAILED  # even the reply about the failure failed
    if process_bounce(bytes(row.raw), row.recipients):
        return Outcome.IGNORED
    mail = read_mail(
        bytes(row.raw),
        sender=row.sender,
        recipients=row.recipients,
        trusted=settings.MAIL_AUTHSERV_ID,
    )
    if mail.automatic or _OWN.match(f"{mail.message_id} {site_domain()}"):
        return Outcome.IGNORED
    processor = MailProcessor(_without_sent_text(mail), row)
    return processor.fail() if row.attempts > _MAX_ATTEMPTS else processor.process()


def _without_sent_text(mail: Mail) -> Mail:
    """Return a mail without text of the site's e-mails in its thread, as long as the site has them.

    They are deleted after a month; then only quotes in known forms are recognised.
    """
    thread = [mail.in_reply_to, *reversed(mail.references)]
    recent = list(dict.fromkeys(one for one in thread if one))[:_MOST_OF_THREAD]
    if not recent or not mail.own_text:
        return mail
    sent = EmailRow.objects.filter(message_id__in=recent).values_list("text", flat=True)
    text = without_sent(mail.text, list(sent[:_MOST_OF_THREAD]))
    return mail if text == mail.text else replace(mail, own_text=own_text(text))


@in_background
def process_mail() -> None:
    """Process waiting mails; their replies wake the delivery loop."""
    process_due_mails()


def find_mail() -> None:
    """Process waiting mails, if there are any; a thread and its connection cost more to start."""
    if _due_mails().exists():
        process_mail()


def warm_up() -> None:
    """Load the URLs of all pages, which e-mails contain; this takes a second or two."""
    reverse("home")


def process_on_arrival() -> None:
    """Process mails as soon as this process has stored them, without waiting for the periodic task.

    A separate thread processes them, so that transports keep receiving.
    """
    inbox.on_new_mail(process_mail)


def delete_old_mails() -> None:
    """Delete processed mails whose duplicates need no longer be recognised."""
    old = InboundMailRow.objects.filter(received_at__lt=now() - KEPT * DAY)
    old.exclude(processed_at=None).delete()

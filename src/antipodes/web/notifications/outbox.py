"""Outbox: e-mails are stored as rows, and the worker sends them.

Delivery to the mail server is at least once. The worker claims a row before it sends the e-mail
and marks it as sent afterwards. Only a crash between the server's acceptance and that mark sends an
e-mail twice, with the same Message-ID, so that mail clients can drop the duplicate. Temporary
failures are retried with growing pauses for three days; permanent ones are not.
"""

from __future__ import annotations

import logging
import quopri
import smtplib
from collections.abc import Iterable, Iterator
from email.encoders import encode_base64
from email.mime.image import MIMEImage
from email.mime.nonmultipart import MIMENonMultipart

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import IntegrityError, transaction
from django.db.models import Count, Min
from prometheus_client.core import GaugeMetricFamily, Metric

from antipodes.clocks import DAY, MINUTE
from antipodes.mail.deliveries import status_in
from antipodes.web.notifications import delivery, mail_play, undeliverable
from antipodes.web.notifications.email_message import EmailMessage, draw
from antipodes.web.notifications.models import (
    AttachmentRow,
    EmailRow,
    UndeliverableAddressRow,
    new_token,
)
from antipodes.web.platform.clock import now

logger = logging.getLogger(__name__)

_TIMEOUT = 20  # seconds for each reply of the mail server

# All in milliseconds.
_LEASE = 15 * MINUTE  # longer than sending one e-mail can take; afterwards the claim has expired
_RETRY_PAUSES = tuple(minutes * MINUTE for minutes in (1, 5, 15, 60, 120, 240))
_RETRY_LIMIT = 3 * DAY

_TEMPORARY = range(400, 500)  # SMTP codes of temporary failures
_OF_RECIPIENT = ("5.1.", "5.2.")  # status codes about the address and its mailbox
_OF_SENDER = ("5.0.0", "5.1.0", "5.1.7", "5.1.8", "5.7.0", "5.7.1")  # possibly about the sender

_Refused = smtplib.SMTPSenderRefused | smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError
_REFUSALS = (smtplib.SMTPSenderRefused, smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError)

BOUNCE_HEADER = "X-Antipodes-Letter"
"""Header with the bounce address of an e-mail, which is its envelope sender too."""


def enqueue(email: EmailMessage) -> EmailRow | None:
    """Add an e-mail to the outbox; return its row, or ``None`` if its key is there already."""
    at = now()
    try:
        with transaction.atomic():
            row = EmailRow.objects.create(
                key=email.key,
                user=email.user,
                to=email.to,
                subject=" ".join(email.subject.split())[:200],
                text=email.text,
                html=email.html,
                headers=dict(email.headers),
                message_id=email.message_id,
                thread=email.thread,
                made_at=at,
                due_at=at,
            )
            AttachmentRow.objects.bulk_create(
                AttachmentRow(
                    email=row,
                    cid=attachment.cid,
                    name=attachment.name,
                    type=attachment.type,
                    content=attachment.content,
                    drawing=attachment.drawing,
                )
                for attachment in email.attachments
            )
    except IntegrityError:
        return None
    delivery.wake()
    return row


def next_attempt() -> int | None:
    """Return when the next e-mail that waits now is due; ``None`` if there is none."""
    waiting = EmailRow.objects.filter(due_at__gt=now()).order_by("due_at")
    return waiting.values_list("due_at", flat=True).first()


def send_due_emails() -> int:
    """Send all due e-mails; return how many the mail server accepted."""
    sent = 0
    connection: BaseEmailBackend | None = None
    try:
        while row := _claim():
            connection = connection or _connect(row)
            if connection is None:
                break  # the mail server cannot be reached
            if _send(row, connection):
                sent += 1
            else:
                # The connection may be unusable after an error.
                _close(connection)
                connection = None
    finally:
        if connection is not None:
            _close(connection)
    return sent


def _connect(row: EmailRow) -> BaseEmailBackend | None:
    """Connect to the mail server; if that fails, postpone the e-mail and return ``None``."""
    connection = get_connection(timeout=_TIMEOUT)
    try:
        connection.open()
    except (smtplib.SMTPException, OSError) as error:
        _postpone(row, error)
        return None
    return connection


def _claim() -> EmailRow | None:
    """Claim the next due e-mail, so that no other process sends it."""
    while True:
        due = EmailRow.objects.filter(due_at__lte=now()).order_by("due_at", "pk")
        row = due.values_list("pk", "due_at", "attempts").first()
        if row is None:
            return None
        key, due_at, attempts = row
        claim = new_token()
        # Compare and swap: nothing is updated if another process has claimed it meanwhile.
        untouched = EmailRow.objects.filter(pk=key, due_at=due_at, attempts=attempts)
        if untouched.update(claim=claim, attempts=attempts + 1, due_at=now() + _LEASE):
            return EmailRow.objects.get(pk=key)


def _send(row: EmailRow, connection: BaseEmailBackend) -> bool:
    """Send a claimed e-mail and record the outcome."""
    try:
        _transmit(row, connection)
    except (smtplib.SMTPException, OSError) as error:
        if is_final(error):
            _give_up(row, error)
        else:
            _postpone(row, error)
        return False
    except Exception as error:
        logger.exception("outbox cannot build email=%s", row.pk)
        _give_up(row, error)
        return False
    _record(row, due_at=None, sent_at=now(), trouble="")
    return True


def _transmit(row: EmailRow, connection: BaseEmailBackend) -> None:
    """Pass an e-mail to the mail server.

    Some servers accept only the authenticated account as envelope sender; then bounces go to the
    ``From`` address.
    """
    message = django_message(row, connection)
    try:
        message.send()
    except _REFUSALS as error:
        if message.from_email == settings.DEFAULT_FROM_EMAIL or not _may_reject_sender(error):
            raise
        logger.info(
            "outbox falls back to the default sender email=%s error=%s", row.pk, _code_of(error)
        )
        message.from_email = settings.DEFAULT_FROM_EMAIL
        message.send()


def _may_reject_sender(error: _Refused) -> bool:
    """Return whether a mail server may have rejected an e-mail because of its envelope sender.

    Many servers check the sender only after ``RCPT TO`` or after the data.
    """
    if isinstance(error, smtplib.SMTPSenderRefused):
        return error.smtp_code not in _TEMPORARY
    if isinstance(error, smtplib.SMTPDataError):
        return status_in(f"{error.smtp_code} {_text(error.smtp_error)}") in _OF_SENDER
    answers = [f"{code} {_text(said)}" for code, said in error.recipients.values()]
    return all(status_in(answer) in _OF_SENDER for answer in answers)


def _text(said: bytes | str) -> str:
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else said


def _postpone(row: EmailRow, error: Exception) -> None:
    """Retry an e-mail later, with growing pauses."""
    if row.made_at + _RETRY_LIMIT <= now():
        _give_up(row, error)
        return
    pause = _RETRY_PAUSES[min(row.attempts, len(_RETRY_PAUSES)) - 1]
    _record(row, due_at=now() + pause, trouble=_describe(error))


def _give_up(row: EmailRow, error: Exception) -> None:
    logger.warning("outbox gives up email=%s error=%s", row.pk, _code_of(error))
    _record(row, due_at=None, trouble=_describe(error))
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        for _code, said in error.recipients.values():
            # Other refusals may be caused by this site and would affect all recipients.
            if (status := status_in(_text(said))).startswith(_OF_RECIPIENT):
                undeliverable.record_bounce(row, status)


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:500]


def _code_of(error: Exception) -> str:
    """Return an error's type and codes, without the server's reply, which contains addresses."""
    codes = [getattr(error, "smtp_code", None)]
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _reply in error.recipients.values()]
    return " ".join([type(error).__name__, *(str(code) for code in codes if code is not None)])


def _record(row: EmailRow, **values: object) -> None:
    """Record the outcome for an e-mail, if the claim is still valid."""
    EmailRow.objects.filter(pk=row.pk, claim=row.claim).update(claim="", **values)


def _close(connection: BaseEmailBackend) -> None:
    try:
        connection.close()
    except (smtplib.SMTPException, OSError):
        logger.debug("outbox could not close the connection", exc_info=True)


def is_final(error: Exception) -> bool:
    """Return whether a mail server refuses an e-mail permanently.

    Errors of the connection, such as a wrong password, are not permanent: the host can fix them.
    """
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code not in _TEMPORARY for code, _ in error.recipients.values())
    if isinstance(error, smtplib.SMTPSenderRefused | smtplib.SMTPDataError):
        return error.smtp_code not in _TEMPORARY
    return isinstance(error, smtplib.SMTPNotSupportedError)


def django_message(
    row: EmailRow, connection: BaseEmailBackend | None = None
) -> EmailMultiAlternatives:
    """Return an e-mail as Django's message: text first, HTML with images second."""
    bounce_address = mail_play.return_path(row)
    named = (
        {"From": settings.DEFAULT_FROM_EMAIL, BOUNCE_HEADER: bounce_address}
        if bounce_address
        else {}
    )
    message = EmailMultiAlternatives(
        subject=row.subject,
        body=row.text,
        from_email=bounce_address or None,  # envelope sender
        to=[row.to],
        headers={**row.headers, **named, "Message-ID": row.message_id},
        connection=connection,
    )
    if row.html:
        message.attach_alternative(row.html, "text/html")
        message.mixed_subtype = "related"  # type: ignore[attr-defined]  # the stubs do not know it
        for attachment in with_content(row.attachments.order_by("pk")):
            message.attach(_part(attachment))
    return message


def with_content(rows: Iterable[AttachmentRow]) -> list[AttachmentRow]:
    """Return attachments with their content; boards are drawn now."""
    found = list(rows)
    for one in found:
        if not one.content and one.drawing is not None:
            one.content = draw(one.drawing, one.type)
    return found


def _part(row: AttachmentRow) -> MIMEImage:
    kind = row.type.rsplit("/", maxsplit=1)[-1]
    image = MIMEImage(bytes(row.content), kind, _as_text if kind == "svg+xml" else encode_base64)
    image.add_header("Content-ID", f"<{row.cid}>")
    image.add_header("Content-Disposition", "inline", filename=row.name)
    return image


def _as_text(part: MIMENonMultipart) -> None:
    """Encode SVG as quoted-printable, which is a third shorter than base64."""
    part.set_payload(quopri.encodestring(bytes(part.get_payload(decode=True))).decode("ascii"))
    part["Content-Transfer-Encoding"] = "quoted-printable"


def outbox_metrics() -> Iterator[Metric]:
    """Yield how much mail waits to be sent and for how long, and how many addresses bounce."""
    emails = EmailRow.objects.filter(due_at__gt=0)
    waiting = emails.aggregate(count=Count("pk"), oldest=Min("made_at"))
    age = 0 if waiting["oldest"] is None else max(now() - waiting["oldest"], 0)
    bounced = UndeliverableAddressRow.objects
    stopped = bounced.exclude(stopped_at=None).count()
    for name, told, value in (
        ("waiting", "E-mails that wait to be sent", waiting["count"]),
        ("waiting_seconds", "Age of the oldest of these e-mails", age / 1_000),
        ("bounced_addresses", "Addresses from which e-mails bounced lately", bounced.count()),
        ("stopped_addresses", "Those of these that get no more e-mails", stopped),
    ):
        yield GaugeMetricFamily(f"antipodes_mail_{name}", told, value=value)

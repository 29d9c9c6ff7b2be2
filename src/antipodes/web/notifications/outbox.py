"""The outbox: mail is a row first, and is sent from there by the worker.

What is promised: a letter that was written is sent, whichever process dies when. It is claimed
before it is sent and noted afterwards; so it is sent twice only if a process dies in the moment
between the mail server's consent and the note, and then with the same Message-ID, by which mail
programs know it for the same. What a server cannot take now is tried again, later and later, for
three days; what it refuses for good is given up.
"""

from __future__ import annotations

import logging
import quopri
import smtplib
from collections.abc import Iterable
from email.encoders import encode_base64
from email.mime.image import MIMEImage
from email.mime.nonmultipart import MIMENonMultipart

from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import IntegrityError, transaction

from antipodes.mail.deliveries import status_in
from antipodes.web.notifications import mail_play, undeliverable
from antipodes.web.notifications.board_images import SVG, draw, pixels
from antipodes.web.notifications.email_message import EmailMessage
from antipodes.web.notifications.models import AttachmentRow, EmailRow, new_token
from antipodes.web.platform.background import in_background
from antipodes.web.platform.clock import now
from antipodes.web.platform.periodic import every

logger = logging.getLogger(__name__)

_PATIENCE = 20  # seconds that a mail server may take for each answer
_AT_ONCE = 200  # letters sent in one round

# All in milliseconds.
_MINUTE = 60_000
_LEASE = 15 * _MINUTE  # longer than sending one letter can take; after it a claim counts as dead
_PAUSES = tuple(minutes * _MINUTE for minutes in (1, 5, 15, 60, 120, 240))
_TRIED_FOR = 3 * 24 * 60 * _MINUTE

_TEMPORARY = range(400, 500)  # codes of a mail server that may think otherwise later
_OF_RECIPIENT = ("5.1.", "5.2.")  # statuses that speak of an address and its mailbox
_OF_SENDER = ("5.0.0", "5.1.0", "5.1.7", "5.1.8", "5.7.0", "5.7.1")  # that may speak of the sender

_Refused = smtplib.SMTPSenderRefused | smtplib.SMTPRecipientsRefused | smtplib.SMTPDataError
_REFUSALS = (smtplib.SMTPSenderRefused, smtplib.SMTPRecipientsRefused, smtplib.SMTPDataError)

LETTER_HEADER = "X-Antipodes-Letter"
"""The field with the address to which a letter comes back; it is the envelope's sender too."""


def post(draft: EmailMessage) -> EmailRow | None:
    """Put a letter into the outbox; return its row, or ``None`` if it had been put there before."""
    at = now()
    try:
        with transaction.atomic():
            row = EmailRow.objects.create(
                key=draft.key,
                user=draft.user,
                to=draft.to,
                subject=" ".join(draft.subject.split())[:200],
                text=draft.text,
                html=draft.html,
                headers=dict(draft.headers),
                message_id=draft.message_id,
                thread=draft.thread,
                made_at=at,
                due_at=at,
            )
            AttachmentRow.objects.bulk_create(
                AttachmentRow(
                    letter=row,
                    cid=one.cid,
                    name=one.name,
                    type=one.type,
                    content=one.content,
                    drawing=one.drawing,
                )
                for one in draft.enclosures
            )
    except IntegrityError:
        return None
    return row


def deliver() -> int:
    """Send all letters that are due; return how many were taken by the mail server."""
    sent = 0
    connection: BaseEmailBackend | None = None
    try:
        for _ in range(_AT_ONCE):
            row = _claim()
            if row is None:
                break
            connection = connection or _opened(row)
            if connection is None:
                break  # the mail server cannot be reached: other letters need not try now
            if _send(row, connection):
                sent += 1
            else:
                # After an error nobody knows what a connection is still good for.
                _close(connection)
                connection = None
    finally:
        if connection is not None:
            _close(connection)
    return sent


def _opened(row: EmailRow) -> BaseEmailBackend | None:
    """Return a connection to the mail server; without one a letter is put off."""
    connection = get_connection(timeout=_PATIENCE)
    try:
        connection.open()
    except (smtplib.SMTPException, OSError) as error:
        _put_off(row, error)
        return None
    return connection


def _claim() -> EmailRow | None:
    """Take the next letter for this process, so that no other one sends it."""
    while True:
        due = EmailRow.objects.filter(due_at__lte=now()).order_by("due_at", "pk")
        row = due.values_list("pk", "due_at", "attempts").first()
        if row is None:
            return None
        key, due_at, attempts = row
        claim = new_token()
        untouched = EmailRow.objects.filter(pk=key, due_at=due_at, attempts=attempts)
        if untouched.update(claim=claim, attempts=attempts + 1, due_at=now() + _LEASE):
            return EmailRow.objects.get(pk=key)


def _send(row: EmailRow, connection: BaseEmailBackend) -> bool:
    """Send a claimed letter, and note what came of it."""
    try:
        _hand_over(row, connection)
    except (smtplib.SMTPException, OSError) as error:
        if is_final(error):
            _give_up(row, error)
        else:
            _put_off(row, error)
        return False
    except Exception as error:
        logger.exception("letter %s cannot be written as a mail", row.pk)
        _give_up(row, error)
        return False
    _note(row, due_at=None, sent_at=now(), trouble="")
    return True


def _hand_over(row: EmailRow, connection: BaseEmailBackend) -> None:
    """Give a letter to the mail server.

    Some servers take no sender but the one who has signed in; with them letters come back to whom
    they are from.
    """
    message = message_of(row, connection)
    try:
        message.send()
    except _REFUSALS as error:
        if message.from_email == settings.DEFAULT_FROM_EMAIL or not _minds_sender(error):
            raise
        logger.info("letter %s is sent with the plain sender: %s", row.pk, _code_of(error))
        message.from_email = settings.DEFAULT_FROM_EMAIL
        message.send()


def _minds_sender(error: _Refused) -> bool:
    """Return whether a mail server may refuse a letter because of the sender of its envelope.

    Many servers look at the sender only when they hear of a recipient, or see the whole letter.
    """
    if isinstance(error, smtplib.SMTPSenderRefused):
        return error.smtp_code not in _TEMPORARY
    if isinstance(error, smtplib.SMTPDataError):
        return status_in(f"{error.smtp_code} {_text(error.smtp_error)}") in _OF_SENDER
    answers = [f"{code} {_text(said)}" for code, said in error.recipients.values()]
    return all(status_in(answer) in _OF_SENDER for answer in answers)


def _text(said: bytes | str) -> str:
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else said


def _put_off(row: EmailRow, error: Exception) -> None:
    """Try a letter again later; the more often that was in vain, the later."""
    if row.made_at + _TRIED_FOR <= now():
        _give_up(row, error)
        return
    pause = _PAUSES[min(row.attempts, len(_PAUSES)) - 1]
    _note(row, due_at=now() + pause, trouble=_said(error))


def _give_up(row: EmailRow, error: Exception) -> None:
    logger.warning("letter %s is given up: %s", row.pk, _code_of(error))
    _note(row, due_at=None, trouble=_said(error))
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        for _code, said in error.recipients.values():
            # Other refusals may be the fault of this site, and would hit everybody.
            if (status := status_in(_text(said))).startswith(_OF_RECIPIENT):
                undeliverable.note_failure(row, status)


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:500]


def _code_of(error: Exception) -> str:
    """Return what an error is without what a server said of it, which names mail addresses."""
    codes = [getattr(error, "smtp_code", None)]
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        codes = [code for code, _said_of_it in error.recipients.values()]
    return " ".join([type(error).__name__, *(str(code) for code in codes if code is not None)])


def _note(row: EmailRow, **values: object) -> None:
    """Write down what became of a letter, if its claim still holds."""
    EmailRow.objects.filter(pk=row.pk, claim=row.claim).update(claim="", **values)


def _close(connection: BaseEmailBackend) -> None:
    try:
        connection.close()
    except (smtplib.SMTPException, OSError):
        logger.debug("a mail server did not say good-bye", exc_info=True)


def is_final(error: Exception) -> bool:
    """Return whether a mail server refuses a letter for good, and not only now.

    What has to do with the server as a whole, such as a wrong password, is not the letter's fault:
    its host will put it right.
    """
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code not in _TEMPORARY for code, _ in error.recipients.values())
    if isinstance(error, smtplib.SMTPSenderRefused | smtplib.SMTPDataError):
        return error.smtp_code not in _TEMPORARY
    return isinstance(error, smtplib.SMTPNotSupportedError)


def message_of(row: EmailRow, connection: BaseEmailBackend | None = None) -> EmailMultiAlternatives:
    """Return a letter as Django's mail: text first, the same with pictures second."""
    returns = mail_play.returns_to(row)
    named = {"From": settings.DEFAULT_FROM_EMAIL, LETTER_HEADER: returns} if returns else {}
    message = EmailMultiAlternatives(
        subject=row.subject,
        body=row.text,
        from_email=returns or None,  # of the envelope
        to=[row.to],
        headers={**row.headers, **named, "Message-ID": row.message_id},
        connection=connection,
    )
    if row.html:
        message.attach_alternative(row.html, "text/html")
        message.mixed_subtype = "related"  # type: ignore[attr-defined]  # the stubs do not know it
        for one in drawn(row.enclosures.order_by("pk")):
            message.attach(_part(one))
    return message


def drawn(rows: Iterable[AttachmentRow]) -> list[AttachmentRow]:
    """Return the pictures of a letter with their files; those that have none yet are drawn."""
    found = list(rows)
    for one in found:
        if not one.content and one.drawing is not None:
            one.content = draw(one.drawing, one.type)
    # Of letters that an earlier version has written only the drawing is there.
    svg = next((bytes(one.content) for one in found if one.type == SVG), b"")
    for one in found:
        if not one.content and svg:
            one.content = pixels(svg.decode())
    return found


def _part(row: AttachmentRow) -> MIMEImage:
    """Return a picture as a part of a mail."""
    kind = row.type.rsplit("/", maxsplit=1)[-1]
    picture = MIMEImage(bytes(row.content), kind, _as_text if kind == "svg+xml" else encode_base64)
    picture.add_header("Content-ID", f"<{row.cid}>")
    picture.add_header("Content-Disposition", "inline", filename=row.name)
    return picture


def _as_text(part: MIMENonMultipart) -> None:
    """Write the lines of a drawing in SVG as they are; base64 would make it a third longer."""
    part.set_payload(quopri.encodestring(bytes(part.get_payload(decode=True))).decode("ascii"))
    part["Content-Transfer-Encoding"] = "quoted-printable"


@every(5)
@in_background
def send_mail() -> None:
    """Send what is due."""
    deliver()

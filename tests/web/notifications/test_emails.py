"""E-mails and the outbox, with a real SMTP server on this machine."""

import email
import email.policy
import re
import smtplib
import socket
from types import SimpleNamespace
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from django.db import OperationalError
from django.test import Client

from antipodes.match import Play
from antipodes.web.accounts.models import LanguageRow
from antipodes.web.matches.services import carry_out
from antipodes.web.notifications import emails, outbox
from antipodes.web.notifications.email_message import EmailMessage
from antipodes.web.notifications.emails import write_emails
from antipodes.web.notifications.kinds import Frequency, NotificationKind
from antipodes.web.notifications.models import (
    AttachmentRow,
    EmailRow,
    NotificationRow,
    PreferenceRow,
)
from antipodes.web.notifications.outbox import enqueue, send_due_emails
from antipodes.web.notifications.services import notify
from tests.raising import raising
from tests.web.notifications.conftest import DAY, HOUR, MINUTE, instant

pytestmark = pytest.mark.django_db


class Inbox:
    """Handler of the SMTP server: accepted e-mails, and its next answer if that is an error."""

    def __init__(self):
        self.mails: list[Any] = []
        self.answer = ""
        self.answer_to_address = ""

    async def handle_RCPT(self, _server, _session, envelope, address, _options):  # noqa: N802
        if self.answer_to_address:
            return self.answer_to_address
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server, _session, envelope):  # noqa: N802
        if self.answer:
            return self.answer
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.mails.append(SimpleNamespace(to=envelope.rcpt_tos, mail=mail))
        return "250 OK"

    def texts(self):
        return [one.mail.get_body(("plain",)).get_content() for one in self.mails]


@pytest.fixture
def inbox(settings):
    """A running SMTP server."""
    handler = Inbox()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = Controller(handler, hostname="127.0.0.1", port=port)
    server.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_PORT = port
    settings.SITE_URL = "https://antipodes.example"
    yield handler
    server.stop()


@pytest.fixture
def queued():
    """Add an e-mail to the outbox."""

    def make(key="k", **more):
        draft: dict[str, Any] = {
            "key": key,
            "to": "ann@example.org",
            "subject": "News",
            "text": "Something",
            "message_id": f"<{key}@antipodes.example>",
        }
        row = enqueue(EmailMessage(**(draft | more)))
        assert row is not None
        return row

    return make


def turn(user, match, key="turn 1"):
    return notify(user, NotificationKind.YOUR_TURN, key=key, match=match)


def send():
    write_emails()
    return send_due_emails()


def test_a_turn_is_mailed_after_a_minute(reachable, ann, slow, prefer, inbox, time):
    prefer(ann, Frequency.EACH)
    match = slow()
    turn(ann, match)
    assert send() == 0
    time.forward(MINUTE)
    assert send() == 1
    [got] = inbox.mails
    assert got.to == ["ann@example.org"]
    assert got.mail["Subject"] == "Hex with bob"
    assert got.mail["Auto-Submitted"] == "auto-generated"
    assert f"https://antipodes.example/m/{match.slug}/" in inbox.texts()[0]
    assert "It is your turn in Hex with bob." in inbox.texts()[0]
    assert send() == 0


def test_text_comes_first_and_the_board_is_an_inline_image(reachable, slow, prefer, inbox, time):
    prefer(reachable[0], Frequency.EACH)
    turn(reachable[0], slow())
    time.forward(MINUTE)
    send()
    mail = inbox.mails[0].mail
    kinds = [part.get_content_type() for part in mail.walk()]
    assert kinds == [
        "multipart/related",
        "multipart/alternative",
        "text/plain",
        "text/html",
        "image/png",
    ]
    picture = next(part for part in mail.walk() if part.get_content_type() == "image/png")
    assert picture.get_content()[:8] == b"\x89PNG\r\n\x1a\n"
    html = mail.get_body(("html",)).get_content()
    assert f'src="cid:{picture["Content-ID"].strip("<>")}"' in html


def test_a_digest_groups_notifications_by_match(reachable, ann, bob, slow, prefer, inbox, time):
    prefer(ann, Frequency.DAILY, hour=7, zone="America/New_York")
    one, other = slow(), slow()
    notify(ann, NotificationKind.OFFER, key="1", match=one, by=bob, sentence="offered-draw")
    notify(ann, NotificationKind.YOUR_TURN, key="2", match=other, by=bob, move="a1")
    notify(ann, NotificationKind.YOUR_TURN, key="3", match=one, by=bob, move="b2")
    notify(ann, NotificationKind.INVITED, key="4", by=bob, path="/c/abc/", game="antipod")
    time.at = instant("2026-03-03 11:59")
    assert send() == 0
    time.at = instant("2026-03-03 12:00")  # 7:00 in New York
    assert send() == 1
    text = inbox.texts()[0]
    assert inbox.mails[0].mail["Subject"] == "Your turn in 2 games"
    assert re.search(r"bob offered a draw\.\s+bob played b2", text)
    assert text.count(one.slug) == text.count(other.slug) == 1
    assert "https://antipodes.example/c/abc/" in text


@pytest.mark.parametrize(
    ("kinds", "subject"),
    [
        ([NotificationKind.OFFER, NotificationKind.OFFER], "Updates on your games"),
        ([NotificationKind.YOUR_TURN, NotificationKind.OFFER], "Your turn in 1 game"),
        ([NotificationKind.YOUR_TURN, NotificationKind.YOUR_TURN], "Your turn in 2 games"),
        ([NotificationKind.YOUR_TURN], "Hex with bob"),
    ],
)
def test_the_subject_of_a_digest_counts_turns(reachable, slow, prefer, inbox, time, kinds, subject):
    prefer(reachable[0], Frequency.HOURLY)
    for number, kind in enumerate(kinds):
        notify(reachable[0], kind, key=f"{number}", match=slow())
    time.forward(HOUR)
    assert send() == 1
    assert inbox.mails[0].mail["Subject"] == subject


def test_a_digest_uses_the_recipients_language_and_time_zone(reachable, slow, prefer, inbox, time):
    ann = reachable[0]
    prefer(ann, Frequency.HOURLY, zone="Asia/Tokyo")
    LanguageRow.objects.create(user=ann, code="de")
    match = slow("3d/move")
    turn(ann, match)
    time.at = instant("2026-03-02 13:00")
    assert send() == 1
    # The flag falls on 5 March at 12:30 UTC.
    assert "5. März 2026, 21:30" in inbox.texts()[0]
    assert 'lang="de"' in inbox.mails[0].mail.get_body(("html",)).get_content()


def test_a_reminder_is_mailed_at_once_and_without_the_digest(reachable, slow, prefer, inbox, time):
    ann = reachable[0]
    prefer(ann, Frequency.DAILY)
    match = slow()
    notify(ann, NotificationKind.OFFER, key="1", match=match, sentence="offered-draw")
    notify(ann, NotificationKind.REMINDER, key="2", match=match, deadline=match.deadline)
    assert send() == 1
    assert "runs out" in inbox.texts()[0]
    assert "draw" not in inbox.texts()[0]
    time.forward(DAY)
    assert send() == 1
    assert "draw" in inbox.texts()[1]


def test_emails_about_a_match_form_a_thread(reachable, ann, slow, prefer, inbox, time):
    prefer(ann, Frequency.EACH)
    match = slow()
    for number in range(3):
        turn(ann, match, key=str(number))
        time.forward(MINUTE)
        assert send() == 1
    first, second, third = (one.mail for one in inbox.mails)
    assert first["In-Reply-To"] is None
    assert second["In-Reply-To"] == first["Message-ID"]
    assert third["In-Reply-To"] == second["Message-ID"]
    assert third["References"].split() == [first["Message-ID"], second["Message-ID"]]
    assert len({mail["Message-ID"] for mail in (first, second, third)}) == 3


def test_one_click_unsubscribes(reachable, ann, slow, prefer, inbox, time):
    prefer(ann, Frequency.EACH)
    turn(ann, slow())
    time.forward(MINUTE)
    send()
    mail = inbox.mails[0].mail
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = mail["List-Unsubscribe"].strip(" <>")
    path = address.removeprefix("https://antipodes.example")
    assert path != address
    answer = Client(enforce_csrf_checks=True).post(path, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert PreferenceRow.objects.get(user=ann).frequency == Frequency.NEVER
    turn(ann, slow(), key="later")
    time.forward(2 * DAY)
    assert send() == 0


def test_an_unconfirmed_address_gets_no_mail(people, slow, prefer, inbox, time):
    from allauth.account.models import EmailAddress

    EmailAddress.objects.create(user=people[0], email="ann@example.org", primary=True)
    prefer(people[0], Frequency.EACH)
    turn(people[0], slow())
    time.forward(MINUTE)
    assert send() == 0
    assert not EmailRow.objects.exists()
    assert NotificationRow.objects.get().mail_due is None


def test_texts_cannot_inject_headers_or_markup(reachable, ann, prefer, inbox, time):
    prefer(ann, Frequency.EACH)
    evil = "x\r\nBcc: eve@example.org <script>alert(1)</script>"
    notify(ann, NotificationKind.MODERATION, key="1", text=evil)
    time.forward(MINUTE)
    assert send() == 1
    [got] = inbox.mails
    assert got.to == ["ann@example.org"]
    assert got.mail["Bcc"] is None
    assert "<script>" not in got.mail.get_body(("html",)).get_content()


def test_a_repeated_key_is_sent_once(queued, inbox, time):
    queued()
    again = enqueue(
        EmailMessage(key="k", to="x@example.org", subject="", text="", message_id="<x@example.org>")
    )
    assert again is None
    assert send_due_emails() == 1


def test_temporary_failures_are_retried(queued, inbox, time):
    row = queued()
    inbox.answer = "451 come back later"
    assert send_due_emails() == 0
    row.refresh_from_db()
    assert "451" in row.trouble
    time.at = row.due_at
    inbox.answer = ""
    assert send_due_emails() == 1
    assert inbox.mails[0].mail["Message-ID"] == "<k@antipodes.example>"
    row.refresh_from_db()
    assert (row.due_at, row.trouble, row.sent_at) == (None, "", time.at)


@pytest.mark.parametrize("where", ["answer", "answer_to_address"])
def test_a_permanent_failure_is_given_up_at_once(queued, inbox, time, where):
    refused = queued("1")
    setattr(inbox, where, "550 unknown user")
    assert send_due_emails() == 0
    setattr(inbox, where, "")
    fine = queued("2")
    assert send_due_emails() == 1
    refused.refresh_from_db()
    fine.refresh_from_db()
    assert (refused.due_at, refused.sent_at) == (None, None)
    assert "550" in refused.trouble
    assert fine.sent_at is not None


def test_no_email_is_lost_while_the_server_is_unreachable(queued, inbox, time, settings):
    rows = [queued(key) for key in "abc"]
    port, settings.EMAIL_PORT = settings.EMAIL_PORT, 1
    assert send_due_emails() == 0
    tries = EmailRow.objects.order_by("attempts").values_list("attempts", flat=True)
    assert list(tries) == [0, 0, 1], "it is tried once a round"
    settings.EMAIL_PORT = port
    time.forward(2 * MINUTE)
    assert send_due_emails() == 3
    assert all(EmailRow.objects.get(pk=row.pk).sent_at for row in rows)


def test_no_email_is_lost_if_the_process_is_killed_after_its_claim(
    queued, inbox, time, monkeypatch
):
    row = queued()
    monkeypatch.setattr(outbox, "_send", lambda *_: (_ for _ in ()).throw(SystemExit))
    with pytest.raises(SystemExit):
        send_due_emails()
    monkeypatch.undo()
    monkeypatch.setattr(outbox, "now", time)
    # Another process does not touch it until the claim has expired.
    assert send_due_emails() == 0
    time.forward(HOUR)
    assert send_due_emails() == 1
    row.refresh_from_db()
    assert row.attempts == 2
    assert len(inbox.mails) == 1


def test_an_email_that_cannot_be_built_is_given_up(queued, inbox, time, monkeypatch, caplog):
    row = queued()
    monkeypatch.setattr(outbox, "django_message", lambda *_: 1 / 0)
    assert send_due_emails() == 0
    row.refresh_from_db()
    assert (row.due_at, row.sent_at) == (None, None)
    assert row.trouble.startswith("ZeroDivisionError")
    assert f"outbox cannot build email={row.pk}" in caplog.text


@pytest.mark.parametrize("error", [smtplib.SMTPServerDisconnected("gone"), OSError("gone")])
def test_an_error_when_the_connection_is_closed_is_ignored(queued, inbox, monkeypatch, error):
    queued()

    monkeypatch.setattr("django.core.mail.backends.smtp.EmailBackend.close", raising(error))
    assert send_due_emails() == 1


def test_emails_of_one_user_that_fail_do_not_stop_those_of_others(
    reachable, ann, bob, prefer, inbox, time, monkeypatch, caplog
):
    for user in (ann, bob):
        prefer(user, Frequency.EACH)
        notify(user, NotificationKind.MODERATION, key="k")
    write = emails._write_to

    def fail(user):
        if user == ann:
            raise ValueError("broken")
        return write(user)

    time.forward(MINUTE)
    with monkeypatch.context() as patched:
        patched.setattr(emails, "_write_to", fail)
        assert write_emails() == 1
    assert "e-mail not written" in caplog.text
    row = NotificationRow.objects.get(user=ann)
    assert row.mail_due == time.at + emails._RETRY_PAUSE
    assert write_emails() == 0
    time.at = row.mail_due
    assert write_emails() == 1


def test_an_outage_stops_the_writing_of_emails(reachable, prefer, time, monkeypatch):
    prefer(reachable[0], Frequency.EACH)
    notify(reachable[0], NotificationKind.MODERATION, key="k")

    time.forward(MINUTE)
    monkeypatch.setattr(emails, "_write_to", raising(OperationalError("away")))
    with pytest.raises(OperationalError):
        write_emails()


def test_an_expired_claim_does_not_overwrite_the_outcome(queued, inbox, time):
    queued()
    expired = outbox._claim()
    assert expired is not None
    time.forward(HOUR)
    assert send_due_emails() == 1
    outbox._postpone(expired, OSError("lost"))
    assert EmailRow.objects.get().sent_at is not None
    assert send_due_emails() == 0


def test_attachments_are_deleted_with_their_email(reachable, slow, prefer, time):
    prefer(reachable[0], Frequency.EACH)
    turn(reachable[0], slow())
    time.forward(MINUTE)
    write_emails()
    assert AttachmentRow.objects.count() == 1
    EmailRow.objects.all().delete()
    assert not AttachmentRow.objects.exists()


def test_users_on_vacation_get_no_mail(reachable, ann, slow, prefer, inbox, time):
    prefer(ann, Frequency.EACH, away_since=time.at, away_until=time.at + 3 * DAY)
    match = slow()
    carry_out(match.slug, Play(seat=0, ply=0, key="12345678", move=5))
    turn(ann, match)
    time.forward(2 * DAY)
    assert send() == 0
    time.forward(DAY + MINUTE)
    assert send() == 1


@pytest.mark.parametrize("is_active", [True, False])
@pytest.mark.parametrize("is_sent", [True, False])
def test_mail_is_sent_to_active_users_if_the_site_sends_mail(
    reachable, settings, is_sent, is_active
):
    user = reachable[0]
    settings.MAIL_IS_SENT, user.is_active = is_sent, is_active
    assert emails.address_of(user) == ("ann@example.org" if is_sent and is_active else None)


SENDER = "play@x.example"


@pytest.mark.parametrize(
    ("error", "is_final", "is_of_sender"),
    [
        (smtplib.SMTPSenderRefused(399, b"", SENDER), True, True),
        (smtplib.SMTPSenderRefused(400, b"", SENDER), False, False),
        (smtplib.SMTPSenderRefused(499, b"", SENDER), False, False),
        (smtplib.SMTPSenderRefused(500, b"", SENDER), True, True),
        (smtplib.SMTPDataError(550, b"5.7.1 not from there"), True, True),
        (smtplib.SMTPDataError(550, "5.1.8 no such domain"), True, True),
        (smtplib.SMTPDataError(550, b"5.1.1 no such user"), True, False),
        (smtplib.SMTPDataError(450, b"4.7.1 later"), False, False),
        (smtplib.SMTPRecipientsRefused({"a": (550, b"5.7.1"), "b": (550, b"5.7.0")}), True, True),
        (smtplib.SMTPRecipientsRefused({"a": (550, b"5.7.1"), "b": (550, b"5.1.1")}), True, False),
        (smtplib.SMTPRecipientsRefused({"a": (550, b"5.1.1"), "b": (450, b"4.2.2")}), False, False),
    ],
)
def test_a_refusal_is_final_or_about_the_sender_by_its_codes(error, is_final, is_of_sender):
    assert outbox.is_final(error) is is_final
    assert outbox._may_reject_sender(error) is is_of_sender


@pytest.mark.parametrize(
    ("error", "is_final"),
    [
        (smtplib.SMTPNotSupportedError("no UTF-8"), True),
        (smtplib.SMTPServerDisconnected("gone"), False),
        (smtplib.SMTPAuthenticationError(535, b"wrong password"), False),
        (OSError("no route"), False),
    ],
)
def test_errors_of_the_connection_are_not_final(error, is_final):
    assert outbox.is_final(error) is is_final

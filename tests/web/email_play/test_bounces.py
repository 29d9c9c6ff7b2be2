"""Bounces: the site stops mail to undeliverable addresses, and forged bounces do nothing."""

import smtplib

import pytest
from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed
from django.core.mail.backends.locmem import EmailBackend
from django.urls import reverse

from antipodes.web.email_play import bounces, inbox_task
from antipodes.web.email_play.inbox import receive
from antipodes.web.email_play.models import InboundMailRow
from antipodes.web.notifications import outbox, undeliverable
from antipodes.web.notifications.email_message import EmailMessage
from antipodes.web.notifications.emails import address_of
from antipodes.web.notifications.models import EmailRow, NotificationRow, UndeliverableAddressRow
from tests.mail.bounces import DELAYED, EXCHANGE, EXPIRED, FULL, GMAIL, POSTFIX, bounce
from tests.web.email_play.conftest import raw_mail

pytestmark = pytest.mark.django_db

DAY = 86_400_000
ADDRESS = "ann@example.org"


class Calendar:
    """A clock that tests set forward by days."""

    def __init__(self):
        self.at = 20_000 * DAY

    def __call__(self):
        return self.at

    def forward(self, days):
        self.at += days * DAY


@pytest.fixture
def days(monkeypatch):
    calendar = Calendar()
    monkeypatch.setattr(undeliverable, "now", calendar)
    return calendar


@pytest.fixture
def ann(reachable):
    return reachable[0]


def send_email(user, days):
    """Put an e-mail into the outbox as if it had been sent."""
    number = EmailRow.objects.count()
    draft = EmailMessage(
        key=f"test {number}",
        to=f"{user.username}@example.org",
        user=user,
        subject="hex board 7 ann",
        text="Your board.",
        message_id=f"<board.{number}@antipodes.example>",
    )
    row = outbox.enqueue(draft)
    assert row is not None
    EmailRow.objects.filter(pk=row.pk).update(made_at=days(), due_at=None, sent_at=days())
    row.refresh_from_db()
    return row


def deliver(raw, to):
    """Receive a mail with the null sender; return the outcome."""
    before = EmailRow.objects.count()
    receive(raw, sender="", recipients=[to], via="lmtp")
    inbox_task.process_due_mails()
    assert EmailRow.objects.count() == before, "bounces are not answered"
    return InboundMailRow.objects.latest("pk").outcome


def receive_bounce(row, shape=POSTFIX, **more):
    to = bounces.return_address(row)
    assert deliver(bounce(shape, to=to, number=f"n{row.pk}", **more), to) == "ignored"


def bounce_daily(user, days, *shapes):
    for shape in shapes:
        receive_bounce(send_email(user, days), shape)
        days.forward(1)


def test_the_envelope_sender_identifies_the_email(ann, days, settings):
    row = send_email(ann, days)
    message = outbox.django_message(row)
    assert message.from_email == bounces.return_address(row)
    assert bounces.bounced_email(message.from_email.upper()) == row
    assert message.message()["From"] == settings.DEFAULT_FROM_EMAIL
    assert message.message()["X-Antipodes-Letter"] == message.from_email
    settings.MAIL_HOST = ""
    assert outbox.django_message(row).from_email == settings.DEFAULT_FROM_EMAIL


@pytest.mark.parametrize(
    "shapes",
    [(POSTFIX, EXCHANGE), (GMAIL, GMAIL), (FULL, FULL, FULL), (FULL, POSTFIX, POSTFIX)],
    ids=["no mailbox", "Gmail", "full", "first full"],
)
def test_an_address_that_bounces_on_several_days_is_stopped_and_its_owner_notified(
    ann, days, shapes
):
    bounce_daily(ann, days, *shapes[:-1])
    assert address_of(ann) == ADDRESS
    assert not NotificationRow.objects.filter(kind="mail-fails").exists()
    waiting = send_email(ann, days)
    EmailRow.objects.filter(pk=waiting.pk).update(due_at=1, sent_at=None)
    bounce_daily(ann, days, shapes[-1])
    assert address_of(ann) is None
    notification = NotificationRow.objects.get(kind="mail-fails")
    assert (notification.user, notification.is_shown, notification.mail_due) == (ann, True, None)
    waiting.refresh_from_db()
    assert waiting.due_at is None


@pytest.mark.parametrize("shape", [DELAYED, EXPIRED], ids=["delayed", "expired"])
def test_temporary_failures_do_not_count(ann, days, shape):
    bounce_daily(ann, days, *[shape] * 5)
    assert address_of(ann) == ADDRESS
    assert not UndeliverableAddressRow.objects.exists()


def test_bounces_count_once_a_day_and_once_for_each_email(ann, days):
    for _ in range(5):
        receive_bounce(send_email(ann, days))
    assert address_of(ann) == ADDRESS
    again = send_email(ann, days)
    for number in range(4):
        to = bounces.return_address(again)
        deliver(bounce(POSTFIX, to=to, number=f"again{number}"), to)
        days.forward(1)
    assert address_of(ann) == ADDRESS


def test_single_bounces_are_deleted_after_a_month(ann, days):
    bounce_daily(ann, days, POSTFIX)
    days.forward(undeliverable.REMEMBERED)
    bounce_daily(ann, days, POSTFIX)
    assert address_of(ann) == ADDRESS
    days.forward(undeliverable.REMEMBERED + 1)
    undeliverable.delete_old_bounces()
    assert not UndeliverableAddressRow.objects.exists()


def test_stopped_addresses_are_kept(ann, days):
    bounce_daily(ann, days, POSTFIX, POSTFIX)
    days.forward(400)
    undeliverable.delete_old_bounces()
    assert address_of(ann) is None


def test_forged_bounces_do_nothing(ann, reachable, days):
    rows = [send_email(ann, days) for _ in range(3)]
    good = bounces.return_address(rows[0])
    box, host = good.split("@")
    swapped = {"a": "b"}.get(box[-5], "a")
    wrong = f"{box[:-5]}{swapped}{box[-4:]}@{host}"
    for number, to in enumerate([wrong, f"play+b-@{host}", f"play+b-{'a' * 26}@{host}"]):
        assert bounces.bounced_email(to) is None
        raw = bounce(POSTFIX, to=to, address="nonsense", number=f"f{number}")
        assert deliver(raw, to) == "ignored"
    # A report to the bounce address of one e-mail counts for no other that it quotes.
    other = bounces.return_address(send_email(reachable[1], days))
    deliver(bounce(POSTFIX, to=other, address=good), other)
    assert {row.user for row in UndeliverableAddressRow.objects.all()} == {reachable[1]}


def test_other_mail_to_a_bounce_address_is_ignored(ann, days):
    to = bounces.return_address(send_email(ann, days))
    for body in ("help", "I am away until Monday"):
        raw = raw_mail("ann@example.org", to, "help", body)
        receive(raw, sender="ann@example.org", recipients=[to], via="lmtp")
        inbox_task.process_due_mails()
    assert EmailRow.objects.count() == 1
    assert not UndeliverableAddressRow.objects.exists()


def test_reports_to_the_from_address_count_if_they_quote_the_email(ann, days):
    for shape in (POSTFIX, EXCHANGE):
        row = send_email(ann, days)
        signed = bounces.return_address(row)
        plain = "play@play.example"
        raw = bounce(shape, to=plain, address=signed, number=f"p{row.pk}")
        assert deliver(raw, plain) == "ignored"
        days.forward(1)
    assert address_of(ann) is None


def test_bounces_of_an_old_address_do_not_count(ann, days):
    rows = [send_email(ann, days) for _ in range(3)]
    EmailAddress.objects.filter(user=ann).update(email="new@example.org")
    for row in rows:
        receive_bounce(row)
        days.forward(1)
    assert address_of(ann) == "new@example.org"
    assert not UndeliverableAddressRow.objects.exists()


@pytest.mark.parametrize("page", ["by-mail", "notification-preferences"])
def test_the_pages_show_a_stopped_address_and_resume_it(client, ann, days, page):
    client.force_login(ann)
    assert "Try again" not in client.get(reverse(page)).content.decode()
    late = send_email(ann, days)
    bounce_daily(ann, days, POSTFIX, POSTFIX)
    shown = client.get(reverse(page)).content.decode()
    assert ADDRESS in shown
    assert "5.1.1" in shown
    answer = client.post(reverse("resume-mail"), {"next": reverse(page)})
    assert answer.headers["Location"] == reverse(page)
    assert address_of(ann) == ADDRESS
    assert "Try again" not in client.get(reverse(page)).content.decode()
    # Bounces of e-mails sent before do not count.
    receive_bounce(late)
    bounce_daily(ann, days, POSTFIX)
    assert address_of(ann) == ADDRESS
    bounce_daily(ann, days, POSTFIX)
    assert address_of(ann) is None
    assert NotificationRow.objects.filter(kind="mail-fails").count() == 2


def test_confirming_an_address_again_resumes_it(ann, days):
    bounce_daily(ann, days, POSTFIX, POSTFIX)
    address = EmailAddress.objects.get(user=ann)
    email_confirmed.send(EmailAddress, request=None, email_address=address)
    assert address_of(ann) == ADDRESS


class Refusing(EmailBackend):
    """A mail server that refuses e-mails."""

    response = b""
    plain_only = False
    sent: list[str] = []  # noqa: RUF012 - emptied by the test

    def send_messages(self, messages):
        for one in messages:
            if self.plain_only and "+b-" not in one.from_email:
                self.sent.append(one.from_email)
            else:
                raise smtplib.SMTPRecipientsRefused({one.to[0]: (550, self.response)})
        return len(messages)


def send_by_smtp(user, days, monkeypatch):
    monkeypatch.setattr(outbox, "get_connection", lambda **_: Refusing())
    row = send_email(user, days)
    EmailRow.objects.filter(pk=row.pk).update(due_at=1, sent_at=None)
    outbox.send_due_emails()
    row.refresh_from_db()
    return row


def test_a_refusal_by_smtp_counts_if_it_is_about_the_mailbox(ann, days, monkeypatch):
    monkeypatch.setattr(Refusing, "response", b"5.7.1 relaying denied")
    for _ in range(3):
        send_by_smtp(ann, days, monkeypatch)
        days.forward(1)
    assert address_of(ann) == ADDRESS
    monkeypatch.setattr(Refusing, "response", b"5.1.1 no such user")
    for _ in range(2):
        send_by_smtp(ann, days, monkeypatch)
        days.forward(1)
    assert address_of(ann) is None


def test_a_server_that_refuses_bounce_addresses_gets_the_from_address(
    ann, days, monkeypatch, settings
):
    monkeypatch.setattr(Refusing, "response", b"5.7.1 sender not owned by user")
    monkeypatch.setattr(Refusing, "plain_only", True)
    monkeypatch.setattr(Refusing, "sent", [])
    row = send_by_smtp(ann, days, monkeypatch)
    assert row.sent_at is not None
    assert Refusing.sent == [settings.DEFAULT_FROM_EMAIL]

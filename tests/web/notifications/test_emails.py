"""E-mails with their headers and boards, and the outbox, with a real SMTP server."""

import re
import smtplib
import socket
from email import message_from_bytes, policy
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from aiosmtpd.controller import Controller
from allauth.account.models import EmailAddress
from django.core.mail.backends.locmem import EmailBackend
from django.db import OperationalError
from django.test import Client

from antipodes.games.registry import make_game
from antipodes.match import Play
from antipodes.records.json_format import setup_data
from antipodes.web.accounts.models import LanguageRow, User
from antipodes.web.matches.services import carry_out
from antipodes.web.notifications import email_message, emails, outbox, undeliverable
from antipodes.web.notifications.email_message import SVG, Attachment, EmailMessage
from antipodes.web.notifications.emails import write_emails
from antipodes.web.notifications.kinds import Frequency, NotificationKind
from antipodes.web.notifications.models import (
    AttachmentRow,
    EmailRow,
    NotificationRow,
    PreferenceRow,
    UndeliverableAddressRow,
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
        mail = message_from_bytes(envelope.content, policy=policy.default)
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


@pytest.fixture
def letter(db):
    """Add an e-mail to the outbox."""

    def make(key, **more):
        draft: dict[str, Any] = {
            "key": key,
            "to": f"{key}@example.org",
            "subject": "News",
            "text": "Something",
            "message_id": f"<{key}@x.org>",
        }
        row = enqueue(EmailMessage(**(draft | more)))
        assert row is not None
        return row

    return make


@pytest.fixture
def server(monkeypatch):
    """A mail server that refuses some addresses; the list of connections with their e-mails."""
    connections: list[list[str]] = []

    class Server(EmailBackend):
        refused: ClassVar[dict[str, int]] = {}

        def open(self):
            connections.append([])

        def send_messages(self, messages):
            [address] = messages[0].to
            if code := self.refused.get(address):
                raise smtplib.SMTPRecipientsRefused({address: (code, b"no")})
            connections[-1].append(address)

    monkeypatch.setattr(outbox, "get_connection", lambda **_: Server())
    monkeypatch.setattr(Server, "connections", connections, raising=False)
    return Server


def test_the_emails_of_a_round_share_a_connection_until_one_fails(letter, server, time):
    server.refused["b@example.org"] = 451
    rows = []
    for key in "abcd":
        rows.append(letter(key))
        time.forward(1)
    assert outbox.send_due_emails() == 3
    assert server.connections == [["a@example.org"], ["c@example.org", "d@example.org"]]
    for row in rows:
        row.refresh_from_db()
    assert [row.attempts for row in rows] == [1] * 4
    assert outbox.next_attempt() == rows[1].due_at == time.at + MINUTE
    assert outbox.send_due_emails() == 0


def test_pauses_grow_up_to_four_hours(letter, server, time):
    server.refused["a@example.org"] = 451
    row, pauses = letter("a"), []
    for _ in range(8):
        outbox.send_due_emails()
        row.refresh_from_db()
        pauses.append((row.due_at - time.at) // MINUTE)
        time.at = row.due_at
    assert pauses == [1, 5, 15, 60, 120, 240, 240, 240]


@pytest.mark.parametrize(("age", "is_retried"), [(3 * DAY - 1, True), (3 * DAY, False)])
def test_an_email_is_retried_for_three_days(letter, server, time, age, is_retried):
    server.refused["a@example.org"] = 451
    row = letter("a")
    time.forward(age)
    outbox.send_due_emails()
    row.refresh_from_db()
    assert row.due_at == (time.at + MINUTE if is_retried else None)


def test_a_claim_lasts_for_a_quarter_of_an_hour(letter, time):
    row = letter("a")
    claimed = outbox._claim()
    assert claimed is not None
    assert (claimed, claimed.attempts, claimed.due_at) == (row, 1, time.at + 15 * MINUTE)
    time.forward(15 * MINUTE - 1)
    assert outbox._claim() is None
    time.forward(1)
    again = outbox._claim()
    assert again is not None
    assert (again.attempts, again.claim != claimed.claim) == (2, True)


def test_an_email_is_claimed_by_another_process_meanwhile(letter, time, meanwhile):
    first = letter("a")
    time.forward(1)
    second = letter("b")

    def take():
        EmailRow.objects.filter(pk=first.pk).update(due_at=time.at + MINUTE)

    with meanwhile(take, "UPDATE"):
        assert outbox._claim() == second
    first.refresh_from_db()
    assert (first.attempts, first.claim) == (0, "")


def test_a_subject_is_one_line_of_two_hundred_characters(letter):
    assert letter("a", subject=" two\n lines ").subject == "two lines"
    assert letter("b", subject="x" * 201).subject == "x" * 200


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError("ann@example.org"), "OSError"),
        (smtplib.SMTPDataError(550, b"ann@example.org"), "SMTPDataError 550"),
        (
            smtplib.SMTPRecipientsRefused({"a": (550, b"no"), "b": (451, b"no")}),
            "SMTPRecipientsRefused 550 451",
        ),
    ],
)
def test_logs_name_the_codes_of_an_error_but_no_address(error, code):
    assert outbox._code_of(error) == code


def test_the_trouble_of_an_email_is_cut(letter, time):
    row = letter("a")
    outbox._postpone(row, OSError("x" * 600))
    row.refresh_from_db()
    assert row.trouble == f"OSError: {'x' * 491}"


def test_an_email_without_html_has_no_images(letter):
    images = (Attachment(cid="1", name="1.svg", content=b"<svg a='='/>", type=SVG),)
    row = letter("a", attachments=images, headers={"X-Test": "1"})
    plain = outbox.django_message(row).message()
    assert (plain.get_content_type(), plain["X-Test"]) == ("text/plain", "1")
    row.html = "<p>page</p>"
    picture = list(outbox.django_message(row).message().walk())[-1]
    assert picture.get_content_type() == "image/svg+xml"
    assert picture["Content-Transfer-Encoding"] == "quoted-printable"
    assert picture["Content-Disposition"] == 'inline; filename="1.svg"'
    assert picture.get_payload(decode=True) == b"<svg a='='/>"


def headers_of(*arguments, **more):
    message_id, headers = emails.headers_of(*arguments, **more)
    names = ("In-Reply-To", "References", "Auto-Submitted")
    return message_id, *(headers.get(name) for name in names)


def test_an_email_refers_to_the_last_ones_of_its_thread(ann, bob, letter, settings):
    settings.SITE_URL = "https://x.org/"
    root = f"<match.abc.{ann.pk}@x.org>"
    generated = "auto-generated"
    assert headers_of(ann, "a b") == ("<a.b@x.org>", None, None, generated)
    assert headers_of(ann, "a b", thread="match abc") == (root, None, None, generated)
    letter("0", user=ann, thread="match abc", message_id=root)
    known = [letter(str(n), user=ann, thread="match abc").message_id for n in range(1, 15)]
    letter("other", user=bob, thread="match abc")
    letter("another", user=ann, thread="match abd")
    assert headers_of(ann, "k", thread="match abc") == (
        "<k@x.org>", known[-1], " ".join([root, *known[-10:]]), generated
    )  # fmt: skip


def test_an_answer_refers_to_the_mail_and_those_before_it(people, settings):
    settings.SITE_URL = "http://127.0.0.1:8000"
    known = [f"<{n}@y.org>" for n in range(12)]
    replied = "auto-replied"
    assert headers_of(None, "k", answered="<q@y.org>", known=known) == (
        "<k@localhost>", "<q@y.org>", " ".join([*known[-10:], "<q@y.org>"]), replied
    )  # fmt: skip
    assert headers_of(None, "k", answered="", known=known) == ("<k@localhost>", None, None, replied)
    assert headers_of(None, "k", thread="match abc")[0] == "<k@localhost>"


def test_only_accounts_can_unsubscribe(people, settings):
    settings.SITE_URL = "https://x.org"
    guest = User.objects.create(username="Guest 1", is_guest=True)
    for user, is_offered in ((people[0], True), (guest, False), (None, False)):
        headers = emails.headers_of(user, "k")[1]
        assert ("List-Unsubscribe" in headers) is is_offered
        assert ("List-Unsubscribe-Post" in headers) is is_offered


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://play.example.org:8443/", "play.example.org"),
        ("http://127.0.0.1:8000", "localhost"),
        ("http://[::1]", "localhost"),
        ("", "localhost"),
    ],
)
def test_the_domain_of_message_ids_is_that_of_the_site(settings, url, domain):
    settings.SITE_URL = url
    assert emails.site_domain() == domain


def test_a_board_is_drawn_from_its_side_and_its_start():
    game = make_game("antipalos", {"size": 12})
    setup = game.initial().play(5).to_setup()
    assert email_message.drawing_of(game, [7]) == {
        "game": "antipalos", "options": {"size": 12}, "moves": [7]
    }  # fmt: skip
    found = email_message.drawing_of(game, [7], side=1, setup=setup)
    assert (found["side"], found["setup"]) == (1, setup_data(setup))
    drawn = email_message.draw(found, SVG).decode()
    assert drawn == game.position(setup).play(7).to_svg(seat=1)
    assert drawn != email_message.draw({**found, "side": 0}, SVG).decode()
    assert email_message.draw(found, email_message.PNG)[:4] == b"\x89PNG"


def told(user, kind, key, **more):
    row = notify(user, kind, key=key, **more)
    assert row is not None
    return row


def written(time, after=MINUTE):
    """Write what is due after a time; return the e-mails."""
    time.forward(after)
    before = set(EmailRow.objects.values_list("pk", flat=True))
    count = emails.write_emails()
    rows = list(EmailRow.objects.exclude(pk__in=before).order_by("pk"))
    assert len(rows) == count
    return rows


def test_emails_are_written_to_all_users_in_batches(reachable, prefer, time, monkeypatch):
    monkeypatch.setattr(emails, "_BATCH", 1)
    for user in reachable:
        prefer(user, Frequency.EACH)
        told(user, NotificationKind.MODERATION, "1")
        told(user, NotificationKind.MODERATION, "2")
    NotificationRow.objects.filter(user=reachable[1]).update(mail_due=time.at + DAY)
    NotificationRow.objects.filter(user=reachable[2]).update(mail_due=0)
    assert [row.to for row in written(time)] == ["ann@example.org"] * 2 + ["dee@example.org"] * 2
    assert written(time, 0) == []


def test_emails_about_single_notifications_are_grouped_by_match(reachable, slow, prefer, time):
    ann, bob, *_ = reachable
    prefer(ann, Frequency.EACH)
    one, other = slow(), slow()
    rows = [
        told(ann, NotificationKind.OFFER, "1", match=one, by=bob),
        told(ann, NotificationKind.OFFER, "2", match=other, by=bob),
        told(ann, NotificationKind.MODERATION, "3"),
        told(ann, NotificationKind.OFFER, "4", match=one, by=bob),
        told(ann, NotificationKind.MODERATION, "5"),
    ]
    first, second, third, fourth, fifth = (row.pk for row in rows)
    assert [(row.key, row.thread) for row in written(time)] == [
        (f"notices {ann.pk} {first} {fourth}", f"match {one.slug}"),
        (f"notices {ann.pk} {second} {second}", f"match {other.slug}"),
        (f"notices {ann.pk} {third} {third}", ""),
        (f"notices {ann.pk} {fifth} {fifth}", ""),
    ]


def test_a_digest_of_several_matches_is_in_no_thread(reachable, ann, slow, prefer, time, settings):
    settings.SITE_URL = "https://x.org"
    prefer(ann, Frequency.HOURLY)
    for key in "12":
        told(ann, NotificationKind.OFFER, key, match=slow())
    [row] = written(time, HOUR)
    assert (row.thread, row.headers["List-Id"]) == ("", "Antipodes <notices.x.org>")
    told(ann, NotificationKind.MODERATION, "3", path="/rules/", text="one")
    told(ann, NotificationKind.MODERATION, "4", path="/rules/", text="two")
    [row] = written(time, HOUR)
    assert (row.subject, row.thread) == ("one", "")
    assert row.text.count("https://x.org/rules/") == 1
    told(ann, NotificationKind.MODERATION, "5", text="three")
    told(ann, NotificationKind.MODERATION, "6", text="four")
    [row] = written(time, HOUR)
    assert (row.subject, row.text.count("https://x.org")) == ("Updates on your games", 2)


@pytest.mark.parametrize("count", [1, 2])
def test_a_kind_may_have_an_email_of_its_own_for_a_single_notification(
    reachable, prefer, time, monkeypatch, count
):
    def write(_user, to, row):
        return EmailMessage(key="own", to=to, subject=row.key, text="", message_id="<own@x.org>")

    monkeypatch.setitem(emails.writers, NotificationKind.MODERATION, write)
    prefer(reachable[0], Frequency.HOURLY)
    for number in range(count):
        told(reachable[0], NotificationKind.MODERATION, str(number))
    [row] = written(time, HOUR)
    assert (row.key == "own") is (count == 1)


def test_an_email_of_a_kind_may_have_nothing_new(reachable, prefer, time, monkeypatch):
    monkeypatch.setitem(emails.writers, NotificationKind.MODERATION, lambda *_: None)
    prefer(reachable[0], Frequency.EACH)
    told(reachable[0], NotificationKind.MODERATION, "1")
    assert written(time) == []


@pytest.mark.parametrize(
    ("kind", "more", "is_shown"),
    [
        (NotificationKind.YOUR_TURN, {}, True),
        (NotificationKind.REMINDER, {}, True),
        (NotificationKind.MATCH_BEGAN, {"turn": 1}, True),
        (NotificationKind.MATCH_BEGAN, {"turn": 0}, False),
        (NotificationKind.OFFER, {}, False),
    ],
)
def test_an_email_says_until_when_the_recipient_has_time_if_it_is_their_turn(
    reachable, slow, prefer, time, kind, more, is_shown
):
    prefer(reachable[0], Frequency.EACH)
    for control in ("3d/move", "unlimited"):
        told(reachable[0], kind, control, match=slow(control), **more)
    timed, unlimited = written(time)
    assert ("Your time runs until 5 March 2026, 12:30." in timed.text) is is_shown
    assert "Your time runs until" not in unlimited.text


def test_an_email_has_the_boards_of_six_matches_in_progress(reachable, ann, slow, prefer, time):
    prefer(ann, Frequency.HOURLY)
    matches = [slow() for _ in range(8)]
    for match in matches:
        told(ann, NotificationKind.YOUR_TURN, match.slug, match=match)
    matches[0].ended_at = time.at
    matches[0].save()
    [row] = written(time, HOUR)
    names = list(row.attachments.order_by("pk").values_list("name", flat=True))
    assert names == [f"{match.slug}.png" for match in matches[1:7]]


def test_mail_goes_to_the_primary_of_the_confirmed_addresses_that_accept_it(ann, bob, time):
    for email, verified, primary in (
        ("new@x.org", False, False),
        ("First@x.org", True, False),
        ("second@x.org", True, False),
        ("main@x.org", True, True),
    ):
        EmailAddress.objects.create(user=ann, email=email, verified=verified, primary=primary)
    assert emails.address_of(bob) is None
    for stopped, expected in (("", "main@x.org"), ("main@x.org", "First@x.org"),
                              ("first@x.org", "second@x.org"), ("second@x.org", None)):  # fmt: skip
        if stopped:
            UndeliverableAddressRow.objects.create(
                user=ann, address=stopped, changed_at=0, stopped_at=1
            )
        assert emails.address_of(ann) == expected


def test_an_address_is_that_of_its_last_bounce(people, ann):
    failures = [{"day": 1, "status": status, "email": 1} for status in ("5.2.2", "5.1.1")]
    for address, stopped_at in (("old@x.org", 5), ("fine@x.org", None), ("ann@x.org", 7)):
        UndeliverableAddressRow.objects.create(
            user=ann, address=address, changed_at=0, stopped_at=stopped_at, failures=failures
        )
        if address != "old@x.org":
            EmailAddress.objects.create(user=ann, email=address.title(), verified=True)
    assert undeliverable.stopped_address(ann) == {
        "address": "ann@x.org", "stopped_at": 7, "status": "5.1.1"
    }  # fmt: skip
    assert undeliverable.stopped_address(people[1]) is None
    assert undeliverable.resume_delivery(ann, "FINE@x.org") is False
    assert undeliverable.resume_delivery(ann, "OLD@x.org") is True
    assert undeliverable.resume_delivery(ann) is True
    assert undeliverable.resume_delivery(ann) is False
    assert undeliverable.stopped_address(ann) is None


@pytest.mark.parametrize(
    ("days", "statuses", "is_stopped"),
    [
        ((0, 1), ("5.2.2", "5.1.1"), False),
        ((0, 1), ("5.1.1", "5.1.1"), True),
        ((0, 0), ("5.1.1", "5.1.1"), False),
        ((0, 1, 2), ("5.2.2", "5.2.2", "5.2.2"), True),
        ((0, 29, 30), ("5.2.2", "5.2.2", "5.2.2"), False),
        ((0, 28, 29), ("5.2.2", "5.2.2", "5.2.2"), True),
    ],
)
def test_bounces_of_some_days_within_a_month_stop_mail(
    reachable, letter, time, days, statuses, is_stopped
):
    ann, begun = reachable[0], time.at
    pending, taken, other = (letter(key, user=ann, to="Ann@example.org") for key in ("p", "t", "o"))
    EmailRow.objects.filter(pk=taken.pk).update(claim="by a worker")
    EmailRow.objects.filter(pk=other.pk).update(to="other@example.org")
    for number, (day, status) in enumerate(zip(days, statuses, strict=True)):
        time.at = begun + day * DAY
        row = letter(str(number), user=ann, to="ann@example.org")
        for _ in range(2):
            undeliverable.record_bounce(row, status)
    found = UndeliverableAddressRow.objects.get()
    assert found.stopped_at == (time.at if is_stopped else None)
    told = NotificationRow.objects.filter(user=ann, kind=NotificationKind.MAIL_FAILS)
    assert told.exists() is is_stopped
    waiting = [
        EmailRow.objects.get(pk=one.pk).due_at is not None for one in (pending, taken, other)
    ]
    assert waiting == [not is_stopped, True, True]


def test_bounces_are_forgotten_after_a_month(reachable, letter, time):
    row = letter("a", user=reachable[0], to="ann@example.org")
    undeliverable.record_bounce(row, "5.1.1")
    for after, is_kept in ((30 * DAY, True), (1, False)):
        time.forward(after)
        undeliverable.delete_old_bounces()
        assert UndeliverableAddressRow.objects.exists() is is_kept


def test_bounces_of_emails_from_before_the_resumption_do_not_count(reachable, ann, letter, time):
    UndeliverableAddressRow.objects.create(
        user=ann, address="ann@example.org", changed_at=0, resumed_at=time.at
    )
    for made_at, count in ((time.at - 1, 0), (time.at, 1)):
        row = letter(str(made_at), user=ann, to="ann@example.org")
        row.made_at = made_at
        undeliverable.record_bounce(row, "5.1.1")
        assert len(UndeliverableAddressRow.objects.get().failures) == count

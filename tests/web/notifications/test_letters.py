"""Laws of mail, as a real server for it on this machine receives it."""

import email
import email.policy
import re
import socket
from types import SimpleNamespace
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from django.test import Client

from antipodes.match import Play
from antipodes.web.accounts.models import LanguageRow
from antipodes.web.matches.services import carry_out
from antipodes.web.notifications import outbox
from antipodes.web.notifications.email_message import EmailMessage
from antipodes.web.notifications.emails import write_emails
from antipodes.web.notifications.kinds import Frequency, Kind
from antipodes.web.notifications.models import (
    AttachmentRow,
    EmailRow,
    NotificationRow,
    PreferenceRow,
)
from antipodes.web.notifications.outbox import enqueue, send_due_emails
from antipodes.web.notifications.services import mark_all_seen, notify
from tests.web.notifications.conftest import DAY, HOUR, MINUTE, instant

pytestmark = pytest.mark.django_db


class Inbox:
    """What a mail server has taken; ``answer`` says what it thinks of the next mail."""

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
    """A real mail server on this machine."""
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
def letter():
    """Put a letter into the outbox."""

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
    return notify(user, Kind.YOUR_TURN, key=key, match=match)


def send():
    write_emails()
    return send_due_emails()


def test_news_of_a_turn_come_after_a_minute(reachable, slow, prefer, inbox, time):
    ann = reachable[0]
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


def test_the_text_comes_first_and_the_board_as_a_picture(reachable, slow, prefer, inbox, time):
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


def test_what_was_seen_meanwhile_is_not_mailed(reachable, slow, prefer, inbox, time):
    prefer(reachable[0], Frequency.EACH)
    turn(reachable[0], slow())
    mark_all_seen(reachable[0])
    time.forward(MINUTE)
    assert send() == 0


def test_a_digest_gathers_the_day_by_matches(reachable, slow, prefer, inbox, time):
    ann, bob, *_ = reachable
    prefer(ann, Frequency.DAILY, hour=7, zone="America/New_York")
    one, other = slow(), slow()
    notify(ann, Kind.OFFER, key="1", match=one, by=bob, offer="draw", act="offered")
    notify(ann, Kind.YOUR_TURN, key="2", match=other, by=bob, move="a1")
    notify(ann, Kind.YOUR_TURN, key="3", match=one, by=bob, move="b2")
    notify(ann, Kind.INVITED, key="4", by=bob, path="/c/abc/", game="antipod")
    time.at = instant("2026-03-03 11:59")
    assert send() == 0
    time.at = instant("2026-03-03 12:00")  # seven in the morning in New York
    assert send() == 1
    text = inbox.texts()[0]
    assert inbox.mails[0].mail["Subject"] == "Your turn in 2 games"
    assert re.search(r"offers a draw in Hex\.\s+bob played b2", text)
    assert text.count(one.slug) == text.count(other.slug) == 1
    assert "https://antipodes.example/c/abc/" in text


def test_a_digest_is_in_the_language_and_the_zone_of_whoever_reads_it(
    reachable, slow, prefer, inbox, time
):
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


def test_a_reminder_waits_for_no_digest_and_takes_none_along(reachable, slow, prefer, inbox, time):
    ann = reachable[0]
    prefer(ann, Frequency.DAILY)
    match = slow()
    notify(ann, Kind.OFFER, key="1", match=match, offer="draw", act="offered")
    notify(ann, Kind.REMINDER, key="2", match=match, deadline=match.deadline)
    assert send() == 1
    assert "runs out" in inbox.texts()[0]
    assert "draw" not in inbox.texts()[0]
    time.forward(DAY)
    assert send() == 1
    assert "draw" in inbox.texts()[1]


def test_the_mails_of_a_match_are_a_thread(reachable, slow, prefer, inbox, time):
    ann = reachable[0]
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


def test_mail_is_stopped_by_the_one_click_that_it_names(reachable, slow, prefer, inbox, time):
    ann = reachable[0]
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


def test_an_address_that_is_not_confirmed_gets_nothing(people, slow, prefer, inbox, time):
    from allauth.account.models import EmailAddress

    EmailAddress.objects.create(user=people[0], email="ann@example.org", primary=True)
    prefer(people[0], Frequency.EACH)
    turn(people[0], slow())
    time.forward(MINUTE)
    assert send() == 0
    assert not EmailRow.objects.exists()
    assert NotificationRow.objects.get().mail_due is None


def test_names_and_texts_cannot_write_headers_or_markup(reachable, prefer, inbox, time):
    ann = reachable[0]
    prefer(ann, Frequency.EACH)
    evil = "x\r\nBcc: eve@example.org <script>alert(1)</script>"
    notify(ann, Kind.MODERATION, key="1", text=evil)
    time.forward(MINUTE)
    assert send() == 1
    [got] = inbox.mails
    assert got.to == ["ann@example.org"]
    assert got.mail["Bcc"] is None
    assert "<script>" not in got.mail.get_body(("html",)).get_content()


def test_two_workers_write_what_is_due_once(reachable, slow, prefer, time):
    prefer(reachable[0], Frequency.EACH)
    turn(reachable[0], slow())
    time.forward(MINUTE)
    assert (write_emails(), write_emails()) == (1, 0)


def test_a_letter_that_is_written_twice_is_sent_once(letter, inbox, time):
    letter()
    again = enqueue(
        EmailMessage(key="k", to="x@example.org", subject="", text="", message_id="<x@example.org>")
    )
    assert again is None
    assert send_due_emails() == 1


def test_what_the_server_cannot_take_now_is_tried_again_later_and_later(letter, inbox, time):
    row = letter()
    inbox.answer = "451 come back later"
    pauses = []
    for _ in range(4):
        assert send_due_emails() == 0
        row.refresh_from_db()
        assert "451" in row.trouble
        pauses.append(row.due_at - time.at)
        time.at = row.due_at
    assert pauses == [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR]
    inbox.answer = ""
    assert send_due_emails() == 1
    assert inbox.mails[0].mail["Message-ID"] == "<k@antipodes.example>"
    row.refresh_from_db()
    assert (row.due_at, row.trouble, row.sent_at) == (None, "", time.at)


def test_after_three_days_a_letter_is_given_up(letter, inbox, time):
    row = letter()
    inbox.answer = "451 come back later"
    time.forward(3 * DAY)
    assert send_due_emails() == 0
    row.refresh_from_db()
    assert (row.due_at, row.sent_at) == (None, None)


@pytest.mark.parametrize("where", ["answer", "answer_to_address"])
def test_what_the_server_refuses_for_good_is_given_up_at_once(letter, inbox, time, where):
    refused, fine = letter("1"), letter("2")
    setattr(inbox, where, "550 nobody of that name")
    time.forward(1)
    outbox._BATCH, many = 1, outbox._BATCH
    try:
        assert send_due_emails() == 0
    finally:
        outbox._BATCH = many
    setattr(inbox, where, "")
    assert send_due_emails() == 1
    refused.refresh_from_db()
    fine.refresh_from_db()
    assert (refused.due_at, refused.sent_at) == (None, None)
    assert "550" in refused.trouble
    assert fine.sent_at is not None


def test_a_server_that_cannot_be_reached_loses_no_letter(letter, inbox, time, settings):
    rows = [letter("1"), letter("2")]
    port = settings.EMAIL_PORT
    settings.EMAIL_PORT = 1
    assert send_due_emails() == 0
    settings.EMAIL_PORT = port
    time.forward(2 * MINUTE)
    assert send_due_emails() == 2
    assert all(EmailRow.objects.get(pk=row.pk).sent_at for row in rows)


def test_a_process_killed_between_claim_and_sending_loses_no_letter(
    letter, inbox, time, monkeypatch
):
    row = letter()
    monkeypatch.setattr(outbox, "_send", lambda *_: (_ for _ in ()).throw(SystemExit))
    with pytest.raises(SystemExit):
        send_due_emails()
    monkeypatch.undo()
    monkeypatch.setattr(outbox, "now", time)
    # Another process leaves it alone as long as the first may still be sending it.
    assert send_due_emails() == 0
    time.forward(HOUR)
    assert send_due_emails() == 1
    row.refresh_from_db()
    assert row.attempts == 2
    assert len(inbox.mails) == 1


def test_two_workers_send_a_letter_once(letter, inbox, time):
    row = letter()
    first = outbox._claim()
    assert first == row
    assert outbox._claim() is None
    assert send_due_emails() == 0


def test_a_worker_that_was_too_slow_does_not_overwrite_what_another_noted(letter, inbox, time):
    letter()
    slow_one = outbox._claim()
    assert slow_one is not None
    time.forward(HOUR)
    assert send_due_emails() == 1
    outbox._postpone(slow_one, OSError("lost"))
    assert EmailRow.objects.get().sent_at is not None
    assert send_due_emails() == 0


def test_pictures_go_with_their_letter(reachable, slow, prefer, time):
    prefer(reachable[0], Frequency.EACH)
    turn(reachable[0], slow())
    time.forward(MINUTE)
    write_emails()
    assert AttachmentRow.objects.count() == 1
    EmailRow.objects.all().delete()
    assert not AttachmentRow.objects.exists()


def test_nobody_is_mailed_while_away(reachable, slow, prefer, inbox, time):
    ann = reachable[0]
    prefer(ann, Frequency.EACH, away_since=time.at, away_until=time.at + 3 * DAY)
    match = slow()
    carry_out(match.slug, Play(seat=0, ply=0, key="12345678", move=5))
    turn(ann, match)
    time.forward(2 * DAY)
    assert send() == 0
    time.forward(DAY + MINUTE)
    assert send() == 1

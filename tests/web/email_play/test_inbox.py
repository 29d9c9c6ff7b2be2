"""The inbox: each mail is stored once, ignored if it is automatic, and deleted with its user."""

import email
import email.policy
import json
from typing import Any

import pytest
from django.db import OperationalError

from antipodes.mail.requests import MOST_REQUESTS
from antipodes.web.accounts.account_deletion import delete_account
from antipodes.web.accounts.data_export import export_data
from antipodes.web.email_play import inbox, inbox_task, mail_tokens, processing
from antipodes.web.email_play.inbox import MAX_BYTES, receive
from antipodes.web.email_play.models import InboundMailRow, MailPlayRow, MailThreadRow, MailTokenRow
from antipodes.web.email_play.reply_addresses import address_owner, command_address, reply_address
from antipodes.web.notifications.models import EmailRow
from antipodes.web.notifications.outbox import django_message
from tests.raising import raising
from tests.web.email_play.conftest import moves_of, raw_mail, refused

pytestmark = pytest.mark.django_db


MAIL = b"From: ann@example.org\r\nMessage-ID: <1@example.org>\r\nSubject: help\r\n\r\n"


def receive_mail(raw=MAIL, sender="ann@example.org", recipients=("play@play.example",), via="lmtp"):
    return receive(raw, sender=sender, recipients=recipients, via=via)


def test_a_second_mail_with_the_same_message_id_is_dropped():
    assert receive_mail().is_new
    again = receive_mail(MAIL.replace(b"help", b"list") + b"more", via="imap")
    assert not again.is_new
    assert not again.refused
    assert bytes(InboundMailRow.objects.get().raw) == MAIL


def test_a_folded_message_id_is_the_same():
    receive_mail()
    assert not receive_mail(MAIL.replace(b"ID: <", b"ID:\r\n\t<")).is_new


@pytest.mark.parametrize("id_line", [b"", b"Message-ID:\r\n"])
def test_mails_without_a_message_id_are_compared_by_their_bytes(id_line):
    nameless = MAIL.replace(b"Message-ID: <1@example.org>\r\n", id_line)
    assert receive_mail(nameless).is_new
    assert not receive_mail(nameless).is_new
    assert receive_mail(nameless + b"x").is_new


def test_recipients_of_separate_deliveries_are_merged():
    receive_mail(recipients=["play+a@play.example"])
    receive_mail(recipients=["play+b@play.example", "play+a@play.example"])
    assert InboundMailRow.objects.get().recipients == ["play+a@play.example", "play+b@play.example"]


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x00",
        b"\xff" * 100,
        b"Message-ID: \xff\xfe\r\n\r\n",
        b"Message-ID: =?utf-8?q?=ff?=\r\n\r\n",
        b"\r\n\r\nMessage-ID: <x>",
        "Message-ID: <ä@ö>\r\n\r\n".encode(),
    ],
)
def test_any_bytes_are_stored(raw):
    assert receive_mail(raw).is_new
    assert not receive_mail(raw).is_new


def test_long_envelopes_are_truncated():
    assert receive_mail(sender="x" * 5_000, recipients=["y" * 5_000] * 3 + ["", " "]).is_new
    assert receive_mail(b"other", sender=None, recipients=[]).is_new


@pytest.mark.parametrize(("more", "is_whole"), [(0, True), (1, False)])
def test_a_mail_is_whole_up_to_the_limit(more, is_whole):
    raw = MAIL + b"x" * (MAX_BYTES - len(MAIL) + more)
    assert receive_mail(raw).refused.startswith("552 ") is not is_whole
    assert InboundMailRow.objects.exists() is is_whole
    receive_mail(raw, via="imap")
    row = InboundMailRow.objects.get()
    assert (row.is_whole, row.size) == (is_whole, MAX_BYTES + more)
    assert bytes(row.raw) == (raw if is_whole else raw[: 64 * 1024])


def test_a_received_mail_is_due_at_once_with_at_most_200_recipients(clocks):
    many = [f" play+{number}@play.example " for number in range(201)]
    assert receive_mail(recipients=[many[0], *many]).is_new
    row = InboundMailRow.objects.get()
    assert (bytes(row.raw), row.sender, row.outcome) == (MAIL, "ann@example.org", "waiting")
    assert row.recipients == [one.strip() for one in many[:200]]
    assert (row.received_at, row.due_at, row.attempts) == (clocks.wall, clocks.wall, 0)
    assert (row.via, row.size, row.processed_at) == ("lmtp", len(MAIL), None)


def test_recipients_of_a_processed_mail_do_not_change():
    receive_mail(recipients=["play+a@play.example"])
    InboundMailRow.objects.update(processed_at=1)
    receive_mail(recipients=["play+b@play.example"])
    assert InboundMailRow.objects.get().recipients == ["play+a@play.example"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"List_Id": "<news.example>"},
        {"X_Antipodes_Site": "elsewhere.example"},
        {"Message_ID": "<mail.abc.0@antipodes.example>"},
    ],
)
def test_automatic_mail_is_neither_carried_out_nor_answered(post, people, row, headers):
    assert post.send(people[0], reply_address(people[0], row), "", "f4", **headers) == []
    assert moves_of(row) == []
    assert InboundMailRow.objects.get().outcome == InboundMailRow.Outcome.IGNORED


def test_bounces_are_ignored(post, people, row):
    raw = raw_mail("MAILER-DAEMON@example.org", reply_address(people[0], row), "", "f4")
    receive(raw, sender="", recipients=[reply_address(people[0], row)], via="lmtp")
    inbox_task.process_due_mails()
    assert moves_of(row) == []
    assert not EmailRow.objects.exists()


def test_users_may_write_from_the_domain_of_the_site(post, people, row):
    post.send(
        people[0], reply_address(people[0], row), "", "f4", Message_ID="<1.2@antipodes.example>"
    )
    assert moves_of(row) == ["f4"]


def test_two_sites_that_mail_each_other_stop(post, people, slow):
    [letter] = post.send("play@other.example", command_address(), "nonsense")
    site = command_address()
    for _ in range(3):
        raw = bytes(django_message(letter).message())
        receive(raw, sender="play@other.example", recipients=[site], via="lmtp")
        inbox_task.process_due_mails()
    assert EmailRow.objects.count() == 1


def test_a_loop_ends_even_if_a_server_drops_the_headers_of_the_site(post, people, slow):
    to = command_address()
    raw = raw_mail("play@other.example", to, "nonsense")
    rounds = 0
    for _ in range(200):
        before = EmailRow.objects.count()
        receive(raw, sender="play@other.example", recipients=[to], via="lmtp")
        inbox_task.process_due_mails()
        if EmailRow.objects.count() == before:
            break
        rounds += 1
        letter = EmailRow.objects.order_by("-pk").first()
        assert letter is not None
        answer = email.message_from_bytes(
            bytes(django_message(letter).message()), policy=email.policy.default
        )
        body = answer.get_body(("plain",))
        assert body is not None
        raw = raw_mail("play@other.example", to, letter.subject, body.get_content())
    assert rounds < 20


def test_one_mail_has_a_limited_number_of_commands(post, people, slow, settings):
    settings.MAIL_AUTHSERV_ID = ["mx.play.example"]
    verdict = "mx.play.example; dmarc=pass header.from=example.org"
    row = slow()
    lines = [f"preview {row.pk} f4"] * (MOST_REQUESTS + 5)
    text = "\n".join(lines)
    letters = post.send(
        people[0], command_address(), "multiple", text, Authentication_Results=verdict
    )
    assert len(letters) == MOST_REQUESTS + 1
    assert sum(refused(letter, "mail/too-many") for letter in letters) == 1


def test_a_mail_above_the_size_limit_is_refused_with_a_short_reply(post, people, row):
    address = reply_address(people[0], row)
    raw = raw_mail("ann@example.org", address, "", "f4\n" + "x " * MAX_BYTES)
    receive(raw, sender="ann@example.org", recipients=[address], via="imap")
    inbox_task.process_due_mails()
    letter = EmailRow.objects.get()
    assert refused(letter, "mail/too-large")
    assert len(letter.text) < 10_000
    assert moves_of(row) == []


def test_only_the_hash_of_a_processed_mail_is_kept(post, people, row):
    address = reply_address(people[0], row)
    raw = raw_mail("ann@example.org", address, "", "f4", Message_ID="<once@mail.example>")
    receive(raw, sender="ann@example.org", recipients=[address], via="lmtp")
    inbox_task.process_due_mails()
    kept = InboundMailRow.objects.values().get()
    assert (bytes(kept["raw"]), kept["sender"], kept["recipients"]) == (b"", None, [])
    assert not receive(raw, sender="ann@example.org", recipients=[address], via="imap").is_new
    inbox_task.process_due_mails()
    assert EmailRow.objects.count() == 1


def test_a_listener_is_told_once_of_each_new_mail(monkeypatch):
    told = []
    monkeypatch.setattr(inbox, "_listeners", [])

    def listen():
        told.append(1)

    for _ in range(2):
        inbox.on_new_mail(listen)
    inbox._notify_listeners()
    assert told == [1]


def test_the_task_starts_a_thread_only_if_mail_is_due(monkeypatch):
    started = []
    monkeypatch.setattr(inbox_task, "process_mail", lambda: started.append(1))
    inbox_task.find_mail()
    assert started == []
    InboundMailRow.objects.create(
        key="k", raw=b"", size=0, via="lmtp", received_at=1, due_at=1, recipients=[]
    )
    inbox_task.find_mail()
    assert started == [1]


def test_a_mail_that_another_process_has_finished_is_not_processed_again():
    row = InboundMailRow.objects.create(
        key="k", raw=b"", size=0, via="lmtp", received_at=1, due_at=1, recipients=[], processed_at=2
    )
    assert inbox_task._try(row.pk) is False
    row.refresh_from_db()
    assert (row.attempts, row.processed_at) == (0, 2)


def mail_with(attempts, people, row):
    """Store a mail with a move that was tried so often; return its row."""
    address = reply_address(people[0], row)
    raw = raw_mail("ann@example.org", address, "", "f4")
    receive(raw, sender="ann@example.org", recipients=[address], via="lmtp")
    InboundMailRow.objects.update(attempts=attempts)
    return InboundMailRow.objects.get()


@pytest.mark.parametrize(
    ("attempts", "outcome", "letters", "moves"),
    [(4, "answered", 1, ["f4"]), (5, "failed", 1, []), (6, "failed", 0, [])],
)
def test_a_mail_that_failed_so_often_is_told_and_then_given_up(
    post, people, slow, attempts, outcome, letters, moves
):
    board = slow()
    row = mail_with(attempts, people, board)
    inbox_task.process_due_mails()
    row.refresh_from_db()
    assert (row.outcome, row.attempts, row.due_at) == (outcome, attempts + 1, None)
    assert EmailRow.objects.count() == letters
    assert moves_of(board) == moves


def test_the_thread_of_the_task_processes_mails(monkeypatch):
    processed = []
    monkeypatch.setattr(inbox_task, "process_due_mails", lambda: processed.append(1))
    process: Any = inbox_task.process_mail
    process.__wrapped__()
    assert processed == [1]


def test_mail_waits_during_an_outage(post, people, slow, monkeypatch, caplog):
    row = mail_with(0, people, slow())

    with monkeypatch.context() as patched:
        patched.setattr(
            processing.MailProcessor, "_call_handler", raising(OperationalError("away"))
        )
        with pytest.raises(OperationalError):
            inbox_task.process_due_mails()
    row.refresh_from_db()
    assert (row.processed_at, row.outcome) == (None, "waiting")
    assert not EmailRow.objects.exists()
    assert f"mail postponed: database unavailable id={row.pk}" in caplog.text
    inbox_task.process_due_mails()
    assert EmailRow.objects.count() == 1


def test_a_mail_without_any_sender_is_not_answered():
    raw = b"Message-ID: <7@mail.example>\nSubject: nonsense\n\n\n"
    receive(raw, sender=None, recipients=[command_address()], via="imap")
    inbox_task.process_due_mails()
    assert InboundMailRow.objects.get().outcome == InboundMailRow.Outcome.IGNORED
    assert not EmailRow.objects.exists()


def test_a_mail_that_fails_is_tried_again_twenty_seconds_later(
    post, people, slow, monkeypatch, clocks
):
    row = mail_with(0, people, slow())

    with monkeypatch.context() as patched:
        patched.setattr(processing.MailProcessor, "process", raising(RuntimeError("an error")))
        assert inbox_task.process_due_mails() == 0
    row.refresh_from_db()
    assert (row.attempts, row.due_at, row.processed_at) == (1, clocks.wall + 20_000, None)
    clocks.advance(19_999)
    assert inbox_task.process_due_mails() == 0
    clocks.advance(1)
    assert inbox_task.process_due_mails() == 1
    row.refresh_from_db()
    assert (row.attempts, row.processed_at) == (2, clocks.wall)


def test_one_run_processes_a_limited_number_of_mails_the_oldest_first(post, monkeypatch):
    monkeypatch.setattr(inbox_task, "_BATCH", 2)
    for number in range(3):
        raw = raw_mail(f"x{number}@else.example", command_address(), "help")
        receive(raw, sender=f"x{number}@else.example", recipients=[command_address()], via="lmtp")
    assert inbox_task.process_due_mails() == 2
    outcomes = InboundMailRow.objects.order_by("pk").values_list("outcome", flat=True)
    assert list(outcomes) == ["answered", "answered", "waiting"]
    assert inbox_task.process_due_mails() == 1
    assert inbox_task.process_due_mails() == 0


def test_processed_mails_are_kept_for_90_days_and_others_for_ever(clocks):
    for key, age, processed_at in (("a", 90, 1), ("b", 90.001, 1), ("c", 200, None)):
        InboundMailRow.objects.create(
            key=key,
            raw=b"",
            size=0,
            via="lmtp",
            received_at=clocks.wall - int(age * 86_400_000),
            recipients=[],
            processed_at=processed_at,
        )
    inbox_task.delete_old_mails()
    assert list(InboundMailRow.objects.order_by("key").values_list("key", flat=True)) == ["a", "c"]


@pytest.mark.parametrize("kind", ["mail", "board", "digest", "notices", "followed"])
def test_own_mail_that_lost_its_headers_is_ignored(post, kind):
    message_id = f"<{kind}.a1.0@antipodes.example>"
    assert post.send("x@else.example", command_address(), "help", Message_ID=message_id) == []
    others = f"<{kind}.a1.0@else.example>"
    assert len(post.send("x@else.example", command_address(), "help", Message_ID=others)) == 1


def test_deleting_an_account_deletes_its_mail_data(post, ann, row, by_mail):
    token = mail_tokens.make_token(ann, "mutt")
    address = reply_address(ann, row)
    post.reply(ann, row, "submit f4\n\nHello")
    delete_account(ann)
    for table in (MailPlayRow, MailThreadRow, MailTokenRow):
        assert not table.objects.filter(user=ann).exists()
    assert mail_tokens.user_of(token) is None
    assert address_owner(address) is None
    stored = [str(one) for one in InboundMailRow.objects.values()]
    assert stored
    assert all("example.org" not in one and "Hello" not in one for one in stored)


def test_the_data_export_has_the_mail_data_without_secrets(post, people, slow, by_mail):
    token = mail_tokens.make_token(people[0], "mutt")
    post.reply(people[0], slow(), "submit f4")
    text = "".join(export_data(people[0], str))
    rows = json.loads(text)["rows"]
    assert rows["email_play.mailtokenrow"][0]["name"] == "mutt"
    assert rows["email_play.mailthreadrow"][0]["draft_ply"] == 0
    assert rows["email_play.mailplayrow"][0]["is_on"] is True
    assert token not in text
    assert "digest" not in rows["email_play.mailtokenrow"][0]

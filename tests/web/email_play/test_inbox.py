"""The inbox: each mail is stored once."""

import pytest

from antipodes.web.email_play.inbox import MAX_BYTES, receive
from antipodes.web.email_play.models import InboundMailRow

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

"""Laws of how mails come in: stored once, before anybody says that they were taken."""

import pytest

from antipodes.web.email_play.inbox import MAX_BYTES, receive
from antipodes.web.email_play.models import InboundMailRow

pytestmark = pytest.mark.django_db

MAIL = b"From: ann@example.org\r\nMessage-ID: <1@example.org>\r\nSubject: help\r\n\r\n"


def came(raw=MAIL, sender="ann@example.org", recipients=("play@play.example",), via="lmtp"):
    return receive(raw, sender=sender, recipients=recipients, via=via)


def test_a_mail_is_a_row_when_it_is_taken():
    assert came().is_new
    row = InboundMailRow.objects.get()
    assert bytes(row.raw) == MAIL
    assert (row.sender, row.recipients) == ("ann@example.org", ["play@play.example"])
    assert row.outcome == InboundMailRow.Outcome.WAITING


def test_one_message_id_comes_once():
    assert came().is_new
    again = came(MAIL.replace(b"help", b"list") + b"more", via="imap")
    assert not again.is_new
    assert not again.refused
    assert bytes(InboundMailRow.objects.get().raw) == MAIL


def test_a_message_id_on_two_lines_is_the_same():
    came()
    assert not came(MAIL.replace(b"ID: <", b"ID:\r\n\t<")).is_new


@pytest.mark.parametrize("id_line", [b"", b"Message-ID:\r\n"])
def test_mails_without_a_name_are_known_by_their_bytes(id_line):
    nameless = MAIL.replace(b"Message-ID: <1@example.org>\r\n", id_line)
    assert came(nameless).is_new
    assert not came(nameless).is_new
    assert came(nameless + b"x").is_new


def test_mail_servers_may_deliver_to_each_recipient_on_its_own():
    came(recipients=["play+a@play.example"])
    came(recipients=["play+b@play.example", "play+a@play.example"])
    assert InboundMailRow.objects.get().recipients == ["play+a@play.example", "play+b@play.example"]


def test_a_mail_that_is_too_large_is_refused_where_somebody_waits():
    receipt = came(MAIL + b"x" * MAX_BYTES)
    assert receipt.refused.startswith("552 ")
    assert not InboundMailRow.objects.exists()


def test_of_a_mail_that_is_too_large_and_here_already_the_head_is_kept():
    assert came(MAIL + b"x" * MAX_BYTES, via="imap").is_new
    row = InboundMailRow.objects.get()
    assert not row.is_whole
    assert row.size == len(MAIL) + MAX_BYTES
    assert len(bytes(row.raw)) < MAX_BYTES


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
def test_whatever_the_bytes_are_they_are_taken(raw):
    assert came(raw).is_new
    assert not came(raw).is_new


def test_envelopes_of_any_length_are_taken():
    assert came(sender="x" * 5_000, recipients=["y" * 5_000] * 3 + ["", " "]).is_new
    assert came(b"other", sender=None, recipients=[]).is_new

"""A mail is taken when it is a row, once, and never when it is not for us."""

import pytest
from django.db import OperationalError

from antipodes.web.email_play import inbox
from antipodes.web.email_play.inbound import intake
from antipodes.web.email_play.inbound.envelopes import envelope_of
from antipodes.web.email_play.inbound.intake import TryAgainError, postmaster_box, take
from antipodes.web.email_play.models import InboundMailRow

MAIL = b"Message-ID: <1@there.example>\r\nTo: play@example.org\r\nSubject: help\r\n\r\n"


@pytest.fixture(autouse=True)
def one_connection(monkeypatch):
    """Tests that are rolled back have one connection to the database, which stays open."""
    monkeypatch.setattr(intake, "close_old_connections", lambda: None)


def taken(raw=MAIL, recipients=("play@example.org",), sender="ann@there.example"):
    return take(raw, sender=sender, recipients=recipients, via="lmtp")


@pytest.mark.django_db
def test_a_mail_that_comes_twice_is_one_row_and_taken_both_times():
    assert taken() == ""
    assert taken() == ""
    row = InboundMailRow.objects.get()
    assert bytes(row.raw) == MAIL
    assert row.recipients == ["play@example.org"]


@pytest.mark.django_db
def test_mail_for_others_makes_no_row():
    assert taken(recipients=("ann@there.example",)).startswith("550")
    assert taken(recipients=()).startswith("550")
    assert not InboundMailRow.objects.exists()


@pytest.mark.django_db
def test_only_our_recipients_are_kept():
    assert taken(recipients=("ann@there.example", "play+abc@example.org")) == ""
    assert InboundMailRow.objects.get().recipients == ["play+abc@example.org"]


@pytest.mark.django_db
def test_mail_for_postmaster_waits_for_whoever_runs_the_site():
    assert taken(recipients=("Postmaster@example.org",)) == ""
    assert not InboundMailRow.objects.exists()
    (file,) = (postmaster_box() / "new").iterdir()
    assert b"help" in file.read_bytes()


@pytest.mark.parametrize("error", [OperationalError("gone"), ValueError("ours")])
def test_what_cannot_be_written_is_put_off_and_never_lost(monkeypatch, error):
    def fail(*_, **__):
        raise error

    monkeypatch.setattr(inbox, "receive", fail)
    with pytest.raises(TryAgainError):
        taken()


@pytest.mark.parametrize(
    ("head", "sender", "recipients"),
    [
        (
            b"To: Ann <play@example.org>, b@c.example\n",
            None,
            ["play@example.org", "b@c.example"],
        ),
        (b"Return-Path: <>\nTo: x@y.example\n", "", ["x@y.example"]),
        (
            b"Return-Path: <a@b.example>\nX-Original-To: q@r.example\n",
            "a@b.example",
            ["q@r.example"],
        ),
        (
            b"Delivered-To: q@r.example\nCc: q@r.example, s@t.example\n",
            None,
            ["q@r.example", "s@t.example"],
        ),
        (b"\xff\xfe no header at all", None, []),
        (b"", None, []),
    ],
)
def test_an_envelope_is_read_from_headers(head, sender, recipients):
    assert envelope_of(head + b"\n\nbody") == (sender, recipients)


@pytest.mark.parametrize(
    "head",
    [b"To: =?utf-8?q?=FF?= <<<@@>\n", b"Return-Path: \xe9\nTo: \xe9@x\n", b"To: " + b"a," * 9],
)
def test_whatever_stands_in_headers_nothing_breaks(head):
    assert taken(head + b"\n", recipients=envelope_of(head + b"\n")[1]).startswith("550")

"""Mail that stays on this machine: from the site into maildirs, and back to the site."""

import os
import threading

import pytest
from django.core.mail import EmailMultiAlternatives, get_connection

from antipodes.errors import InvalidOptionsError
from antipodes.web.email_play.inbound import maildir as transports
from antipodes.web.email_play.inbound.intake import TryAgainError
from antipodes.web.email_play.inbound.maildir import (
    MaildirTransport,
    addresses,
    deliver,
    incoming,
    mailbox_of,
)
from tests.raising import raising

MAIL = b"Message-ID: <1@here.example>\nSubject: help\n\nplease\n"


@pytest.fixture
def accepted(monkeypatch):
    found = []

    def accept(raw, **more):
        found.append((raw, more))
        return ""

    monkeypatch.setattr(transports, "accept", accept)
    monkeypatch.setattr(transports, "_POLL", 0.01)
    return found


@pytest.fixture
def transport(maildir):
    found = MaildirTransport()
    found.check()
    yield found
    found.stop()


def until(is_so):
    for _ in range(500):
        if is_so():
            return
        threading.Event().wait(0.01)
    raise AssertionError("timed out")


def test_mail_of_the_site_is_delivered_to_the_maildir_of_each_recipient(maildir):
    mail = EmailMultiAlternatives(
        "Bonjour", "Où ?", "Antipodes <play@example.org>", ["Ann@x.example"]
    )
    mail.cc = ["bob@x.example"]
    mail.connection = get_connection()
    assert mail.send() == 1
    assert addresses() == ["ann@x.example", "bob@x.example"]
    (file,) = (mailbox_of("ann@x.example") / "new").iterdir()
    assert file.read_bytes().startswith(
        b"Return-Path: <play@example.org>\nDelivered-To: Ann@x.example\n"
    )
    assert maildir.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("address", ["../../etc/x@y", "..", ".", "a/b@c", "é@x.example", "a b"])
def test_no_address_escapes_the_folder(maildir, address):
    deliver(MAIL, "", address)
    box = mailbox_of(address)
    assert box.resolve().parent == (maildir / "boxes").resolve()
    assert [one.name for one in maildir.iterdir()] == ["boxes"]
    assert addresses() == [address]


def test_mail_for_the_site_is_accepted_once_and_marked_as_read(transport, accepted):
    deliver(MAIL, "ann@x.example", "play+abc@example.org")
    transport.start()
    until(lambda: accepted)
    ((raw, more),) = accepted
    assert raw.endswith(MAIL)
    assert more == {
        "sender": "ann@x.example",
        "recipients": ["play+abc@example.org"],
        "via": "maildir",
    }
    until(lambda: list((incoming() / "cur").iterdir()))
    assert not list((incoming() / "new").iterdir())


def test_deferred_mail_is_accepted_later(transport, accepted, monkeypatch):
    calls = []

    def accept(raw, **_):
        calls.append(raw)
        if len(calls) == 1:
            raise TryAgainError
        return ""

    monkeypatch.setattr(transports, "accept", accept)
    monkeypatch.setattr(transports, "_RETRY", 0.01)
    deliver(MAIL, "ann@x.example", "play@example.org")
    transport.start()
    until(lambda: list((incoming() / "cur").iterdir()))
    assert len(calls) == 2


def test_a_folder_that_cannot_be_made_is_named(maildir, monkeypatch):
    monkeypatch.setattr(transports, "open_maildir", raising(OSError(30, "Read-only file system")))
    with pytest.raises(InvalidOptionsError, match=r"cannot write .*: Read-only file system"):
        MaildirTransport().check()


def test_mail_is_accepted_in_the_order_of_its_arrival(transport, accepted):
    for number, at in ((1, 20), (2, 10), (3, 30)):
        deliver(MAIL + b"%d" % number, "", "play@example.org")
        [file] = [
            one for one in (incoming() / "new").iterdir() if one.read_bytes()[-1:] == b"%d" % number
        ]
        os.utime(file, (at, at))
    transport.start()
    until(lambda: len(accepted) == 3)
    assert [raw[-1:] for raw, _ in accepted] == [b"2", b"1", b"3"]


def test_of_a_large_mail_one_byte_more_than_is_accepted_is_read(transport, accepted, monkeypatch):
    monkeypatch.setattr(transports, "MAX_BYTES", 100)
    deliver(MAIL + b"x" * 200, "", "play@example.org")
    transport.start()
    until(lambda: accepted)
    assert [len(raw) for raw, _ in accepted] == [101]

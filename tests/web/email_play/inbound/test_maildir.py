"""Mail that stays on this machine goes round: from the site into folders, and back to the site."""

import threading

import pytest
from django.core.mail import EmailMultiAlternatives, get_connection

from antipodes.web.email_play.inbound import maildir as doors
from antipodes.web.email_play.inbound.intake import TryAgainError
from antipodes.web.email_play.inbound.maildir import MaildirDoor, addresses, box_of, incoming, put

MAIL = b"Message-ID: <1@here.example>\nSubject: help\n\nplease\n"


@pytest.fixture
def brought(monkeypatch):
    found = []

    def take(raw, **more):
        found.append((raw, more))
        return ""

    monkeypatch.setattr(doors, "take", take)
    monkeypatch.setattr(doors, "_LOOK", 0.01)
    return found


@pytest.fixture
def door(maildir):
    found = MaildirDoor()
    found.try_out()
    yield found
    found.stop()


def until(is_so):
    for _ in range(500):
        if is_so():
            return
        threading.Event().wait(0.01)
    raise AssertionError("waited in vain")


def test_what_the_site_sends_lies_in_the_folder_of_each_recipient(maildir):
    mail = EmailMultiAlternatives(
        "Bonjour", "Où ?", "Antipodes <play@example.org>", ["Ann@x.example"]
    )
    mail.cc = ["bob@x.example"]
    mail.connection = get_connection()
    assert mail.send() == 1
    assert addresses() == ["ann@x.example", "bob@x.example"]
    (file,) = (box_of("ann@x.example") / "new").iterdir()
    assert file.read_bytes().startswith(
        b"Return-Path: <play@example.org>\nDelivered-To: Ann@x.example\n"
    )
    assert maildir.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("address", ["../../etc/x@y", "..", ".", "a/b@c", "é@x.example", "a b"])
def test_no_address_leads_out_of_the_folder(maildir, address):
    put(MAIL, "", address)
    box = box_of(address)
    assert box.resolve().parent == (maildir / "boxes").resolve()
    assert [one.name for one in maildir.iterdir()] == ["boxes"]
    assert addresses() == [address]


def test_mail_for_the_site_is_read_once_and_kept_as_read(door, brought):
    put(MAIL, "ann@x.example", "play+abc@example.org")
    door.start()
    until(lambda: brought)
    ((raw, more),) = brought
    assert raw.endswith(MAIL)
    assert more == {
        "sender": "ann@x.example",
        "recipients": ["play+abc@example.org"],
        "via": "maildir",
    }
    until(lambda: list((incoming() / "cur").iterdir()))
    assert not list((incoming() / "new").iterdir())


def test_what_cannot_be_taken_now_is_taken_later(door, brought, monkeypatch):
    calls = []

    def take(raw, **_):
        calls.append(raw)
        if len(calls) == 1:
            raise TryAgainError
        return ""

    monkeypatch.setattr(doors, "take", take)
    monkeypatch.setattr(doors, "_PAUSE", 0.01)
    put(MAIL, "ann@x.example", "play@example.org")
    door.start()
    until(lambda: list((incoming() / "cur").iterdir()))
    assert len(calls) == 2

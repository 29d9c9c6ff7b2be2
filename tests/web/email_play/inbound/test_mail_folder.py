"""The small mail client of this machine: lists, shows and sends messages."""

import os

import pytest

from antipodes.errors import InputError
from antipodes.web.email_play.inbound import mail_folder
from antipodes.web.email_play.inbound.intake import postmaster_box
from antipodes.web.email_play.inbound.mail_folder import (
    mailboxes,
    mark_read,
    message_of,
    messages_of,
    send,
)
from antipodes.web.email_play.inbound.maildir import deliver, incoming, open_maildir

MAIL = (
    b"From: Games <play@example.org>\nReply-To: Board 7 <play+7@example.org>\n"
    b"Subject: Your\n turn\nMessage-ID: <7@example.org>\nDate: Mon, 2 Mar 2026 12:30:00 +0000\n\n"
    b"It is your turn.\n\nThe board\n"
)
ANN = "ann@example.net"

pytestmark = pytest.mark.usefixtures("maildir")


def received(raw=MAIL, at=1):
    """Deliver a mail to ann; return it."""
    known = {message.path for message in messages_of(ANN)}
    deliver(raw, "play@example.org", ANN)
    [new] = [one for one in messages_of(ANN) if one.path not in known]
    os.utime(new.path, (at, at))
    return next(one for one in messages_of(ANN) if one.path == new.path)


def sent():
    """Return the only message to the site."""
    [file] = (incoming() / "new").iterdir()
    return mail_folder._read(file)


def test_messages_are_numbered_the_oldest_first():
    second, first = received(at=20), received(at=10)
    assert [one.path for one in messages_of(ANN)] == [first.path, second.path]
    assert [one.number for one in messages_of(ANN)] == [1, 2]
    assert message_of(ANN, 1).path == first.path
    assert message_of(ANN, 2).path == second.path
    for number in (0, 3):
        message = f"has 2 messages, and none with the number {number}"
        with pytest.raises(InputError, match=message):
            message_of(ANN, number)


def test_an_address_without_mail_has_no_messages():
    assert messages_of("bob@example.net") == []
    assert mailboxes() == []


def test_a_message_that_was_read_is_counted_but_not_as_new():
    received()
    received()
    assert mailboxes() == [(ANN, 2, 2)]
    mark_read(message_of(ANN, 1))
    assert mailboxes() == [(ANN, 2, 1)]
    read = next(one for one in messages_of(ANN) if not one.is_new)
    mark_read(read)
    assert read.path.exists()
    assert mailboxes() == [(ANN, 2, 1)]


def test_mail_for_the_postmaster_has_its_own_folder():
    open_maildir(postmaster_box()).add(MAIL)
    assert [one.subject for one in messages_of("Postmaster")] == ["Your turn"]


@pytest.mark.parametrize(
    ("head", "text"),
    [
        (b"", "please\n"),
        (b"Content-Type: text/plain; charset=unknown\n", ""),
        (b"Content-Type: text/html\n", "please\n"),
        (b"Content-Type: image/png\n", ""),
    ],
)
def test_the_text_is_plain_or_html_in_a_known_character_set(head, text):
    assert received(head + b"\nplease\n").text == text


@pytest.mark.parametrize(
    ("head", "address"),
    [
        (b"From: Ann <ann@a.org>\nReply-To: Bob <bob@b.org>\n", "bob@b.org"),
        (b"From: Ann <ann@a.org>\n", "ann@a.org"),
        (b"Subject: none\n", ""),
    ],
)
def test_replies_go_to_the_reply_address_or_the_author(head, address):
    assert received(head + b"\nplease\n").reply_to == address


def test_a_message_goes_to_the_site_unless_it_names_a_recipient():
    assert send(sender=ANN, subject="a  new\n game", body="hex") == "play@example.org"
    message = sent()
    assert (message["From"], message["To"], message["Subject"]) == (
        ANN,
        "play@example.org",
        "a new game",
    )
    assert message["Message-ID"].endswith("@example.net>")
    assert message["Date"]
    assert message.get_content() == "hex\n"
    assert message["In-Reply-To"] is None
    assert mailboxes() == [(ANN, 0, 0)]
    assert send(sender=ANN, to="bob@example.net") == "bob@example.net"
    assert ("bob@example.net", 1, 1) in mailboxes()


@pytest.mark.parametrize(("sender", "to"), [("ann", ""), (ANN, "bob")])
def test_an_invalid_address_is_refused_and_nothing_is_sent(sender, to):
    with pytest.raises(InputError, match="is not a mail address"):
        send(sender=sender, to=to)
    assert mailboxes() == []


def test_a_reply_quotes_the_message_and_belongs_to_its_thread():
    send(sender=ANN, body="a1", reply=received())
    message = sent()
    assert message["To"] == "play+7@example.org"
    assert message["Subject"] == "Re: Your turn"
    assert message["In-Reply-To"] == message["References"] == "<7@example.org>"
    assert message.get_content() == (
        "a1\n\nOn Mon, 02 Mar 2026 12:30:00 +0000, play@example.org wrote:\n"
        "> It is your turn.\n>\n> The board\n"
    )


def test_a_reply_to_a_reply_continues_its_thread():
    head = b"From: play@example.org\nSubject: RE: Your turn\nReferences: <6@example.org>\n"
    send(sender=ANN, body="a1", reply=received(head + b"Message-ID: <7@example.org>\n\nplease\n"))
    assert sent()["Subject"] == "RE: Your turn"
    assert sent()["References"] == "<6@example.org> <7@example.org>"


def test_a_reply_may_have_a_subject_of_its_own():
    reply = received(b"From: play@example.org\n\nplease\n")
    send(sender=ANN, subject="another", body="a1", reply=reply)
    assert sent()["Subject"] == "another"
    assert sent()["In-Reply-To"] is None


def test_malformed_messages_are_shown_as_far_as_they_can_be_read():
    raw = b"Subject: =?utf-8?q?\xff?= \xe9\nFrom: <<>\nContent-Type: multipart/mixed\n\nplease\n"
    message = received(raw)
    assert message.number == 1
    assert isinstance(message.subject, str)
    assert isinstance(message.text, str)
    assert isinstance(message.reply_to, str)

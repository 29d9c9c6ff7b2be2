"""The ways of a mail through real servers: taken once, put off in outages, never passed on."""

import re
import smtplib

import pytest

from tests.mailservers.people import text_of
from tests.mailservers.servers import PEOPLE, SITE, wait_until

HEX = ("hex", {"size": 4, "swap": "off"})


@pytest.fixture(scope="module")
def board(site):
    """A board of two people who play by mail; its number, and their tokens."""
    found = site.people("ann", "bob")
    return {"tokens": found, **site.begin(*HEX, ["ann", "bob"])}


def test_help_is_answered_to_a_stranger(site, person):
    cy = person("cy")
    asked = cy.write(f"play@{SITE}", "help")
    answer = cy.wait_for_answer(asked)
    assert "move" in text_of(answer)
    assert answer["Auto-Submitted"] == "auto-replied"


def test_a_move_is_answered_in_the_same_thread_and_called_to_the_other(site, board, person):
    ann, bob = person("ann"), person("bob")
    letter = ann.wait_for_turn(board["number"], 0)
    sent = ann.reply(letter, "a1")
    answer = ann.wait_for_answer(sent)
    assert "News: You played a1." in text_of(answer)
    assert str(letter["Message-ID"]).strip() in str(answer["References"])
    assert answer["List-Unsubscribe"]
    assert [part.get_content_type() for part in answer.walk()][:2] == [
        "multipart/related",
        "multipart/alternative",
    ]
    called = bob.wait_for_turn(board["number"], 1)
    assert "ann has played a1" in text_of(called) or "ann played a1" in text_of(called)


def test_a_mail_that_is_delivered_twice_is_carried_out_once(site, board, person, postfix):
    bob = person("bob")
    letter = bob.wait_for_turn(board["number"], 1)
    raw = (
        f"From: bob@{PEOPLE}\r\nTo: {letter['Reply-To']}\r\nSubject: Re: {letter['Subject']}\r\n"
        f"Message-ID: <twice@{PEOPLE}>\r\n\r\nb2\r\n"
    ).encode()
    to = str(letter["Reply-To"]).rpartition("<")[2].rstrip(">")
    before = len(site.arrivals())
    for _ in range(3):
        postfix.submit(raw, bob.address, [to])
    bob.wait_for_answer(f"<twice@{PEOPLE}>")
    wait_until(lambda: "is empty" in postfix.queue(), "the last of them", 60)
    assert len(site.arrivals()) == before + 1
    assert site.moves(board["number"])["moves"] == ["a1", "b2"]


def test_nothing_is_passed_on_to_others(site, lmtp_port):
    with smtplib.LMTP("127.0.0.1", lmtp_port) as client:
        refused = client.sendmail(
            f"ann@{PEOPLE}",
            [f"play@{SITE}", f"bob@{PEOPLE}", f"nobody@{SITE}"],
            b"Subject: nothing that anybody knows\r\nAuto-Submitted: auto-replied\r\n\r\n",
        )
    assert set(refused) == {f"bob@{PEOPLE}", f"nobody@{SITE}"}
    assert {code for code, _ in refused.values()} == {550}


def test_automatic_mail_bounces_and_our_own_letters_are_met_with_silence(
    site, board, person, postfix
):
    ann = person("ann")
    letter = ann.wait_for_turn(board["number"], 0)
    to = str(letter["Reply-To"]).rpartition("<")[2].rstrip(">")
    before, told = len(site.arrivals()), len(ann.letters())
    automatic = [
        ("", b"Subject: Undelivered\r\nAuto-Submitted: auto-replied\r\n\r\na2\r\n"),
        ("<>", b"Subject: help\r\nMessage-ID: <bounce@x>\r\n\r\nhelp\r\n"),
        (ann.address, b"Subject: away\r\nAuto-Submitted: auto-replied\r\n\r\nhelp\r\n"),
        (ann.address, b"Subject: list\r\nList-Id: <x.y>\r\nPrecedence: list\r\n\r\nhelp\r\n"),
        (ann.address, letter.as_bytes()),
    ]
    for sender, raw in automatic:
        postfix.submit(raw, sender.strip("<>"), [to])

    def all_handled():
        found = site.arrivals()
        return len(found) == before + len(automatic) and "waiting" not in found

    wait_until(all_handled, "all of them", 120)
    assert site.arrivals()[before:] == ["ignored"] * len(automatic)
    assert len(ann.letters()) == told


def test_a_killed_worker_and_an_outage_lose_nothing(site, board, person, postfix):
    ann = person("ann")
    letter = ann.wait_for_turn(board["number"], 2)
    site.kill_worker()
    sent = ann.reply(letter, "c3")
    postfix.try_again()
    site.wait_for_doors()
    postfix.try_again()
    answer = ann.wait_for_answer(sent)
    assert "You played c3" in text_of(answer)
    assert site.moves(board["number"])["moves"] == ["a1", "b2", "c3"]


def test_a_mail_of_thirty_megabytes_is_refused_by_the_door_and_bounced_to_its_sender(
    site, board, person, postfix
):
    ann = person("ann")
    raw = (
        f"From: {ann.address}\r\nTo: play@{SITE}\r\nSubject: help\r\nMessage-ID: <large@x>\r\n\r\n"
    ).encode() + (b"x" * 70 + b"\r\n") * 430_000
    before = len(site.arrivals())
    postfix.submit(raw, ann.address, [f"play@{SITE}"])
    bounce = ann.wait_for(lambda one: "MAILER-DAEMON" in str(one["From"]), "a bounce")
    assert re.search(r"552|5\.3\.4", bounce.as_string()), "it says that the mail is too large"
    assert len(site.arrivals()) == before

"""Mail through real servers: processed once, deferred in outages, never relayed."""

import re
import smtplib

import pytest

from tests.mailservers.people import text_of
from tests.mailservers.servers import PEOPLE, SITE, wait_until

HEX = ("hex", {"size": 4, "swap": "off"})


@pytest.fixture(scope="module")
def board(site):
    """A match of two mail players; its number and slug, and their tokens."""
    tokens = site.people("ann", "bob")
    return {"tokens": tokens, **site.begin(*HEX, ["ann", "bob"])}


def test_a_stranger_gets_help(site, person):
    cy = person("cy")
    asked = cy.write(f"play@{SITE}", "help")
    answer = cy.wait_for_answer(asked)
    assert "move" in text_of(answer)
    assert answer["Auto-Submitted"] == "auto-replied"


def test_a_move_is_answered_in_the_thread_and_emailed_to_the_opponent(site, board, person):
    ann, bob = person("ann"), person("bob")
    mail = ann.wait_for_turn(board["number"], 0)
    sent = ann.reply(mail, "a1")
    answer = ann.wait_for_answer(sent)
    assert "News: You played a1." in text_of(answer)
    assert str(mail["Message-ID"]).strip() in str(answer["References"])
    assert answer["List-Unsubscribe"]
    assert [part.get_content_type() for part in answer.walk()][:2] == [
        "multipart/related",
        "multipart/alternative",
    ]
    received = bob.wait_for_turn(board["number"], 1)
    assert "ann has played a1" in text_of(received) or "ann played a1" in text_of(received)


def test_a_mail_that_is_delivered_twice_is_processed_once(site, board, person, postfix):
    bob = person("bob")
    mail = bob.wait_for_turn(board["number"], 1)
    raw = (
        f"From: bob@{PEOPLE}\r\nTo: {mail['Reply-To']}\r\nSubject: Re: {mail['Subject']}\r\n"
        f"Message-ID: <twice@{PEOPLE}>\r\n\r\nb2\r\n"
    ).encode()
    to = str(mail["Reply-To"]).rpartition("<")[2].rstrip(">")
    before = len(site.outcomes())
    for _ in range(3):
        postfix.submit(raw, bob.address, [to])
    bob.wait_for_answer(f"<twice@{PEOPLE}>")
    wait_until(lambda: "is empty" in postfix.queue(), "the last of them", 60)
    assert len(site.outcomes()) == before + 1
    assert site.moves(board["number"])["moves"] == ["a1", "b2"]
    person("ann").wait_for_turn(board["number"], 2)  # or it would arrive during a later test


def test_mail_for_others_is_not_relayed(site, lmtp_port):
    with smtplib.LMTP("127.0.0.1", lmtp_port) as client:
        refused = client.sendmail(
            f"ann@{PEOPLE}",
            [f"play@{SITE}", f"bob@{PEOPLE}", f"other@{SITE}"],
            b"Subject: automatic\r\nAuto-Submitted: auto-replied\r\n\r\n",
        )
    assert set(refused) == {f"bob@{PEOPLE}", f"other@{SITE}"}
    assert {code for code, _ in refused.values()} == {550}


def test_automatic_mail_bounces_and_own_emails_are_ignored(site, board, person, postfix):
    ann = person("ann")
    mail = ann.wait_for_turn(board["number"], 0)
    to = str(mail["Reply-To"]).rpartition("<")[2].rstrip(">")
    before, received = len(site.outcomes()), len(ann.emails())
    automatic = [
        ("", b"Subject: Undelivered\r\nAuto-Submitted: auto-replied\r\n\r\na2\r\n"),
        ("<>", b"Subject: help\r\nMessage-ID: <bounce@x>\r\n\r\nhelp\r\n"),
        (ann.address, b"Subject: away\r\nAuto-Submitted: auto-replied\r\n\r\nhelp\r\n"),
        (ann.address, b"Subject: list\r\nList-Id: <x.y>\r\nPrecedence: list\r\n\r\nhelp\r\n"),
        (ann.address, mail.as_bytes()),
    ]
    for sender, raw in automatic:
        postfix.submit(raw, sender.strip("<>"), [to])

    def all_processed():
        found = site.outcomes()
        return len(found) == before + len(automatic) and "waiting" not in found

    wait_until(all_processed, "all of them", 120)
    assert site.outcomes()[before:] == ["ignored"] * len(automatic)
    assert len(ann.emails()) == received


def test_a_killed_worker_and_an_outage_lose_nothing(site, board, person, postfix):
    ann = person("ann")
    mail = ann.wait_for_turn(board["number"], 2)
    site.kill_worker()
    sent = ann.reply(mail, "c3")
    postfix.flush()
    site.wait_for_lmtp()
    postfix.flush()
    answer = ann.wait_for_answer(sent)
    assert "You played c3" in text_of(answer)
    assert site.moves(board["number"])["moves"] == ["a1", "b2", "c3"]


def test_a_mail_of_thirty_megabytes_is_refused_and_bounces(site, board, person, postfix):
    ann = person("ann")
    raw = (
        f"From: {ann.address}\r\nTo: play@{SITE}\r\nSubject: help\r\nMessage-ID: <large@x>\r\n\r\n"
    ).encode() + (b"x" * 70 + b"\r\n") * 430_000
    before = len(site.outcomes())
    postfix.submit(raw, ann.address, [f"play@{SITE}"])
    bounce = ann.wait_for(lambda one: "MAILER-DAEMON" in str(one["From"]), "a bounce")
    assert re.search(r"552|5\.3\.4", bounce.as_string()), "the bounce gives the reason"
    assert len(site.outcomes()) == before

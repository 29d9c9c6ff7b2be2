"""Automatic mail: header fields that mark it, and those that people's mail has too."""

import pytest

from antipodes.mail.incoming import read_mail
from tests.cases import for_each

SUBJECT = "Subject: move 101 ann d4"


def reason(*lines, sender=None, own_hosts=()):
    head = "\r\n".join(["From: ann@home.example", SUBJECT, *lines])
    return read_mail(f"{head}\r\n\r\nd4".encode(), sender=sender, own_hosts=own_hosts).automatic


@for_each(
    "field, found",
    [
        ("Auto-Submitted: auto-replied (away); x=y", "Auto-Submitted: auto-replied"),
        ("Precedence:  Bulk ", "Precedence: bulk"),
        ("List-Id: x", "it comes from a mailing list: List-Id"),
        ("List-Post: x", "it comes from a mailing list: List-Post"),
        ("List-Unsubscribe: x", "it comes from a mailing list: List-Unsubscribe"),
        ("X-Mailing-List: x", "it comes from a mailing list: X-Mailing-List"),
        ("X-Autoreply: yes", "it is an automatic answer: X-Autoreply"),
        ("X-Autoresponder: x", "it is an automatic answer: X-Autoresponder"),
        ("X-Mail-Autoreply: true", "it is an automatic answer: X-Mail-Autoreply"),
        ("X-Failed-Recipients: x@y.example", "it is a report: X-Failed-Recipients"),
        ("X-Auto-Response-Suppress: DR, AutoReply", "X-Auto-Response-Suppress"),
        ("X-Antipodes-Site: other.example", "a site like this one sent it: other.example"),
        ("Content-Type: multipart/report; boundary=x", "it is a report: multipart/report"),
        ("Return-Path: <>", "it has no sender to answer to (a bounce)"),
        ("Return-Path: <bounces+ann@x.example>", "a program sent it: bounces+ann@x.example"),
    ],
)
def test_a_field_that_marks_automatic_mail_is_the_reason(field, found):
    assert reason(field) == found


@for_each(
    "field",
    [
        "Auto-Submitted: No; owner=x",
        "Auto-Submitted: no (a person)",
        "Precedence: first-class",
        "List-Id: ",
        "X-Autoreply: No",
        "X-Autorespond: false",
        "X-Failed-Recipients: ",
        "X-Auto-Response-Suppress: DR, RN",
        "Return-Path: <ann@home.example>",
        "Content-Type: text/plain",
        "Message-ID: <a@other.example>",
    ],
)
def test_mail_of_people_may_have_such_fields_with_other_values(field):
    assert reason(field, own_hosts=["games.example"]) == ""


@pytest.mark.parametrize(
    ("sender", "found"),
    [
        (None, ""),
        ("ann@home.example", ""),
        ("", "it has no sender to answer to (a bounce)"),
        (" <> ", "it has no sender to answer to (a bounce)"),
        ("no-reply@home.example", "a program sent it: no-reply@home.example"),
        ("MAILER-DAEMON@x.example", "a program sent it: MAILER-DAEMON@x.example"),
        ("games-request@x.example", "a program sent it: games-request@x.example"),
        ("bouncer@x.example", ""),
    ],
)
def test_the_sender_of_the_envelope_may_be_a_program(sender, found):
    assert reason(sender=sender) == found


def test_the_sender_in_the_header_may_be_a_program():
    raw = b"From: Postmaster <postmaster@x.example>\r\nSubject: x\r\n\r\nd4"
    found = read_mail(raw, sender="ann@home.example").automatic
    assert found == "a program sent it: postmaster@x.example"


def test_mail_of_this_site_is_known_by_its_message_id_in_any_case():
    field = "Message-ID: <board.1@Games.EXAMPLE>"
    assert reason(field, own_hosts=["x.example", "GAMES.example"]) == (
        "this site itself sent it: games.example"
    )
    assert reason(field) == ""
    assert reason("Message-ID: none", own_hosts=["", "games.example"]) == ""

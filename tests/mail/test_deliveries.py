"""Laws of reports on delivery: what the servers of the world send when a mail does not arrive."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antipodes.mail.deliveries import read_report, status_in
from tests.mail.bounces import (
    ALL,
    DELAYED,
    EXCHANGE,
    EXIM,
    EXPIRED,
    FORWARDED,
    FULL,
    GMAIL,
    POSTFIX,
    READ_RECEIPT,
    bounce,
)
from tests.thorough import repetitions


@pytest.mark.parametrize(
    ("shape", "status"),
    [(POSTFIX, "5.1.1"), (EXCHANGE, "5.1.10"), (GMAIL, "5.1.1"), (EXIM, "5.1.1"), (FULL, "5.2.2")],
    ids=["Postfix", "Exchange", "Gmail", "Exim", "full"],
)
def test_a_failure_for_good_is_read_with_its_status(shape, status):
    report = read_report(bounce(shape))
    assert report is not None
    assert report.failure == status
    assert [one.address for one in report.recipients] == ["ann@gone.example"]


@pytest.mark.parametrize("shape", [DELAYED, EXPIRED], ids=["delayed", "expired"])
def test_what_may_be_mended_is_no_failure_for_good(shape):
    report = read_report(bounce(shape))
    assert report is not None
    assert report.failure == ""


def test_a_mail_that_reached_a_recipient_has_not_failed():
    report = read_report(bounce(FORWARDED))
    assert report is not None
    assert [one.action for one in report.recipients] == ["relayed", "failed"]
    assert report.failure == ""


@pytest.mark.parametrize("shape", [POSTFIX, EXCHANGE, GMAIL], ids=["Postfix", "Exchange", "Gmail"])
def test_the_header_of_the_mail_that_came_back_is_read(shape):
    report = read_report(bounce(shape, letter="play+b-abc@play.example"))
    assert report is not None
    assert report.original.raw("x-antipodes-letter") == "play+b-abc@play.example"


def test_reports_on_reading_and_plain_mails_are_no_reports_on_delivery():
    assert read_report(READ_RECEIPT.encode()) is None
    assert read_report(b"Subject: Undelivered Mail\n\nStatus: 5.1.1\nAction: failed\n") is None
    assert read_report(b"") is None


def test_a_report_that_quotes_a_report_speaks_for_itself():
    inner = bounce(POSTFIX).decode()
    report = read_report(bounce(DELAYED, quoted=inner))
    assert report is not None
    assert report.failure == ""


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("550 5.1.1 <ann@gone.example>: no such user", "5.1.1"),
        ("550-5.1.1 The account that you tried\n550 5.1.1 to reach does not exist", "5.1.1"),
        ("550 unknown user", "5.0.0"),
        ("421 later", "4.0.0"),
        ("host 10.5.1.1 said nothing", ""),
        ("", ""),
    ],
)
def test_the_status_is_found_in_what_a_server_says(said, status):
    assert status_in(said) == status


_pieces = st.sampled_from(
    [
        b"Content-Type: multipart/report; report-type=delivery-status; boundary=b\n",
        b"Content-Type: message/delivery-status\n",
        b"Content-Type: message/global-delivery-status\n",
        b"Content-Type: message/rfc822\n",
        b"Content-Type: text/rfc822-headers; charset=no-such\n",
        b"Content-Transfer-Encoding: base64\n",
        b"--b\n",
        b"--b--\n",
        b"\n",
        b"Action: failed\n",
        b"Status: 5.1.1\n",
        b"Diagnostic-Code: smtp; \xff 550\n",
        b"Final-Recipient: rfc822; \xc3\x28\n",
    ]
)


@given(st.lists(_pieces | st.binary(max_size=40), max_size=30).map(b"".join))
@settings(max_examples=repetitions(50, 300), deadline=None)
def test_no_bytes_make_it_raise(raw):
    report = read_report(raw)
    assert report is None or isinstance(report.failure, str)


@given(st.sampled_from(ALL), st.data())
@settings(max_examples=repetitions(25, 100), deadline=None)
def test_reports_that_were_cut_or_damaged_are_read_or_not_but_never_raise(shape, data):
    raw = bytearray(bounce(shape))
    for _ in range(data.draw(st.integers(0, 5))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    read_report(bytes(raw[: data.draw(st.integers(0, len(raw)))]))

"""Delivery reports of various mail servers."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antipodes.mail.deliveries import (
    DeliveryReport,
    Recipient,
    means_no_mailbox,
    read_report,
    status_in,
)
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
def test_a_permanent_failure_is_read_with_its_status(shape, status):
    report = read_report(bounce(shape))
    assert report is not None
    assert report.failure == status
    assert [one.address for one in report.recipients] == ["ann@gone.example"]


@pytest.mark.parametrize("shape", [DELAYED, EXPIRED], ids=["delayed", "expired"])
def test_temporary_failures_are_not_permanent(shape):
    report = read_report(bounce(shape))
    assert report is not None
    assert report.failure == ""


def test_a_mail_that_reached_a_recipient_has_not_failed():
    report = read_report(bounce(FORWARDED))
    assert report is not None
    assert [one.action for one in report.recipients] == ["relayed", "failed"]
    assert [one.address for one in report.recipients] == ["ann@gone.example"] * 2
    assert report.failure == ""


@pytest.mark.parametrize("shape", [POSTFIX, EXCHANGE, GMAIL], ids=["Postfix", "Exchange", "Gmail"])
def test_the_header_of_the_bounced_mail_is_read(shape):
    report = read_report(bounce(shape, address="play+b-abc@play.example"))
    assert report is not None
    assert report.original.raw("x-antipodes-letter") == "play+b-abc@play.example"


def test_read_receipts_and_other_mails_are_no_delivery_reports():
    assert read_report(READ_RECEIPT.encode()) is None
    assert read_report(b"Subject: Undelivered Mail\n\nStatus: 5.1.1\nAction: failed\n") is None
    assert read_report(b"") is None


def test_a_report_that_names_no_recipient_is_none():
    about_the_mail = "Reporting-MTA: dns; mx.gone.example\n\n"
    for group, count in (("Status: 5.1.1\n", 0), ("Action: failed\n", 1)):
        report = read_report(bounce(POSTFIX | {"status": about_the_mail + group}))
        assert len(report.recipients if report else ()) == count
        assert (report is None) == (count == 0)


def test_a_quoted_report_is_ignored():
    inner = bounce(POSTFIX).decode()
    report = read_report(bounce(DELAYED, quoted=inner))
    assert report is not None
    assert report.failure == ""


@pytest.mark.parametrize(
    ("response", "status"),
    [
        ("550 5.1.1 <ann@gone.example>: no such user", "5.1.1"),
        ("550-5.1.1 The account that you tried\n550 5.1.1 to reach does not exist", "5.1.1"),
        ("550 unknown user", "5.0.0"),
        ("421 later", "4.0.0"),
        ("host 10.5.1.1 said nothing", ""),
        ("", ""),
    ],
)
def test_the_status_is_found_in_responses_of_servers(response, status):
    assert status_in(response) == status


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
def test_any_bytes_give_a_report_or_none(raw):
    report = read_report(raw)
    assert report is None or isinstance(report.failure, str)


@given(st.sampled_from(ALL), st.data())
@settings(max_examples=repetitions(25, 100), deadline=None)
def test_truncated_and_damaged_reports_do_not_raise(shape, data):
    raw = bytearray(bounce(shape))
    for _ in range(data.draw(st.integers(0, 5))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    read_report(bytes(raw[: data.draw(st.integers(0, len(raw)))]))


GROUP = "Reporting-MTA: dns; mx.gone.example\n\nFinal-Recipient: rfc822; ann@gone.example\n"


def reported(group):
    """Return the delivery to the only recipient of a report."""
    report = read_report(bounce(POSTFIX | {"status": GROUP + group}))
    assert report is not None
    (recipient,) = report.recipients
    return recipient


@pytest.mark.parametrize(
    ("status", "cause", "found"),
    [
        ("5.0.0", "smtp; 550 5.1.1 unknown", "5.1.1"),
        ("5.0.0", "smtp; 450 4.2.1 later", "5.0.0"),
        ("5.0.0", "smtp; no code", "5.0.0"),
        ("5.2.2", "smtp; 550 5.1.1 unknown", "5.2.2"),
        ("", "smtp; 550 unknown", "5.0.0"),
        ("none", "550 5.1.1 unknown", "5.1.1"),
        ("", "", ""),
        ("5.1.1234", "", ""),
    ],
)
def test_a_precise_status_of_another_server_precedes_a_vague_one(status, cause, found):
    group = f"Action: Failed (for good)\nStatus: {status}\nDiagnostic-Code: {cause}\n"
    recipient = reported(group)
    assert (recipient.action, recipient.status) == ("failed", found)
    assert recipient.is_final == found.startswith("5.")


@pytest.mark.parametrize(
    ("field", "address"),
    [
        ("Original-Recipient: rfc822;bob@x.example", "bob@x.example"),
        ("Original-Recipient: <bob@x.example>", "bob@x.example"),
        ("X-Other: y", "ann@gone.example"),
    ],
)
def test_the_address_is_the_one_that_the_mail_was_sent_to(field, address):
    assert reported(f"{field}\nAction: failed\n").address == address


@pytest.mark.parametrize(
    ("deliveries", "failure"),
    [
        ([], ""),
        ([("failed", "5.2.2"), ("failed", "5.1.1")], "5.1.1"),
        ([("failed", "5.2.2"), ("failed", "5.7.1")], "5.2.2"),
        ([("failed", "5.1.1"), ("expanded", "2.0.0")], ""),
        ([("failed", "5.1.1"), ("delayed", "4.0.0")], "5.1.1"),
        ([("failed", "4.4.1")], ""),
        ([("delayed", "5.1.1")], ""),
    ],
)
def test_the_failure_of_a_mail_is_that_of_its_recipients(deliveries, failure):
    found = tuple(Recipient(action=action, status=status) for action, status in deliveries)
    assert DeliveryReport(recipients=found).failure == failure


@pytest.mark.parametrize(
    ("status", "is_missing"), [("5.1.1", True), ("5.1.10", True), ("5.2.2", False)]
)
def test_some_statuses_mean_that_there_is_no_mailbox(status, is_missing):
    assert means_no_mailbox(status) is is_missing


def test_a_report_may_be_the_whole_mail():
    raw = f"Content-Type: message/delivery-status\n\n{GROUP}Action: failed\nStatus: 5.1.1\n"
    report = read_report(raw.encode())
    assert report is not None
    assert (report.failure, report.original.items) == ("5.1.1", ())


def test_at_most_fifty_recipients_are_read():
    groups = "".join(
        f"Final-Recipient: rfc822; a{n}@b.example\nAction: failed\n\n" for n in range(60)
    )
    report = read_report(bounce(POSTFIX | {"status": f"Reporting-MTA: dns; x\n\n{groups}"}))
    assert report is not None
    assert [one.address for one in report.recipients] == [f"a{n}@b.example" for n in range(50)]

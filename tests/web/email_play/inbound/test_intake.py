"""Intake: each mail to the site is stored once, and other mail is refused."""

import pytest
from django.db import OperationalError

from antipodes.web.email_play import inbox
from antipodes.web.email_play.inbound import intake
from antipodes.web.email_play.inbound.intake import (
    TryAgainError,
    accept,
    envelope_of,
    is_address,
    is_own,
    is_postmaster,
    only_own,
    postmaster_box,
)
from antipodes.web.email_play.models import InboundMailRow
from tests.raising import raising

MAIL = b"Message-ID: <1@there.example>\r\nTo: play@example.org\r\nSubject: help\r\n\r\n"


@pytest.fixture(autouse=True)
def one_connection(monkeypatch):
    """Keep the connection open, because the test's transaction is rolled back."""
    monkeypatch.setattr(intake, "close_old_connections", lambda: None)


def accepted(raw=MAIL, recipients=("play@example.org",), sender="ann@there.example"):
    return accept(raw, sender=sender, recipients=recipients, via="lmtp")


@pytest.mark.django_db
def test_a_duplicate_is_accepted_and_stored_once():
    assert accepted() == ""
    assert accepted() == ""
    row = InboundMailRow.objects.get()
    assert bytes(row.raw) == MAIL
    assert row.recipients == ["play@example.org"]


@pytest.mark.django_db
def test_mail_for_other_addresses_is_refused():
    assert accepted(recipients=("ann@there.example",)).startswith("550")
    assert accepted(recipients=()).startswith("550")
    assert not InboundMailRow.objects.exists()


@pytest.mark.django_db
def test_only_own_recipients_are_stored():
    assert accepted(recipients=("ann@there.example", "play+abc@example.org")) == ""
    assert InboundMailRow.objects.get().recipients == ["play+abc@example.org"]


@pytest.mark.django_db
def test_mail_for_postmaster_is_kept_for_the_host():
    assert accepted(recipients=("Postmaster@example.org",)) == ""
    assert not InboundMailRow.objects.exists()
    (file,) = (postmaster_box() / "new").iterdir()
    assert b"help" in file.read_bytes()


@pytest.mark.parametrize("error", [OperationalError("gone"), ValueError("ours")])
def test_mail_is_deferred_after_an_error(monkeypatch, error):
    monkeypatch.setattr(inbox, "receive", raising(error))
    with pytest.raises(TryAgainError):
        accepted()


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
def test_malformed_headers_are_accepted_as_unknown_recipients(head):
    assert accepted(head + b"\n", recipients=envelope_of(head + b"\n")[1]).startswith("550")


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("play@example.org", True),
        ("play+7@example.org", True),
        ("play", False),
        ("@example.org", False),
        ("", False),
        ("play@", False),
        ("a b@example.org", False),
        ("Play <play@example.org>", False),
    ],
)
def test_an_address_has_a_user_and_a_domain(text, is_one):
    assert is_address(text) is is_one


@pytest.mark.django_db
def test_mail_for_postmaster_is_deferred_while_the_maildir_is_full(monkeypatch, caplog):
    box = postmaster_box()
    before = len(list((box / "new").iterdir())) if box.exists() else 0
    monkeypatch.setattr(intake, "_MAX_POSTMASTER_MAILS", before + 1)
    assert accepted(recipients=("postmaster@example.org",)) == ""
    with pytest.raises(TryAgainError):
        accepted(recipients=("postmaster@example.org",))
    assert len(list((box / "new").iterdir())) == before + 1
    assert f"mail to postmaster deferred: maildir full path={box}" in caplog.text


@pytest.mark.django_db
def test_mail_for_the_site_and_the_postmaster_is_kept_for_both():
    box = postmaster_box()
    before = len(list((box / "new").iterdir())) if box.exists() else 0
    assert accepted(recipients=("play@example.org", "postmaster@example.org")) == ""
    assert InboundMailRow.objects.get().recipients == ["play@example.org"]
    assert len(list((box / "new").iterdir())) == before + 1


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("play@example.org", True),
        (" PLAY@EXAMPLE.ORG ", True),
        ("play+a.b_c-9@example.org", True),
        (f"play+{'a' * 128}@example.org", True),
        (f"play+{'a' * 129}@example.org", False),
        ("play+@example.org", False),
        ("play+a+b@example.org", False),
        ("play@", False),
        ("@example.org", False),
        (f"play@example.org{' ' * 238}", True),
        (f"play@example.org{' ' * 239}", False),
    ],
)
def test_addresses_of_the_site(address, found):
    assert is_own(address) is found
    assert only_own([address, "x@y.example", address]) == [address.strip()] * found


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("postmaster", True),
        ("PostMaster@Example.Org", True),
        ("postmaster@postmaster", True),
        ("postmaster@there.example", False),
        ("play@example.org", False),
        ("play@postmaster", False),
        ("example.org", False),
        ("", False),
    ],
)
def test_addresses_of_the_postmaster(address, found):
    assert is_postmaster(address) is found


def test_a_site_without_a_host_has_no_addresses(settings):
    settings.MAIL_HOST = ""
    assert not is_own("play@")
    assert not is_own("play@example.org")

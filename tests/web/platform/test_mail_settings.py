"""Tests of the settings of mail: senders, listeners, mailboxes and webhooks."""

import pytest

from antipodes.errors import InvalidOptionsError
from antipodes.web.platform import mail_settings
from antipodes.web.platform.mail_settings import (
    ListenAddress,
    Mailbox,
    parse_listen_address,
    parse_mailbox,
)


@pytest.fixture(autouse=True)
def _nothing_is_set(monkeypatch, tmp_path):
    """A site of which the host has set nothing about mail."""
    for name in ("EMAIL_URL", "ALLOWED_HOSTS", "SITE_URL", "CSRF_TRUSTED_ORIGINS"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOST", "USER", "FROM", "LMTP", "SMTP", "IMAP"):
        monkeypatch.delenv(f"MAIL_{name}", raising=False)
    for name in ("SECRET", "KEY"):
        monkeypatch.delenv(f"MAIL_WEBHOOK_{name}", raising=False)
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path))


def refusal_of(call, *arguments):
    """Return the message with which a setting is refused."""
    with pytest.raises(InvalidOptionsError) as refused:
        call(*arguments)
    assert refused.value.code == "serve/settings"
    return refused.value.faults[0].message


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("", None),
        (" 127.0.0.1:8024 ", ListenAddress("127.0.0.1", 8024)),
        ("8024", ListenAddress("127.0.0.1", 8024)),
        (":0", ListenAddress("127.0.0.1", 0)),
        ("0.0.0.0:65535", ListenAddress("0.0.0.0", 65_535)),
        ("[::1]:25", ListenAddress("::1", 25)),
        ("unix:/run/lmtp", ListenAddress(path="/run/lmtp")),
        ("/run/lmtp", ListenAddress(path="/run/lmtp")),
    ],
)
def test_an_address_to_listen_at_is_a_port_a_host_or_a_socket(given, found):
    assert parse_listen_address("MAIL_LMTP", given) == found


@pytest.mark.parametrize("given", ["65536", "here:", "here", "unix:8024", "unix:lmtp", "1:-1"])
def test_an_invalid_address_to_listen_at_is_refused_with_its_name(given):
    message = refusal_of(parse_listen_address, "MAIL_LMTP", given)
    assert f"MAIL_LMTP is {given!r}" in message


def test_an_address_to_listen_at_is_shown_as_it_is_written():
    shown = ["127.0.0.1:25", "[::1]:25", "unix:/run/lmtp"]
    assert [str(parse_listen_address("MAIL_SMTP", one)) for one in shown] == shown


def test_listeners_are_set_by_the_host(monkeypatch):
    for listener in (mail_settings.lmtp, mail_settings.smtp, mail_settings.imap):
        assert listener() is None
    monkeypatch.setenv("MAIL_LMTP", "24")
    monkeypatch.setenv("MAIL_SMTP", "25")
    assert mail_settings.lmtp() == ListenAddress("127.0.0.1", 24)
    assert mail_settings.smtp() == ListenAddress("127.0.0.1", 25)


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("", None),
        ("imaps://ann:tulip@m.org", Mailbox("imaps", "m.org", 993, "ann", "tulip")),
        ("imap+tls://a%40m.org:w%2Fd@m.org", Mailbox("imap+tls", "m.org", 143, "a@m.org", "w/d")),
        ("imap://ann:tulip@localhost", Mailbox("imap", "localhost", 143, "ann", "tulip")),
        ("imap://ann:tulip@127.0.0.1:99", Mailbox("imap", "127.0.0.1", 99, "ann", "tulip")),
        (
            "imaps://ann:tulip@m.org/Play%20mail?folder=Done",
            Mailbox("imaps", "m.org", 993, "ann", "tulip", "Play mail", "Done"),
        ),
    ],
)
def test_a_mailbox_is_a_url(given, found):
    assert parse_mailbox(given) == found


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("imaps://ann:tulip@m.org:65536", "not a number below 65536"),
        ("pop3://ann:tulip@m.org", "must be such as imaps://"),
        ("imaps://ann:tulip@", "must be such as imaps://"),
        ("imaps://ann@m.org", "no user and password"),
        ("imaps://:tulip@m.org", "no user and password"),
        ("imap://ann:tulip@m.org", "would travel in clear"),
        ("imap://ann:tulip@192.0.2.1", "would travel in clear"),
        ("imaps://ann:tulip@m.org?done=yes", "'done' is unknown; only folder=NAME"),
        ("imaps://ann:tulip@m.org?done=yes&all=no", "'all' is unknown; only folder=NAME"),
    ],
)
def test_an_invalid_mailbox_is_refused_without_its_password(given, why):
    message = refusal_of(parse_mailbox, given)
    assert why in message
    assert "tulip" not in message


def test_a_mailbox_is_shown_without_its_password():
    assert str(parse_mailbox("imaps://ann:tulip@m.org/Play")) == "imaps://ann@m.org:993/Play"


def test_a_site_for_trials_keeps_its_mail_on_this_machine(tmp_path):
    assert mail_settings.maildir() == tmp_path / "mail"
    assert mail_settings.host() == "localhost"
    assert mail_settings.sender() == "Antipodes <play@localhost>"
    assert "maildir" in mail_settings.sending()["EMAIL_BACKEND"]


@pytest.mark.parametrize(
    ("name", "value"), [("EMAIL_URL", "smtp://m.org"), ("ALLOWED_HOSTS", "play.org")]
)
def test_a_site_for_others_receives_no_mail_before_it_has_a_host(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert mail_settings.maildir() is None
    assert mail_settings.host() == ""
    assert mail_settings.sender() == "Antipodes <antipodes@localhost>"


def test_a_site_for_others_without_mail_server_prints_its_mail(monkeypatch):
    monkeypatch.setenv("ALLOWED_HOSTS", "play.org")
    assert "console" in mail_settings.sending()["EMAIL_BACKEND"]


def test_the_mail_server_is_a_url(monkeypatch):
    monkeypatch.setenv("EMAIL_URL", "smtp+tls://ann:tulip@m.org:587")
    found = mail_settings.sending()
    assert (found["EMAIL_HOST"], found["EMAIL_PORT"]) == ("m.org", 587)
    assert found["EMAIL_USE_TLS"] is True
    monkeypatch.setenv("EMAIL_URL", "gopher://ann:tulip@m.org")
    message = refusal_of(mail_settings.sending)
    assert "smtp://" in message
    assert "tulip" not in message


def test_the_sites_addresses_are_set_by_the_host(monkeypatch):
    monkeypatch.setenv("MAIL_HOST", " Play.Example.ORG. ")
    monkeypatch.setenv("MAIL_USER", "Games")
    assert (mail_settings.host(), mail_settings.user()) == ("play.example.org", "games")
    assert mail_settings.sender() == "Antipodes <games@play.example.org>"
    monkeypatch.setenv("MAIL_FROM", "Us <us@example.org>")
    assert mail_settings.sender() == "Us <us@example.org>"


def test_invalid_addresses_of_the_site_are_refused(monkeypatch):
    monkeypatch.setenv("MAIL_HOST", "play..org")
    assert "MAIL_HOST is 'play..org'" in refusal_of(mail_settings.host)
    monkeypatch.setenv("MAIL_USER", "play+me")
    assert "MAIL_USER is 'play+me'" in refusal_of(mail_settings.user)


def test_the_secret_of_webhooks_has_a_name_and_16_characters(monkeypatch):
    assert mail_settings.webhook_secret() == ""
    assert mail_settings.webhooks() == {}
    for wrong in ("name:secret1234", "namewithoutsecret"):
        monkeypatch.setenv("MAIL_WEBHOOK_SECRET", wrong)
        message = refusal_of(mail_settings.webhook_secret)
        assert f"has {len(wrong)} characters" in message
    monkeypatch.setenv("MAIL_WEBHOOK_SECRET", "name:secret12345")
    assert mail_settings.webhooks() == {"WEBHOOK_SECRET": "name:secret12345"}


def test_the_key_of_webhooks_is_that_of_each_provider(monkeypatch):
    monkeypatch.setenv("MAIL_WEBHOOK_KEY", "key")
    found = mail_settings.webhooks()
    assert set(found.values()) == {"key"}
    assert "WEBHOOK_SECRET" not in found
    assert len(found) == 3


def test_the_mailbox_is_set_by_the_host(monkeypatch):
    monkeypatch.setenv("MAIL_IMAP", "imaps://ann:tulip@m.org")
    assert mail_settings.imap() == Mailbox("imaps", "m.org", 993, "ann", "tulip", "INBOX", "")


def test_servers_whose_authentication_is_trusted_are_a_list(monkeypatch):
    monkeypatch.delenv("MAIL_AUTHSERV_ID", raising=False)
    assert mail_settings.authserv_ids() == []
    monkeypatch.setenv("MAIL_AUTHSERV_ID", "MX.m.org, ,mail.m.org ")
    assert mail_settings.authserv_ids() == ["mx.m.org", "mail.m.org"]


@pytest.mark.parametrize("scheme", ["smtp", "smtps", "smtp+tls", "smtp+ssl", "consolemail"])
def test_mail_is_sent_by_smtp_or_kept(monkeypatch, scheme):
    monkeypatch.setenv("EMAIL_URL", f"{scheme}://m.org")
    assert mail_settings.sending()["EMAIL_BACKEND"].endswith(".EmailBackend")


@pytest.mark.parametrize("label", ["a", "a-b", "9", "-a", "a-", "a_b"])
def test_a_domain_has_labels_of_letters_digits_and_inner_hyphens(monkeypatch, label):
    monkeypatch.setenv("MAIL_HOST", f"{label}.org")
    if label in ("a", "a-b", "9"):
        assert mail_settings.host() == f"{label}.org"
    else:
        assert f"MAIL_HOST is '{label}.org'" in refusal_of(mail_settings.host)


def test_a_local_part_has_at_most_32_characters(monkeypatch):
    monkeypatch.setenv("MAIL_USER", f" {'A' * 32} ")
    assert mail_settings.user() == "a" * 32
    monkeypatch.setenv("MAIL_USER", "a" * 33)
    refusal_of(mail_settings.user)
    monkeypatch.delenv("MAIL_USER")
    assert mail_settings.user() == "play"

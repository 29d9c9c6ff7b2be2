"""Configured transports, checks of their settings, and recovery after failures."""

import pytest
from django.core.checks import run_checks

from antipodes.web.email_play.inbound.runner import (
    TransportRunner,
    check_mail,
    configured_transports,
)
from antipodes.web.email_play.inbound.transport import Transport
from antipodes.web.platform.mail_settings import ListenAddress, parse_mailbox

HERE = ListenAddress("127.0.0.1", 8024)


@pytest.fixture(autouse=True)
def sends(settings):
    settings.MAIL_IS_SENT = True


def test_settings_configure_transports(settings, maildir):
    settings.MAIL_LMTP = HERE
    settings.MAIL_SMTP = ListenAddress("127.0.0.1", 8025)
    settings.MAIL_IMAP = parse_mailbox("imaps://play:secret@mail.example.org/In?folder=Done")
    assert [str(transport) for transport in configured_transports()] == [
        f"the folder {maildir}/incoming",
        "LMTP at 127.0.0.1:8024",
        "SMTP at 127.0.0.1:8025",
        "IMAP from imaps://play@mail.example.org:993/In",
    ]


def test_without_settings_there_are_no_transports_and_no_errors(settings):
    settings.MAIL_HOST = ""
    assert configured_transports() == []
    assert check_mail() == []


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"MAIL_LMTP": HERE, "MAIL_HOST": ""}, "MAIL_LMTP is set, but not MAIL_HOST"),
        ({"MAIL_WEBHOOK_SECRET": "a:b", "MAIL_HOST": ""}, "MAIL_WEBHOOK_SECRET is set"),
        ({"MAIL_IS_SENT": False}, "MAIL_HOST is set, but not EMAIL_URL"),
        ({"MAIL_LMTP": HERE, "MAIL_SMTP": HERE}, "are both 127.0.0.1:8024"),
    ],
)
def test_contradictory_settings_are_errors(settings, changed, message):
    for name, value in changed.items():
        setattr(settings, name, value)
    (found,) = check_mail()
    assert message in found.msg


class Failing(Transport):
    """Fails some times, then runs."""

    name = "test"

    def __init__(self, failures):
        super().__init__()
        self.left = list(failures)
        self.runs = 0

    def __str__(self):
        return "a transport"

    def check(self):
        return

    def run(self):
        if self.left:
            raise self.left.pop(0)
        self.mark_connected()
        self.runs += 1
        self.stopping.wait(5)


def test_a_failed_transport_is_restarted_and_logs_two_lines(monkeypatch, caplog):
    monkeypatch.setattr("antipodes.web.email_play.inbound.transport._BACKOFF", (0.01,))
    transport = Failing([OSError("gone"), OSError("still gone"), ConnectionResetError("and again")])
    runner = TransportRunner([transport])
    runner.start()
    for _ in range(500):
        if transport.runs:
            break
        transport.stopping.wait(0.01)
    runner.stop()
    assert transport.runs == 1
    logged = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert logged == [
        "mail transport failed transport=a transport retry_in=0.01s error=gone",
        "mail transport recovered transport=a transport",
    ]


def test_an_unexpected_error_of_a_transport_is_logged_and_it_is_restarted(monkeypatch, caplog):
    monkeypatch.setattr("antipodes.web.email_play.inbound.transport._BACKOFF", (0.01,))
    transport = Failing([ZeroDivisionError("a fault"), ZeroDivisionError("again")])
    monkeypatch.setattr(transport, "mark_connected", transport.stopping.set)
    transport._run_forever()
    assert transport.runs == 1
    assert caplog.text.count("mail transport error transport=a transport") == 2


def test_a_transport_waits_longer_after_each_failure_in_a_row(monkeypatch):
    transport = Failing([OSError("gone")] * 7)
    pauses = []

    def wait(seconds):
        pauses.append(seconds)
        if transport.runs:
            transport.stopping.set()

    monkeypatch.setattr(transport.stopping, "wait", wait)
    transport._run_forever()
    assert pauses == [1.0, 5.0, 15.0, 60.0, 300.0, 300.0, 300.0, 5]
    transport._back_off(OSError("gone"))
    assert pauses[-1] == 1.0  # it has worked meanwhile


@pytest.mark.parametrize(
    ("where", "is_error"),
    [
        (ListenAddress(path="/run/mail"), True),
        (ListenAddress("127.0.0.1", 0), False),
        (HERE, True),
    ],
)
def test_two_transports_may_share_any_free_port_but_no_address(settings, where, is_error):
    settings.MAIL_LMTP = settings.MAIL_SMTP = where
    assert [one.id for one in check_mail()] == (["antipodes.E015"] if is_error else [])


def test_each_contradiction_is_named(settings):
    settings.MAIL_HOST = ""
    settings.MAIL_LMTP = settings.MAIL_SMTP = HERE
    assert [one.id for one in check_mail()] == ["antipodes.E013", "antipodes.E015"]


def test_the_settings_are_checked_when_the_site_starts(settings):
    settings.MAIL_IS_SENT = False
    assert "antipodes.E014" in {one.id for one in run_checks(tags=["antipodes"])}

"""The IMAP transport reads a mailbox, and notices that a server has closed the connection."""

import imaplib
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from imap_tools import MailboxLoginError

from antipodes.errors import InvalidOptionsError
from antipodes.web.email_play.inbound import imap
from antipodes.web.email_play.inbound.intake import TryAgainError
from antipodes.web.platform import locks
from antipodes.web.platform.mail_settings import Mailbox
from tests.raising import raising


def idle(*lines, takes=0.0):
    """Return an IDLE whose poll returns lines after some seconds of the clock below."""
    return SimpleNamespace(poll=lambda timeout: clock.pass_(takes) or list(lines))


class Clock:
    at = 0.0

    def monotonic(self):
        return self.at

    def pass_(self, seconds):
        self.at += seconds


clock = Clock()


@pytest.fixture(autouse=True)
def time(monkeypatch):
    monkeypatch.setattr(imap, "time", clock)


def test_polling_returns_no_lines_or_new_lines():
    assert imap._poll(idle(takes=imap._POLL)) == []
    assert imap._poll(idle(b"* 3 EXISTS")) == [b"* 3 EXISTS"]


@pytest.mark.parametrize("lines", [(), (b"* BYE Server shutting down.",)])
def test_a_closed_connection_is_an_error(lines):
    with pytest.raises(ConnectionResetError):
        imap._poll(idle(*lines))


MAIL = b"Delivered-To: play@example.org\r\nMessage-ID: <1@here>\r\n\r\nhelp\r\n"
WHERE = Mailbox("imaps", "m.org", 993, "ann", "tulip", done="Done")


class Folders:
    """A mailbox of a server that keeps mails by their ids."""

    def __init__(self, **mails):
        self.mails: dict[str, Any] = mails
        self.seen: list[str] = []
        self.moved: list[tuple[str, str]] = []
        self.made: list[str] = []
        self.idles: list[list[bytes]] = []
        self.is_open = False
        self.client = SimpleNamespace(uid=self._fetch)
        self.folder = SimpleNamespace(exists=self.made.__contains__, create=self.made.append)

    def __enter__(self):
        self.is_open = True
        return self

    def __exit__(self, *_):
        self.is_open = False

    def logout(self):
        self.is_open = False

    @property
    def idle(self):
        return nullcontext(idle(*self.idles.pop(0)) if self.idles else idle(takes=imap._POLL))

    def uids(self, _criteria):
        return [uid for uid in self.mails if uid not in self.seen]

    def _fetch(self, _command, uid, part):
        most = int(part.partition("<0.")[2].partition(">")[0])
        if self.mails[uid] is None:
            return "OK", [None]
        return self.mails.get("status", "OK"), [(b"1 FETCH", self.mails[uid][:most]), b")"]

    def flag(self, uids, _flags, value):
        assert value
        self.seen += uids

    def move(self, uids, folder):
        self.moved += [(uid, folder) for uid in uids]


@pytest.fixture
def leases(monkeypatch):
    """How often this process acquires the lease; then another process has it."""
    left = [100]

    def acquire(_name, _seconds):
        left[0] -= 1
        return left[0] >= 0

    monkeypatch.setattr(locks, "acquire_lease", acquire)
    monkeypatch.setattr(locks, "release_lease", left.append)
    return left


@pytest.fixture
def answers(monkeypatch):
    """The answers to accepted mails in order: a refusal, or an error; otherwise each is stored."""
    found: list[Any] = []
    stored: list[bytes] = []

    def accept(raw, *, sender, recipients, via):
        assert via == "imap"
        answer = found.pop(0) if found else ""
        if isinstance(answer, Exception):
            raise answer
        if not answer:
            stored.append(raw)
        return answer

    monkeypatch.setattr(imap, "accept", accept)
    return SimpleNamespace(next=found, stored=stored)


def read(folders: Any, where=WHERE):
    """Read unread mail once."""
    transport = imap.ImapTransport(where)
    transport._accept_unread(folders)
    return transport


def test_unread_mail_is_stored_marked_as_read_and_moved(leases, answers):
    folders = Folders(a=MAIL, b=MAIL + b"more")
    read(folders)
    assert answers.stored == [MAIL, MAIL + b"more"]
    assert folders.seen == ["a", "b"]
    assert folders.moved == [("a", "Done"), ("b", "Done")]
    assert folders.made == ["Done"]


def test_mail_stays_in_its_folder_if_there_is_none_for_processed_mail(leases, answers):
    folders = Folders(a=MAIL)
    read(folders, replace(WHERE, done=""))
    assert (folders.seen, folders.moved, folders.made) == (["a"], [], [])


def test_refused_mail_is_marked_as_read(leases, answers, caplog):
    caplog.set_level("INFO", logger="antipodes")
    answers.next.append("no recipient here")
    folders = Folders(a=MAIL)
    read(folders)
    assert (answers.stored, folders.seen) == ([], ["a"])
    assert "mail ignored via=imap uid=a reason=no recipient here" in caplog.text


def test_of_a_large_mail_one_byte_more_than_is_accepted_is_read(leases, answers, monkeypatch):
    monkeypatch.setattr(imap, "MAX_BYTES", len(MAIL) - 2)
    read(Folders(a=MAIL))
    assert answers.stored == [MAIL[:-1]]


def test_mail_that_another_client_deleted_is_left_out(leases, answers):
    folders = Folders(a=None, b=MAIL)
    read(folders)
    assert folders.seen == ["b"]


def test_an_error_of_the_server_ends_the_connection(leases, answers):
    folders = Folders(a=MAIL)
    folders.mails["status"] = "NO"
    with pytest.raises(imaplib.IMAP4.error, match="cannot fetch mail a"):
        read(folders)


def test_deferred_mail_is_read_again_when_it_is_due(leases, answers):
    answers.next.append(TryAgainError())
    folders = Folders(a=MAIL)
    transport = read(folders)
    assert folders.seen == []
    assert not transport._has_due()
    clock.pass_(imap._RETRY - 1)
    transport._accept_unread(folders)
    assert answers.stored == []
    clock.pass_(1)
    assert transport._has_due()
    transport._accept_unread(folders)
    assert folders.seen == ["a"]
    assert not transport._has_due()


def test_deferred_mail_that_was_deleted_is_forgotten(leases, answers):
    answers.next.append(TryAgainError())
    folders = Folders(a=MAIL)
    transport = read(folders)
    del folders.mails["a"]
    transport._accept_unread(folders)
    clock.pass_(imap._RETRY)
    assert not transport._has_due()


def test_a_process_without_the_lease_reads_no_more_mail(leases, answers):
    leases[0] = 1
    folders = Folders(a=MAIL, b=MAIL)
    read(folders)
    assert folders.seen == ["a"]


def test_a_transport_that_stops_reads_no_more_mail(leases, answers):
    folders: Any = Folders(a=MAIL)
    transport = imap.ImapTransport(WHERE)
    transport.stopping.set()
    transport._accept_unread(folders)
    assert folders.seen == []


@pytest.mark.parametrize(("lines", "polls"), [([b"* 3 EXISTS"], 1), ([b"* OK still here"], 3)])
def test_waiting_ends_when_mail_comes_or_another_process_has_the_lease(leases, lines, polls):
    leases[0] = 2
    calls = []

    def poll(timeout):
        calls.append(timeout)
        return lines

    mailbox = SimpleNamespace(idle=nullcontext(SimpleNamespace(poll=poll)))
    imap.ImapTransport(WHERE)._wait(mailbox)  # type: ignore[arg-type]
    assert calls == [imap._POLL] * polls


def test_waiting_is_renewed_before_routers_time_out(leases):
    begun = clock.at
    imap.ImapTransport(WHERE)._wait(Folders())  # type: ignore[arg-type]
    assert clock.at == begun + imap._IDLE


def test_waiting_ends_when_deferred_mail_is_due(leases):
    begun = clock.at
    transport = imap.ImapTransport(WHERE)
    transport._retry_at["a"] = begun + 1.5 * imap._POLL
    transport._wait(Folders())  # type: ignore[arg-type]
    assert clock.at == begun + 2 * imap._POLL


def test_one_process_reads_the_mailbox_and_releases_the_lease(leases, answers, monkeypatch):
    folders = Folders(a=MAIL)
    transport = imap.ImapTransport(WHERE)
    monkeypatch.setattr(imap, "_connect", lambda _where: folders)
    monkeypatch.setattr(transport, "_wait", lambda _mailbox: transport.stopping.set())
    transport.run()
    assert folders.seen == ["a"]
    assert not folders.is_open
    assert leases[1:] == [imap._LEASE]


def test_a_process_that_does_not_get_the_lease_waits(leases, monkeypatch):
    leases[0] = 0
    transport = imap.ImapTransport(WHERE)
    pauses: list[float] = []
    monkeypatch.setattr(imap, "_connect", None)
    monkeypatch.setattr(transport.stopping, "wait", pauses.append)
    transport.run()
    assert pauses == [imap._POLL]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (MailboxLoginError(("NO", [b"wrong"]), "OK"), "wrong user or password"),
        (OSError("no route\n to host"), "no route to host"),
    ],
)
def test_a_mailbox_that_cannot_be_read_is_refused(monkeypatch, error, reason):
    transport = imap.ImapTransport(WHERE)
    monkeypatch.setattr(imap, "_connect", raising(error))
    with pytest.raises(InvalidOptionsError, match=f"cannot be read: {reason}") as refused:
        transport.check()
    assert "tulip" not in str(refused.value)
    folders = Folders()
    folders.is_open = True
    monkeypatch.setattr(imap, "_connect", lambda _where: folders)
    transport.check()
    assert not folders.is_open


@pytest.mark.parametrize(
    ("security", "kind"),
    [("imaps", "MailBox"), ("imap+tls", "MailBoxStartTls"), ("imap", "MailBoxUnencrypted")],
)
def test_the_url_says_how_the_connection_is_secured(monkeypatch, security, kind):
    calls: list[Any] = []

    def make(name):
        def login(*arguments, **more):
            calls.append((name, arguments, more))

        def connect(*where, timeout):
            calls.append(where)
            return SimpleNamespace(login=login)

        return connect

    for name in ("MailBox", "MailBoxStartTls", "MailBoxUnencrypted"):
        monkeypatch.setattr(imap, name, make(name))
    imap._connect(replace(WHERE, security=security))
    assert calls == [("m.org", 993), (kind, ("ann", "tulip"), {"initial_folder": "INBOX"})]

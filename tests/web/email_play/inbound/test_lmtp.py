"""LMTP and SMTP as a mail server sees them."""

import asyncio
import smtplib
import socket
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from antipodes.errors import InvalidOptionsError
from antipodes.web.email_play.inbound import lmtp
from antipodes.web.email_play.inbound.intake import MAX_BYTES, MAX_RECIPIENTS, TryAgainError
from antipodes.web.email_play.inbound.lmtp import ListeningTransport
from antipodes.web.platform.mail_settings import ListenAddress

MAIL = b"Message-ID: <1@there.example>\r\nSubject: help\r\n\r\nplease\r\n"


class Talk:
    """A client that reads single lines."""

    def __init__(self, transport):
        self.socket = (
            socket.socket(socket.AF_UNIX)
            if transport.where.path
            else socket.create_connection(("127.0.0.1", transport.port), 10)
        )
        if transport.where.path:
            self.socket.connect(transport.where.path)
        self.socket.settimeout(10)
        self.lines = self.socket.makefile("rb")
        assert self.answer().startswith("220")

    def answer(self):
        """Return the last line of the next response."""
        while (line := self.lines.readline().decode())[3:4] == "-":
            pass
        return line.strip()

    def say(self, line):
        self.socket.sendall(line.encode() + b"\r\n")
        return self.answer()

    def begin(self, *recipients, sender="ann@there.example"):
        assert self.say("LHLO there.example").startswith("250")
        assert self.say(f"MAIL FROM:<{sender}>").startswith("250")
        return [self.say(f"RCPT TO:<{one}>") for one in recipients]

    def send(self, mail=MAIL, count=1):
        assert self.say("DATA").startswith("354")
        self.socket.sendall(mail + b".\r\n")
        return [self.answer() for _ in range(count)]

    def close(self):
        self.lines.close()
        self.socket.close()


@pytest.fixture
def talk(listening):
    found = []

    def make(where=None):
        found.append(Talk(listening("lmtp", where)))
        return found[-1]

    yield make
    for one in found:
        one.close()


@pytest.fixture
def line(talk):
    """A client of a server for LMTP."""
    return talk()


def test_a_mail_is_accepted_with_its_envelope(line, accepted):
    assert line.begin("play@example.org")[0].startswith("250")
    assert line.send()[0].startswith("250")
    assert accepted == [(MAIL, "ann@there.example", ["play@example.org"], "lmtp")]


def test_lmtp_responds_once_for_each_recipient(line, accepted):
    line.begin("play@example.org", "play+abc234@example.org", "play+def567@example.org")
    answers = line.send(count=3)
    assert [one[:3] for one in answers] == ["250"] * 3
    assert line.say("NOOP").startswith("250")
    assert len(accepted) == 1
    line.begin("play@example.org")
    assert line.send(MAIL.replace(b"<1@", b"<2@"))[0].startswith("250")
    assert line.say("NOOP").startswith("250")


def test_mails_of_several_connections_are_stored_one_after_another(listening, monkeypatch):
    now, most = [], []

    def accept(raw, **_):
        now.append(raw)
        most.append(len(now))
        time.sleep(0.05)
        now.remove(raw)
        return ""

    monkeypatch.setattr(lmtp, "accept", accept)
    port = listening("smtp").port

    def deliver(number):
        with smtplib.SMTP("127.0.0.1", port) as client:
            client.sendmail(f"{number}@there.example", ["play@example.org"], f"{number}\r\n")

    with ThreadPoolExecutor(5) as senders:
        list(senders.map(deliver, range(5)))
    assert most == [1] * 5


def test_a_mail_that_is_too_large_is_refused_to_each_recipient(line, accepted):
    line.begin("play@example.org", "play+abc234@example.org")
    answers = line.send(MAIL + b"x" * 900 * 1 + b"\r\n" + (b"y" * 70 + b"\r\n") * 20_000, count=2)
    assert [one[:3] for one in answers] == ["552", "552"]
    assert line.say("NOOP").startswith("250")
    assert accepted == []


def test_an_announced_size_is_refused_before_the_mail_comes(line):
    line.say("LHLO there.example")
    assert line.say(f"MAIL FROM:<ann@there.example> SIZE={MAX_BYTES + 1}").startswith("552")


def test_mail_for_other_addresses_is_refused(line, accepted):
    answers = line.begin(
        "ann@there.example",
        "other@example.org",
        "play@example.org.evil.example",
        "play@sub.example.org",
        "play+a b@example.org",
        "player@example.org",
        "ann%there.example@example.org",
        "postmaster@there.example",
    )
    assert all(one[0] == "5" for one in answers), answers
    assert line.say("DATA").startswith("503")
    assert accepted == []


@pytest.mark.parametrize(
    "address",
    ["PLAY@Example.ORG", "Play+ABC234@example.org", "postmaster@example.org", "Postmaster"],
)
def test_own_addresses_are_accepted_in_any_case(talk, address):
    assert talk().begin(address)[0].startswith("250")


def test_the_null_sender_is_accepted(line, accepted):
    assert line.begin("play@example.org", sender="")[0].startswith("250")
    assert line.send()[0].startswith("250")
    assert accepted[0][1] == ""


def test_mail_is_deferred_for_each_recipient(talk, accepted):
    accepted.response = TryAgainError()
    line = talk()
    line.begin("play@example.org", "play+abc234@example.org")
    assert [one[:3] for one in line.send(count=2)] == ["451", "451"]
    accepted.response = ""
    line.begin("play@example.org")
    assert line.send()[0].startswith("250")


def test_a_refusal_is_one_line_of_ascii(talk, accepted):
    accepted.response = "550 5.7.1 not from\r\n250 you — please"
    line = talk()
    line.begin("play@example.org")
    assert line.send() == ["550 5.7.1 not from 250 you ? please"]
    assert line.say("NOOP").startswith("250")


def test_recipients_of_a_mail_are_limited(line):
    answers = line.begin(*(f"play+{number}@example.org" for number in range(MAX_RECIPIENTS + 1)))
    assert answers[-1].startswith("452")
    assert answers[-2].startswith("250")


def test_long_lines_and_dots_are_unchanged(line, accepted):
    line.begin("play@example.org")
    mail = MAIL + b"x" * 200_000 + b"\r\n"
    assert line.send(mail + b"..dot\r\n")[0].startswith("250")
    assert accepted[0][0] == mail + b".dot\r\n"


def test_smtp_responds_once(listening, accepted):
    transport = listening("smtp")
    with smtplib.SMTP("127.0.0.1", transport.port) as client:
        refused = client.sendmail(
            "ann@there.example",
            ["play@example.org", "play+abc234@example.org", "else@where.example"],
            MAIL,
        )
        assert client.noop()[0] == 250
    assert set(refused) == {"else@where.example"}
    assert accepted[0][3] == "smtp"


def test_a_unix_socket_replaces_one_left_by_a_killed_process(talk, accepted, tmp_path):
    path = str(tmp_path / "lmtp")
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(path)
    line = talk(ListenAddress(path=path))
    line.begin("play@example.org")
    assert line.send()[0].startswith("250")


def test_a_port_in_use_is_named(listening):
    first = listening("lmtp")
    second = ListeningTransport("smtp", ListenAddress("127.0.0.1", first.port))
    with pytest.raises(InvalidOptionsError, match=f"MAIL_SMTP: .*{first.port}: Address already"):
        second.check()


def test_a_waiting_transport_takes_over_when_the_other_stops(listening, accepted, monkeypatch):
    monkeypatch.setattr("antipodes.web.email_play.inbound.transport._BACKOFF", (0.05,))
    first = listening("lmtp")
    second = ListeningTransport("lmtp", ListenAddress("127.0.0.1", first.port))
    second.start()
    try:
        first.stop()
        for _ in range(200):
            if second.port:
                break
            second.stopping.wait(0.02)
        line = Talk(second)
        line.begin("play@example.org")
        assert line.send()[0].startswith("250")
        line.close()
    finally:
        second.stop()


def test_connections_above_the_limit_are_told_to_try_again(listening, monkeypatch):
    monkeypatch.setattr(lmtp, "_MAX_CONNECTIONS", lmtp._Server._open + 1)
    transport = listening("lmtp")
    first = Talk(transport)
    with socket.create_connection(("127.0.0.1", transport.port), 10) as second:
        assert second.recv(100).startswith(b"421")
    first.close()


def test_closed_connections_are_no_longer_counted(listening):
    before = lmtp._Server._open
    talk = Talk(listening("lmtp"))
    assert lmtp._Server._open == before + 1
    talk.say("QUIT")
    assert talk.lines.read() == b""
    assert lmtp._Server._open == before
    talk.close()


def test_a_socket_that_another_process_listens_on_is_not_replaced(tmp_path):
    where = ListenAddress(path=str(tmp_path / "lmtp"))
    with lmtp._bind(where):
        with pytest.raises(OSError, match="in use"):
            lmtp._bind(where)
        assert ListeningTransport("lmtp", where).port == 0
    with lmtp._bind(where) as again:
        assert again.getsockname() == where.path
        assert stat.S_IMODE(Path(where.path).stat().st_mode) == 0o666


def test_a_file_that_is_no_socket_is_not_replaced(tmp_path):
    file = tmp_path / "notes"
    file.write_text("of the host")
    with pytest.raises(OSError, match="in use"):
        lmtp._bind(ListenAddress(path=str(file)))
    assert file.read_text() == "of the host"


def test_after_an_unexpected_error_the_server_tries_again():
    handler = lmtp._Handler("lmtp")
    answer = asyncio.run(handler.handle_exception(ValueError("ours")))
    handler.shut_down()
    assert answer == lmtp._TRY_AGAIN
    assert answer.startswith("451 ")


def test_addresses_and_headers_may_have_other_letters_than_ascii(listening):
    with smtplib.SMTP("127.0.0.1", listening("smtp").port) as client:
        client.ehlo()
        assert client.has_extn("smtputf8")
        assert client.esmtp_features["size"] == str(MAX_BYTES)


def test_a_unix_socket_is_removed_when_the_transport_stops(listening, tmp_path):
    path = tmp_path / "lmtp"
    transport = listening("lmtp", ListenAddress(path=str(path)))
    for _ in range(500):
        if transport._loop is not None:
            break
        transport.stopping.wait(0.01)
    assert path.exists()
    transport.stop()
    assert not path.exists()

"""The IMAP transport notices that a server has closed the connection."""

from types import SimpleNamespace

import pytest

from antipodes.web.email_play.inbound import imap


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

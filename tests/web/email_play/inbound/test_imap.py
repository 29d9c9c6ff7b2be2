"""The door that reads a mailbox notices that a server has gone."""

from types import SimpleNamespace

import pytest

from antipodes.web.email_play.inbound import imap


def idle(*lines, takes=0.0):
    """Return an IDLE that says something after some seconds of the clock below."""
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


def test_silence_is_silence_and_news_are_heard():
    assert imap._heard(idle(takes=imap._LOOK)) == []
    assert imap._heard(idle(b"* 3 EXISTS")) == [b"* 3 EXISTS"]


@pytest.mark.parametrize("lines", [(), (b"* BYE Server shutting down.",)])
def test_a_closed_connection_is_no_silence(lines):
    with pytest.raises(ConnectionResetError):
        imap._heard(idle(*lines))

"""Fixtures for tests of transports: a site that receives mail, and listening transports."""

from pathlib import Path
from typing import Any

import pytest

from antipodes.web.email_play.inbound import lmtp
from antipodes.web.email_play.inbound.lmtp import ListeningTransport
from antipodes.web.platform.mail_settings import ListenAddress


@pytest.fixture(autouse=True)
def receives(settings, tmp_path, monkeypatch):
    """Let the site receive mail at example.org, with its own data folder."""
    settings.MAIL_HOST = "example.org"
    settings.MAIL_USER = "play"
    monkeypatch.setenv("ANTIPODES_DATA", str(tmp_path / "data"))


@pytest.fixture
def maildir(settings, tmp_path):
    """Let mail stay on this machine."""
    settings.MAIL_FOLDER = tmp_path / "mail"
    settings.EMAIL_BACKEND = "antipodes.web.email_play.inbound.maildir.MaildirBackend"
    return Path(settings.MAIL_FOLDER)


@pytest.fixture
def accepted(monkeypatch):
    """Collect accepted mails without a database; ``accepted.response`` is returned or raised."""

    class Accepted(list[Any]):
        response: Any = ""

    found = Accepted()

    def accept(raw, *, sender, recipients, via):
        if isinstance(found.response, Exception):
            raise found.response
        found.append((raw, sender, list(recipients), via))
        return found.response

    monkeypatch.setattr(lmtp, "accept", accept)
    return found


@pytest.fixture
def listening():
    """Return a function that starts a transport on a free port."""
    transports = []

    def make(name, where=None):
        transport = ListeningTransport(name, where or ListenAddress("127.0.0.1", 0))
        transport.check()
        transport.start()
        transports.append(transport)
        return transport

    yield make
    for transport in transports:
        transport.stop()

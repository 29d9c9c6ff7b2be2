"""What tests of the doors share: a site that receives mail, and doors that listen."""

from pathlib import Path
from typing import Any

import pytest

from antipodes.web.email_play.inbound import lmtp
from antipodes.web.email_play.inbound.lmtp import NetworkDoor
from antipodes.web.platform.mail_settings import ListenAddress


@pytest.fixture(autouse=True)
def receives(settings, tmp_path, monkeypatch):
    """Let the site receive mail at example.org, with a folder of its own for data."""
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
def taken(monkeypatch):
    """Gather what doors bring, without a database; ``taken.answer`` is what they are told."""

    class Taken(list[Any]):
        answer: Any = ""

    found = Taken()

    def take(raw, *, sender, recipients, via):
        if isinstance(found.answer, Exception):
            raise found.answer
        found.append((raw, sender, list(recipients), via))
        return found.answer

    monkeypatch.setattr(lmtp, "take", take)
    return found


@pytest.fixture
def listening():
    """Open doors on free ports; they are closed in the end."""
    doors = []

    def make(name, where=None):
        door = NetworkDoor(name, where or ListenAddress("127.0.0.1", 0))
        door.try_out()
        door.start()
        doors.append(door)
        return door

    yield make
    for door in doors:
        door.stop()

"""A real server for mail on this machine, which keeps what the site sends."""

from __future__ import annotations

import email
import email.policy
import time
from collections.abc import Callable
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller

from tests.live.ports import free_port


class Post:
    """Takes all mail that comes; nothing goes further."""

    def __init__(self) -> None:
        """Listen on a free port."""
        self.letters: list[EmailMessage] = []
        port = free_port()
        self.url = f"smtp://127.0.0.1:{port}"  # for EMAIL_URL
        Controller(self, hostname="127.0.0.1", port=port).start()

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        """Keep a mail."""
        found = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(found, EmailMessage)
        self.letters.append(found)
        return "250 kept"

    def wait_for(self, wanted: Callable[[EmailMessage], bool], seconds: float) -> EmailMessage:
        """Return the first mail that is wanted, when it comes."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for letter in self.letters:
                if wanted(letter):
                    return letter
            time.sleep(0.2)
        told = [f"{letter['To']}: {letter['Subject']}" for letter in self.letters]
        raise AssertionError(f"no such mail in {seconds} s among {told}")


def text_of(letter: EmailMessage) -> str:
    """Return the plain text of a mail."""
    part = letter.get_body(("plain",))
    assert part is not None
    found: str = part.get_content()
    return found

"""A mail server on this machine that keeps the mails of the site."""

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
    """Accepts all mail, and delivers none of it."""

    def __init__(self) -> None:
        """Listen on a free port."""
        self.mails: list[EmailMessage] = []
        port = free_port()
        self.url = f"smtp://127.0.0.1:{port}"  # for EMAIL_URL
        Controller(self, hostname="127.0.0.1", port=port).start()

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        """Keep a mail."""
        found = email.message_from_bytes(envelope.content, policy=email.policy.default)
        assert isinstance(found, EmailMessage)
        self.mails.append(found)
        return "250 kept"

    def wait_for(self, wanted: Callable[[EmailMessage], bool], seconds: float) -> EmailMessage:
        """Wait for a mail that meets a condition; return it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for mail in self.mails:
                if wanted(mail):
                    return mail
            time.sleep(0.2)
        found = [f"{mail['To']}: {mail['Subject']}" for mail in self.mails]
        raise AssertionError(f"no such mail in {seconds} s among {found}")


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert part is not None
    found: str = part.get_content()
    return found

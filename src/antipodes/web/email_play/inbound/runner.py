"""The transports that the settings configure, started and stopped together."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings

from antipodes.web.email_play.inbound.imap import ImapTransport
from antipodes.web.email_play.inbound.lmtp import ListeningTransport
from antipodes.web.email_play.inbound.maildir import MaildirTransport
from antipodes.web.email_play.inbound.transport import Transport


def configured_transports() -> list[Transport]:
    """Return the transports that need a thread according to the settings, not yet started.

    Webhooks are views, and the pipe is a command: neither needs a thread.
    """
    found: list[Transport] = []
    if settings.MAIL_FOLDER is not None:
        found.append(MaildirTransport())
    if settings.MAIL_LMTP is not None:
        found.append(ListeningTransport("lmtp", settings.MAIL_LMTP))
    if settings.MAIL_SMTP is not None:
        found.append(ListeningTransport("smtp", settings.MAIL_SMTP))
    if settings.MAIL_IMAP is not None:
        found.append(ImapTransport(settings.MAIL_IMAP))
    return found


class TransportRunner:
    """Runs transports from :meth:`start` to :meth:`stop`.

    Any number of processes, on any number of machines, may run the same ones: of those that share
    a port or a mailbox, one at a time receives mail, and another takes over when it ends.
    """

    def __init__(self, transports: Sequence[Transport] | None = None) -> None:
        """Take the given transports, by default the configured ones."""
        self._transports = configured_transports() if transports is None else transports

    def start(self) -> None:
        """Start all transports."""
        for transport in self._transports:
            transport.start()

    def stop(self) -> None:
        """Stop all transports in parallel."""
        for transport in self._transports:
            transport.stopping.set()
        for transport in self._transports:
            transport.stop()

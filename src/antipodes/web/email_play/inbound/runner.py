"""Which doors a site has, and who keeps them open: the one place that decides."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings

from antipodes.web.email_play.inbound.imap import ImapDoor
from antipodes.web.email_play.inbound.lmtp import NetworkDoor
from antipodes.web.email_play.inbound.maildir import MaildirDoor
from antipodes.web.email_play.inbound.transport import Door


def configured() -> list[Door]:
    """Return the doors that the settings name, none of them open.

    Webhooks are pages, and the pipe is a command of its own; neither has to be kept open.
    """
    found: list[Door] = []
    if settings.MAIL_FOLDER is not None:
        found.append(MaildirDoor())
    if settings.MAIL_LMTP is not None:
        found.append(NetworkDoor("lmtp", settings.MAIL_LMTP))
    if settings.MAIL_SMTP is not None:
        found.append(NetworkDoor("smtp", settings.MAIL_SMTP))
    if settings.MAIL_IMAP is not None:
        found.append(ImapDoor(settings.MAIL_IMAP))
    return found


class OpenDoors:
    """Doors that are open from :meth:`start` to :meth:`stop`.

    Any number of processes may open the same ones, on one machine or several: of those that share
    a port or a mailbox one has it, and another takes over when that ends.
    """

    def __init__(self, doors: Sequence[Door] | None = None) -> None:
        """Prepare those that are given, or those that the settings name."""
        self._doors = configured() if doors is None else doors

    def start(self) -> None:
        """Open all."""
        for door in self._doors:
            door.start()

    def stop(self) -> None:
        """Close all; they close side by side."""
        for door in self._doors:
            door.ending.set()
        for door in self._doors:
            door.stop()

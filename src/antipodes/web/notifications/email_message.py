"""An e-mail that is to be sent, with its attachments; the outbox stores and sends it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from antipodes.web.accounts.models import User
from antipodes.web.notifications.board_images import PNG, Drawing


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """A picture in an e-mail.

    Attributes:
        cid: by which the HTML shows it, without brackets.
        name: of the file.
        content: the file; empty for a board that is drawn when the letter is sent.
        type: of the file; a kind of ``image/``.
        drawing: that board, as :mod:`antipodes.web.notifications.board_images` keeps it.
    """

    cid: str
    name: str
    content: bytes = b""
    type: str = PNG
    drawing: Drawing | None = None


@dataclass(frozen=True, kw_only=True)
class EmailMessage:
    """An e-mail that is to be sent.

    Attributes:
        key: names it among all letters; what is written twice is sent once.
        to: the address.
        user: whose it is, if it is somebody's.
        message_id: with angle brackets; the same whenever it is sent.
        thread: what it is about, so that later letters can refer to it.
        headers: beside those that every mail has.
        html: the same with pictures, which it shows by ``cid:``.
    """

    key: str
    to: str
    subject: str
    text: str
    message_id: str
    user: User | None = None
    html: str = ""
    thread: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    enclosures: tuple[Attachment, ...] = ()

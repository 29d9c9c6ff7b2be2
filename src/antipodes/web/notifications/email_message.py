"""Outgoing e-mails with their attachments, as they are passed to the outbox."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from antipodes.web.accounts.models import User
from antipodes.web.notifications.board_images import PNG, Drawing


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """An inline image in an e-mail.

    Attributes:
        cid: content id that the HTML refers to, without brackets.
        name: file name.
        content: file content; empty for a board that is drawn when the e-mail is sent.
        type: media type, ``image/...``.
        drawing: that board, see :mod:`antipodes.web.notifications.board_images`.
    """

    cid: str
    name: str
    content: bytes = b""
    type: str = PNG
    drawing: Drawing | None = None


@dataclass(frozen=True, kw_only=True)
class EmailMessage:
    """An e-mail to send.

    Attributes:
        key: unique among all e-mails; a second one with the same key is not sent.
        to: address of the recipient.
        user: the recipient's account, if there is one.
        message_id: with angle brackets; the same for each attempt.
        thread: names the conversation, so that later e-mails can refer to it.
        headers: additional headers.
        html: alternative with images, which it refers to by ``cid:``.
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
    attachments: tuple[Attachment, ...] = ()

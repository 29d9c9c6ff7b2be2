"""All handlers and rounds of the desk; importing this lets them be found."""

from __future__ import annotations

from antipodes.web.mailroom.desk import (
    accounts,
    challenges,
    choosing,
    following,
    invitations,
    looking,
    messages,
    nags,
    sides,
    slips,
)

__all__ = [
    "accounts",
    "challenges",
    "choosing",
    "following",
    "invitations",
    "looking",
    "messages",
    "nags",
    "sides",
    "slips",
]

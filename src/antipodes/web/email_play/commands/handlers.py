"""All handlers of commands by e-mail; importing this module registers them."""

from __future__ import annotations

from antipodes.web.email_play.commands import (
    accounts,
    challenges,
    confirmations,
    following,
    invitations,
    listings,
    messages,
    preferences,
    reminders,
    viewpoints,
)

__all__ = [
    "accounts",
    "challenges",
    "confirmations",
    "following",
    "invitations",
    "listings",
    "messages",
    "preferences",
    "reminders",
    "viewpoints",
]

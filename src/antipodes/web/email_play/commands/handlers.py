"""Imports every module with handlers of e-mail commands, which registers them."""

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
    puzzles,
    reminders,
    simuls,
    tournaments,
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
    "puzzles",
    "reminders",
    "simuls",
    "tournaments",
    "viewpoints",
]

"""API tokens, which authenticate programs and grant scopes."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from enum import StrEnum

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from antipodes.clocks import DAY
from antipodes.errors import Fault
from antipodes.notation.text import shorten
from antipodes.web.accounts.models import ApiTokenRow, User
from antipodes.web.accounts.tokens import TokenKind
from antipodes.web.platform.clock import now

DAYS = (30, 90, 365)  # lifetimes of a token; the page also has "No expiry"

_MAX_TOKENS = 30  # of one account
_BYTES = 32  # of randomness


def _random_text() -> str:
    return secrets.token_urlsafe(_BYTES)


KIND = TokenKind(model=ApiTokenRow, prefix="atp_", generate=_random_text, limit=_MAX_TOKENS)


class Scope(StrEnum):
    """Scope of a token."""

    READ = "read"
    PLAY = "play"
    CHALLENGE = "challenge"
    CHAT = "chat"
    PROFILE = "profile"
    CLUBS = "clubs"
    STUDIES = "studies"
    TOURNAMENTS = "tournaments"
    ENGINE = "engine"


def scope_description(scope: Scope) -> str:
    """Return what a scope allows, for users."""
    return {
        Scope.READ: _(
            "Read your private data: games, conditional moves, notes, chat, notifications"
        ),
        Scope.PLAY: _(
            "Play your games: moves, offers, resignation, vacation, conditional moves; and solve"
            " puzzles and lessons"
        ),
        Scope.CHALLENGE: _("Make, join, decline and cancel challenges, and seek opponents"),
        Scope.CHAT: _("Send chat messages"),
        Scope.PROFILE: _("Change your profile, notes, notifications, follows and blocks"),
        Scope.CLUBS: _("Join, leave and manage clubs"),
        Scope.STUDIES: _("Make and edit your studies"),
        Scope.TOURNAMENTS: _("Join, leave and host tournaments"),
        Scope.ENGINE: _("Search moves and analyses for the site, if its host has agreed"),
    }[scope]


def make_token(
    user: User, name: str, scopes: Collection[str], days: int | None
) -> tuple[ApiTokenRow, str]:
    """Make a token; return its row and its text, which is not stored.

    Args:
        user: the owner.
        name: the owner's name for it.
        scopes: the scopes that it grants.
        days: its lifetime; ``None`` for no expiry.

    Raises:
        InputError: the user is a guest, the name, the scopes or the days are invalid, or there are
            too many tokens.
    """
    faults = _scope_faults(scopes)
    if days is not None and days not in DAYS:
        message = _("A token is valid for 30, 90 or 365 days or for ever, not for %(days)s days.")
        faults.append(Fault("token/days", message % {"days": days}, "days"))
    expires = None if days is None else now() + days * DAY
    return KIND.make(user, name, faults=faults, scopes=sorted(set(scopes)), expires_at=expires)


def _scope_faults(scopes: Collection[str]) -> list[Fault]:
    if not scopes:
        return [Fault("token/scopes", _("Choose at least one scope."), "scopes")]
    known = ", ".join(Scope)
    return [
        Fault(
            "token/scopes",
            _("There is no scope %(scope)s; the scopes are %(known)s.")
            % {"scope": shorten(str(scope)), "known": known},
            "scopes",
        )
        for scope in scopes
        if scope not in list(Scope)
    ]


def find_token(text: str) -> ApiTokenRow | None:
    """Return the row of a valid token, with its user, and note its use."""
    row = KIND.find(text)
    if row is None or (row.expires_at is not None and row.expires_at <= now()):
        return None
    KIND.note_use(row)
    return row


def tokens_of(user: User) -> QuerySet[ApiTokenRow]:
    """Return the tokens of a user, the newest first."""
    return KIND.of(user)


def revoke(user: User, key: int) -> bool:
    """Revoke a token of a user; return whether there was one."""
    return KIND.revoke(user, key)

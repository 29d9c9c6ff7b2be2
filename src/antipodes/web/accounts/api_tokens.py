"""Tokens of programs: how they say for whom they speak, and what they may do."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from enum import StrEnum

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from antipodes.errors import Fault
from antipodes.notation.text import shorten
from antipodes.web.accounts.models import ApiTokenRow, User
from antipodes.web.accounts.tokens import TokenKind
from antipodes.web.platform.clock import now

MOST = 30  # tokens of one account
DAYS = (30, 90, 365)  # for which a token may be made; the page also has "for ever"

_BYTES = 32  # of chance
_DAY = 86_400_000  # milliseconds


def _chance() -> str:
    return secrets.token_urlsafe(_BYTES)


KIND = TokenKind(rows=ApiTokenRow, prefix="atp_", chance=_chance, most=MOST)


class Scope(StrEnum):
    """What a token may be used for."""

    READ = "read"
    PLAY = "play"
    CHALLENGE = "challenge"
    CHAT = "chat"
    PROFILE = "profile"
    CLUBS = "clubs"


def scope_words(scope: Scope) -> str:
    """Say what a scope allows."""
    return {
        Scope.READ: _("Read what only you may see: your games, plans, notes, chat and news."),
        Scope.PLAY: _("Play in your games: moves, offers, resigning, vacation, plans."),
        Scope.CHALLENGE: _("Make, join, decline and take back challenges."),
        Scope.CHAT: _("Talk at matches in your name."),
        Scope.PROFILE: _("Change your profile, your notes, and whom you follow or block."),
        Scope.CLUBS: _("Join and leave clubs, and look after those that are yours."),
    }[scope]


def make_token(
    user: User, name: str, scopes: Collection[str], days: int | None
) -> tuple[ApiTokenRow, str]:
    """Make a token; return its row, and the token itself, which is never shown again.

    Args:
        user: whose token it is.
        name: what its owner calls it.
        scopes: what it may be used for.
        days: for which it is good; ``None`` for ever.

    Raises:
        InputError: a guest asks, or the name, the scopes or the days are none, or there are too
            many tokens already.
    """
    faults = _scope_faults(scopes)
    if days is not None and days not in DAYS:
        message = _("A token is made for 30, 90 or 365 days or for ever, not for %(days)s days.")
        faults.append(Fault("token/days", message % {"days": days}, "days"))
    ends = None if days is None else now() + days * _DAY
    return KIND.make(user, name, faults=faults, scopes=sorted(set(scopes)), expires_at=ends)


def _scope_faults(scopes: Collection[str]) -> list[Fault]:
    if not scopes:
        return [Fault("token/scopes", _("Choose what the token may be used for."), "scopes")]
    known = list(Scope)
    return [
        Fault(
            "token/scopes",
            _("There is no scope %(scope)s; there are %(known)s.")
            % {"scope": shorten(str(scope)), "known": ", ".join(known)},
            "scopes",
        )
        for scope in scopes
        if scope not in known
    ]


def find_token(text: str) -> ApiTokenRow | None:
    """Return the row of a token that is good now, with its user, and note that it was used."""
    row = KIND.find(text)
    if row is None or (row.expires_at is not None and row.expires_at <= now()):
        return None
    KIND.note_use(row)
    return row


def tokens_of(user: User) -> QuerySet[ApiTokenRow]:
    """Return the tokens of an account, the newest first."""
    return KIND.of(user)


def revoke(user: User, key: int) -> bool:
    """End a token of an account at once; return whether there was one."""
    return KIND.revoke(user, key)

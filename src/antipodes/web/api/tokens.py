"""Tokens: how programs say for whom they speak, and what they may do.

Only a hash of a token is kept. A token has so much chance in it that one round of SHA-256 is
enough: nobody can try all of them, as one could with passwords.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Collection
from enum import StrEnum

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError
from antipodes.notation.text import shorten
from antipodes.records.texts import clean_line
from antipodes.web.api.models import TokenRow
from antipodes.web.matches.services import now
from antipodes.web.people.models import User

PREFIX = "atp_"  # so that people, and scanners of published code, know a token when they see one
MOST = 30  # tokens of one account
LONGEST_NAME = 60  # characters
DAYS = (30, 90, 365)  # for which a token may be made; the page also has "for ever"

_BYTES = 32  # of chance
_SHOWN = 4  # characters at the end by which a token is told from others
_HOUR = 3_600_000  # milliseconds
_DAY = 24 * _HOUR


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
) -> tuple[TokenRow, str]:
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
    if user.is_guest or user.is_computer:
        raise InputError.single("token/no-account", _("Tokens need an account: sign up first."))
    shown = clean_line(name)
    faults = [*_name_faults(shown), *_scope_faults(scopes)]
    if days is not None and days not in DAYS:
        message = _("A token is made for 30, 90 or 365 days or for ever, not for %(days)s days.")
        faults.append(Fault("token/days", message % {"days": days}, "days"))
    if TokenRow.objects.filter(user=user).count() >= MOST:
        message = _("You have %(count)s tokens; revoke one that you no longer need.")
        faults.append(Fault("token/too-many", message % {"count": MOST}))
    if faults:
        raise InputError(faults)
    text = PREFIX + secrets.token_urlsafe(_BYTES)
    at = now()
    row = TokenRow.objects.create(
        user=user,
        name=shown,
        digest=digest_of(text),
        ending=text[-_SHOWN:],
        scopes=sorted(set(scopes)),
        made_at=at,
        expires_at=None if days is None else at + days * _DAY,
    )
    return row, text


def _name_faults(name: str) -> list[Fault]:
    if 0 < len(name) <= LONGEST_NAME:
        return []
    message = _("A name has 1 to %(most)s characters; %(name)s has %(count)s.")
    told = {"most": LONGEST_NAME, "name": shorten(name), "count": len(name)}
    return [Fault("token/name", message % told, "name")]


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


def digest_of(text: str) -> str:
    """Return the hash of a token, by which it is found."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def find_token(text: str) -> TokenRow | None:
    """Return the row of a token that is good now, with its user, and note that it was used."""
    row = TokenRow.objects.select_related("user").filter(digest=digest_of(text)).first()
    if row is None or not row.user.is_active:
        return None
    at = now()
    if row.expires_at is not None and row.expires_at <= at:
        return None
    # The hour is enough for its owner, and a busy bot writes it once an hour only.
    hour = at - at % _HOUR
    if row.used_at != hour:
        TokenRow.objects.filter(pk=row.pk).update(used_at=hour)
    return row


def tokens_of(user: User) -> QuerySet[TokenRow]:
    """Return the tokens of an account, the newest first."""
    return TokenRow.objects.filter(user=user)


def revoke(user: User, key: int) -> bool:
    """End a token of an account at once; return whether there was one."""
    count, _rows = TokenRow.objects.filter(user=user, pk=key).delete()
    return count > 0

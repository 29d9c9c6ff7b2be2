"""What a connection was opened with, and whether that is still good."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.contrib.sessions.models import Session
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from antipodes.web.accounts.models import ApiTokenRow, User
from antipodes.web.platform.clock import now


@dataclass(frozen=True, slots=True)
class Credentials:
    """The session of a browser, or the token of a program.

    Attributes:
        user: key of the user.
        session: key of the session; empty for a token.
        auth_hash: hash of the password at the time; a session ends when the password changes.
        token: key of the token; ``None`` for a session.
    """

    user: int
    session: str = ""
    auth_hash: str = ""
    token: int | None = None


def of_session(user: User, session: Any) -> Credentials:
    """Return the credentials of a browser."""
    return Credentials(
        user.pk, session=session.session_key or "", auth_hash=user.get_session_auth_hash()
    )


def of_scope(scope: Mapping[str, Any]) -> Credentials | None:
    """Return the credentials of a WebSocket, or ``None`` if nobody is signed in."""
    user: object = scope.get("user")
    session = scope.get("session")
    return of_session(user, session) if isinstance(user, User) and session is not None else None


def still_good(some: Collection[Credentials]) -> set[Credentials]:
    """Return those that still open something; three queries, however many there are.

    They follow the rules by which pages and the interface for programs let people in: a session
    has to exist, not to have expired, and to be of the present password; a token has to exist and
    not to have expired; the account has to be active.
    """
    active = User.objects.filter(pk__in={one.user for one in some}, is_active=True)
    passwords = dict(active.values_list("pk", "password"))
    sessions = _sessions({one.session for one in some if one.session})
    tokens = _tokens({one.token for one in some if one.token is not None})
    return {
        one
        for one in some
        if one.user in passwords
        and (one.session in sessions if one.token is None else one.token in tokens)
        and (
            one.token is not None
            or constant_time_compare(one.auth_hash, _auth_hash(passwords[one.user]))
        )
    }


@lru_cache(maxsize=20_000)
def _auth_hash(password: str) -> str:
    """Return the hash of a stored password that sessions keep; it takes long to calculate."""
    return User(password=password).get_session_auth_hash()


def _sessions(keys: Collection[str]) -> set[str]:
    if not keys:
        return set()
    found = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    return set(found.values_list("session_key", flat=True))


def _tokens(keys: Collection[int]) -> set[int]:
    if not keys:
        return set()
    is_good = Q(expires_at=None) | Q(expires_at__gt=now())
    return set(ApiTokenRow.objects.filter(is_good, pk__in=keys).values_list("pk", flat=True))

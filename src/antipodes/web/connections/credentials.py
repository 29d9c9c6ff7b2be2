"""Credentials of connections: the session or token that opened one, and whether it is valid."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from antipodes.web.accounts.models import ApiTokenRow, User
from antipodes.web.platform.clock import now
from antipodes.web.platform.queries import table


@dataclass(frozen=True, slots=True)
class Credentials:
    """The session of a browser, or the token of a program.

    Attributes:
        user: key of the user.
        session: key of the session; empty for a token.
        auth_hash: hash of the password; a session ends when the password changes.
        token: key of the token; ``None`` for a session.
    """

    user: int
    session: str = ""
    auth_hash: str = ""
    token: int | None = None


def of_session(user: User, session: Any) -> Credentials:
    return Credentials(
        user.pk, session=session.session_key or "", auth_hash=auth_hash(user.password)
    )


def of_scope(scope: Mapping[str, Any]) -> Credentials | None:
    """Return the credentials of a WebSocket, or ``None`` for an anonymous client."""
    user: object = scope.get("user")
    session = scope.get("session")
    return of_session(user, session) if isinstance(user, User) and session is not None else None


def still_valid(given: Collection[Credentials]) -> set[Credentials]:
    """Return those credentials that are still valid, in three queries.

    The rules are those of pages and the API: a session must exist, not be expired, and match the
    current password; a token must exist and not be expired; the account must be active.
    """
    passwords = _passwords({one.user for one in given})
    sessions = _valid_sessions({one.session for one in given if one.session})
    tokens = _valid_tokens({one.token for one in given if one.token is not None})
    return {
        credentials
        for credentials in given
        if credentials.user in passwords
        and (
            credentials.session in sessions
            if credentials.token is None
            else credentials.token in tokens
        )
        and (
            credentials.token is not None
            or constant_time_compare(credentials.auth_hash, auth_hash(passwords[credentials.user]))
        )
    }


@lru_cache(maxsize=20_000)
def auth_hash(password: str) -> str:
    """Return the hash of a stored password that sessions keep; cached, since it is slow."""
    return User(password=password).get_session_auth_hash()


# These queries run for each message of each WebSocket.


def _passwords(users: Collection[int]) -> dict[int, str]:
    """Return the hashed passwords of those users that are active."""
    query = f"SELECT id, password FROM {table(User)} WHERE is_active = %s AND id IN"  # noqa: S608
    return dict(_rows(query, [True], users))


def _valid_sessions(keys: Collection[str]) -> set[str]:
    query = f"SELECT session_key FROM {table(Session)} WHERE expire_date > %s AND session_key IN"  # noqa: S608
    at = connection.ops.adapt_datetimefield_value(timezone.now())
    return {key for (key,) in _rows(query, [at], keys)}


def _rows(query: str, arguments: list[Any], keys: Collection[Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a query that ends with ``IN``; without keys there are none."""
    if not keys:
        return []
    with connection.cursor() as cursor:
        places = ", ".join(["%s"] * len(keys))
        cursor.execute(f"{query} ({places})", [*arguments, *keys])
        return list(cursor.fetchall())


def _valid_tokens(keys: Collection[int]) -> set[int]:
    if not keys:
        return set()
    is_current = Q(expires_at=None) | Q(expires_at__gt=now())
    return set(ApiTokenRow.objects.filter(is_current, pk__in=keys).values_list("pk", flat=True))

"""ASGI middleware that finds the session and the user of each WebSocket."""

from __future__ import annotations

from functools import cache
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from antipodes.web.accounts.models import User
from antipodes.web.connections.credentials import auth_hash
from antipodes.web.platform.queries import first_row, table


class SessionSockets:
    """Sets ``session`` and ``user`` of the scope, as Django does for requests.

    A session is never changed by a WebSocket, so it needs no wrapper around each message. All is
    read in one call of a thread, by queries in SQL, since all clients reconnect after a restart.
    """

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        key = _session_key(scope)
        session, user = None, None
        if key:
            session, user = await database_sync_to_async(_find)(key)
        found = {"session": session, "user": user or AnonymousUser()}
        await self._application({**scope, **found}, receive, send)


def _session_key(scope: Any) -> str:
    """Return the session key in the cookies of a handshake."""
    headers: dict[bytes, bytes] = dict(scope.get("headers", ()))
    try:
        cookies = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
    except CookieError:
        return ""
    morsel = cookies.get(settings.SESSION_COOKIE_NAME)
    return morsel.value if morsel is not None else ""


def _find(key: str) -> tuple[Any, User | None]:
    """Return the session with a key and its user; ``None`` for one that is not valid."""
    store = import_module(settings.SESSION_ENGINE).SessionStore(key)
    at = connection.ops.adapt_datetimefield_value(timezone.now())
    query = f"SELECT session_data FROM {table(Session)} WHERE session_key = %s AND expire_date > %s"  # noqa: S608
    row = first_row(query, key, at)
    data = store.decode(row[0]) if row else {}
    if data.get(BACKEND_SESSION_KEY) not in settings.AUTHENTICATION_BACKENDS:
        return store, None
    given = str(data.get(HASH_SESSION_KEY))
    for user in User.objects.raw(_query_of_users(), [int(data[SESSION_KEY]), True]):
        if constant_time_compare(given, auth_hash(user.password)):
            return store, user
    return store, None


@cache
def _query_of_users() -> str:
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in User._meta.concrete_fields)  # noqa: SLF001
    return f"SELECT {columns} FROM {table(User)} WHERE id = %s AND is_active = %s"  # noqa: S608

"""Which pages may open WebSockets: those of the site itself, by scheme, host and port."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.utils.http import is_same_domain

_SCHEMES = {"ws": "http", "wss": "https"}


class SameOrigin:
    """ASGI middleware that refuses WebSockets of foreign pages.

    A page has to have the scheme, host and port under which the WebSocket is asked for, or one of
    the ``CSRF_TRUSTED_ORIGINS``: the same rule by which forms are accepted.
    """

    def __init__(self, application: Any) -> None:
        """Keep what serves the WebSockets."""
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a WebSocket, or refuse its handshake."""
        if may_open(scope):
            await self._application(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.close"})


def may_open(scope: Mapping[str, Any]) -> bool:
    """Return whether a WebSocket was asked for by a page of the site.

    Browsers always tell the origin. Without one it is refused, unless every host is allowed.
    """
    origins = [value for name, value in scope.get("headers", ()) if name == b"origin"]
    if not origins:
        return "*" in settings.ALLOWED_HOSTS
    origin = origins[0].decode("latin-1").lower()
    return len(origins) == 1 and (origin == _own_origin(scope) or _is_trusted(origin))


def _own_origin(scope: Mapping[str, Any]) -> str | None:
    scheme = scope.get("scheme", "ws")
    asked = {**scope, "type": "http", "method": "GET", "scheme": _SCHEMES.get(scheme, scheme)}
    request = ASGIRequest(asked, BytesIO())
    try:
        return _plain(f"{request.scheme}://{request.get_host()}".lower())
    except DisallowedHost:
        return None


def _plain(origin: str) -> str:
    """Return an origin as browsers write it: without the usual port of its scheme."""
    usual = {"http": ":80", "https": ":443"}.get(origin.partition(":")[0], "")
    return origin.removesuffix(usual) if usual else origin


def _is_trusted(origin: str) -> bool:
    try:
        asked = urlsplit(origin)
        host = asked.netloc
    except ValueError:
        return False
    return any(
        origin == trusted or _matches(asked.scheme, host, trusted)
        for trusted in map(str.lower, settings.CSRF_TRUSTED_ORIGINS)
    )


def _matches(scheme: str, host: str, trusted: str) -> bool:
    """Return whether an origin is meant by a pattern such as ``https://*.example.org``."""
    trusted_scheme, _separator, pattern = trusted.partition("://")
    is_pattern = pattern.startswith("*.")
    return is_pattern and scheme == trusted_scheme and is_same_domain(host, pattern[1:])

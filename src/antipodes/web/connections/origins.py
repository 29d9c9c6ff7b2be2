"""Origin check of WebSockets: only pages of the site may open them."""

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
_MAX_PORT = 65_535


class SameOrigin:
    """ASGI middleware that refuses WebSockets of other sites' pages.

    The origin must have the scheme, host and port of the WebSocket's URL, or be one of the
    ``CSRF_TRUSTED_ORIGINS``, as for forms.
    """

    def __init__(self, application: Any) -> None:
        self._application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve a WebSocket, or refuse its handshake."""
        if is_allowed(scope):
            await self._application(scope, receive, send)
            return
        await receive()
        await send({"type": "websocket.close"})


def is_allowed(scope: Mapping[str, Any]) -> bool:
    """Return whether a page of the site opens a WebSocket.

    Browsers always send the origin. Without one it is refused, unless every host is allowed.
    """
    headers = scope.get("headers", ())
    if not all(
        has_valid_port(value.decode("latin-1")) for name, value in headers if name == b"host"
    ):
        return False
    origins = [value for name, value in headers if name == b"origin"]
    if not origins:
        return "*" in settings.ALLOWED_HOSTS
    origin = origins[0].decode("latin-1").lower()
    return len(origins) == 1 and (origin == _own_origin(scope) or _is_trusted(origin))


def has_valid_port(host: str) -> bool:
    """Return whether the port of a host, if it has one, is a number up to 65,535.

    Django accepts any number, of which other functions make an error.
    """
    port = host.rpartition("]")[2].partition(":")[2]
    return not port or (port.isascii() and port.isdigit() and int(port[:6]) <= _MAX_PORT)


def _own_origin(scope: Mapping[str, Any]) -> str | None:
    scheme = scope.get("scheme", "ws")
    http = {**scope, "type": "http", "method": "GET", "scheme": _SCHEMES.get(scheme, scheme)}
    request = ASGIRequest(http, BytesIO())
    try:
        return _without_default_port(f"{request.scheme}://{request.get_host()}".lower())
    except DisallowedHost:
        return None


def _without_default_port(origin: str) -> str:
    """Return an origin as browsers send it."""
    port = {"http": ":80", "https": ":443"}.get(origin.partition(":")[0], "")
    return origin.removesuffix(port)


def _is_trusted(origin: str) -> bool:
    try:
        parts = urlsplit(origin)
        host = parts.netloc
    except ValueError:
        return False
    return any(
        origin == trusted or _matches(parts.scheme, host, trusted)
        for trusted in map(str.lower, settings.CSRF_TRUSTED_ORIGINS)
    )


def _matches(scheme: str, host: str, trusted: str) -> bool:
    """Return whether an origin matches a pattern such as ``https://*.example.org``."""
    trusted_scheme, _separator, pattern = trusted.partition("://")
    is_pattern = pattern.startswith("*.")
    return is_pattern and scheme == trusted_scheme and is_same_domain(host, pattern[1:])

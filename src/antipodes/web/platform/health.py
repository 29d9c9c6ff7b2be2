"""What machines ask: whether a process lives, whether it can serve, and what it measures."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import add_never_cache_headers

from antipodes.web.platform import clock, heartbeats, metrics, schema_version, write_probe
from antipodes.web.platform.models import Kind

_FORWARDING = ("X-Forwarded-For", "Forwarded", "X-Real-IP")


def healthz(_request: HttpRequest) -> HttpResponse:
    """Say that the process answers; nothing else is looked at."""
    return _fresh(HttpResponse("ok\n", content_type="text/plain; charset=utf-8"))


def readyz(request: HttpRequest) -> HttpResponse:
    """Say whether people can be served: database, writes, Redis, and the tables that are expected.

    That no engine runs does not count: people can play each other all the same.
    """
    found = {name: _looked_at(look) for name, look in _LOOKS.items()}
    is_ready = all(reason is None for reason in found.values())
    told: dict[str, Any] = {"ready": is_ready}
    if may_see(request):
        told |= {name: reason or "ok" for name, reason in found.items()}
        told["clock"] = clock.advice() or "ok"
        if is_ready:
            told["engines"] = heartbeats.running(Kind.ENGINE)
            told["web"] = heartbeats.running(Kind.WEB)
    return _fresh(JsonResponse(told, status=200 if is_ready else 503))


def measures(request: HttpRequest) -> HttpResponse:
    """Return what is measured, to the machine itself or to whoever has the token."""
    if not may_see(request):
        message = "metrics are for this machine, or for whoever sends METRICS_TOKEN\n"
        return _fresh(HttpResponse(message, status=403, content_type="text/plain; charset=utf-8"))
    form = "text/plain; version=0.0.4; charset=utf-8"
    return _fresh(HttpResponse(metrics.exposition(), content_type=form))


PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": measures,
}


def may_see(request: HttpRequest) -> bool:
    """Return whether a request may learn how the site is run.

    It has the token, or comes from this machine and was not passed on by a server before this one.
    """
    token: str = settings.METRICS_TOKEN
    given = request.headers.get("Authorization", "").removeprefix("Bearer ")
    if token and hmac.compare_digest(token.encode(), given.encode()):
        return True
    if any(name in request.headers for name in _FORWARDING):
        return False
    try:
        return ipaddress.ip_address(str(request.META.get("REMOTE_ADDR"))).is_loopback
    except ValueError:
        return False


def _fresh(response: HttpResponse) -> HttpResponse:
    add_never_cache_headers(response)
    return response


def _looked_at(look: Callable[[], str | None]) -> str | None:
    """Return what is wrong, in a few words; nothing of addresses or passwords."""
    try:
        return look()
    except Exception as error:  # noqa: BLE001 - whatever it is, the site is not ready
        return f"fails: {type(error).__name__}"


def _database() -> str | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return None


def _redis() -> str | None:
    if settings.REDIS_URL:
        cache.get("readyz")
    return None


def _migrations() -> str | None:
    missing = schema_version.missing()
    return f"not applied: {', '.join(missing)}" if missing else None


_LOOKS: dict[str, Callable[[], str | None]] = {
    "database": _database,
    "writing": write_probe.what_fails,
    "redis": _redis,
    "migrations": _migrations,
}

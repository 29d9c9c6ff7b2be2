"""Health and metrics endpoints: ``/healthz``, ``/readyz`` and ``/metrics``."""

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

import antipodes
from antipodes.web.platform import clock, heartbeats, metrics, schema_version, write_probe
from antipodes.web.platform.models import ProcessKind

_FORWARDING = ("X-Forwarded-For", "Forwarded", "X-Real-IP")


def healthz(_request: HttpRequest) -> HttpResponse:
    """Respond as long as the process runs; check nothing else."""
    return _uncached(HttpResponse("ok\n", content_type="text/plain; charset=utf-8"))


def readyz(request: HttpRequest) -> HttpResponse:
    """Respond whether the site is ready: database, writes, migrations and Redis.

    The site is ready without engines, since people can still play each other.
    """
    failures = {name: _result_of(check) for name, check in _CHECKS.items()}
    is_ready = all(reason is None for reason in failures.values())
    result: dict[str, Any] = {"ready": is_ready}
    if may_see(request):
        result |= {name: reason or "ok" for name, reason in failures.items()}
        result["version"] = antipodes.__version__
        result["clock"] = clock.notice() or "ok"
        if is_ready:
            result["engines"] = heartbeats.running(ProcessKind.ENGINE)
            result["web"] = heartbeats.running(ProcessKind.WEB)
            result["metrics"] = metrics.summary()
    return _uncached(JsonResponse(result, status=200 if is_ready else 503))


def metrics_view(request: HttpRequest) -> HttpResponse:
    """Return metrics for Prometheus; only to this machine, or with the token."""
    if not may_see(request):
        message = "metrics are for this machine, or for requests with METRICS_TOKEN\n"
        kind = "text/plain; charset=utf-8"
        return _uncached(HttpResponse(message, status=403, content_type=kind))
    kind = "text/plain; version=0.0.4; charset=utf-8"
    return _uncached(HttpResponse(metrics.exposition(), content_type=kind))


PROBES: dict[str, Callable[[HttpRequest], HttpResponse]] = {
    "/healthz": healthz,
    "/readyz": readyz,
    "/metrics": metrics_view,
}


def may_see(request: HttpRequest) -> bool:
    """Return whether a request may see metrics and details of the site.

    It has the token, or comes from this machine without a proxy.
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


def _uncached(response: HttpResponse) -> HttpResponse:
    add_never_cache_headers(response)
    return response


def _result_of(check: Callable[[], str | None]) -> str | None:
    """Return the reason of a failed check, without addresses or passwords."""
    try:
        return check()
    except Exception as error:  # noqa: BLE001 - any error means that the site is not ready
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


_CHECKS: dict[str, Callable[[], str | None]] = {
    "database": _database,
    "writing": write_probe.failure,
    "redis": _redis,
    "migrations": _migrations,
}

"""URLs of health endpoints; `request_middleware` answers them before other middleware."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from antipodes.web.platform import health

urlpatterns: list[URLPattern | URLResolver] = [
    path(address.removeprefix("/"), probe, name=address.removeprefix("/"))
    for address, probe in health.PROBES.items()
]

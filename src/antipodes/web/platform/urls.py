"""URLs of oEmbed, and of health probes, which `request_middleware` answers before others."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from antipodes.web.platform import health, previews

urlpatterns: list[URLPattern | URLResolver] = [
    path(address.removeprefix("/"), probe, name=address.removeprefix("/"))
    for address, probe in health.PROBES.items()
]
urlpatterns.append(path("oembed", previews.oembed, name="oembed"))

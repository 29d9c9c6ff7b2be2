"""URLs of the API and its reference."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.csrf import csrf_exempt

from antipodes.web.api import api, reference

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", reference.page, name="api-reference"),
    path("api/openapi.json", reference.openapi, name="openapi"),
    path("api/sockets.json", reference.sockets, name="socket-schemas"),
    path("api/v1/", include((api.addresses(), "api"))),
    # Programs do not read pages; no cookie stands for them, so there is nothing to forge.
    path("api/<path:rest>", csrf_exempt(api.nothing_here)),
]

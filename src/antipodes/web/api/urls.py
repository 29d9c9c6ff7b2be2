"""URLs of the API and its reference."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.csrf import csrf_exempt

from antipodes.web.api import api, reference

urlpatterns: list[URLPattern | URLResolver] = [
    path("api/", reference.page, name="api-reference"),
    path("api/openapi.json", reference.openapi, name="openapi"),
    path("api/sockets.json", reference.sockets, name="socket-schemas"),
    path("api/v1/", include((api.url_patterns(), "api"))),
    # The API ignores cookies, so there is no request to forge.
    path("api/<path:rest>", csrf_exempt(api.no_such_operation)),
]

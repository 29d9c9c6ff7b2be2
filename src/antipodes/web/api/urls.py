"""The addresses of the interface for programs, and of the pages on which tokens are made."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.csrf import csrf_exempt

from antipodes.web.api import interface, pages, reference

urlpatterns: list[URLPattern | URLResolver] = [
    path("accounts/tokens/", pages.token_list, name="tokens"),
    path("accounts/tokens/new/", pages.new_token, name="new-token"),
    path("accounts/tokens/<int:key>/revoke", pages.revoke_token, name="revoke-token"),
    path("accounts/bot/", pages.bot_account, name="bot-account"),
    path("api/", reference.page, name="api-reference"),
    path("api/openapi.json", reference.openapi, name="openapi"),
    path("api/sockets.json", reference.sockets, name="socket-schemas"),
    path("api/v1/", include((interface.addresses(), "api"))),
    # Programs do not read pages; no cookie stands for them, so there is nothing to forge.
    path("api/<path:rest>", csrf_exempt(interface.nothing_here)),
]

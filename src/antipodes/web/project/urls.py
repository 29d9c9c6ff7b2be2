"""URLs of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from antipodes.web.platform import static_files

handler400 = "antipodes.web.platform.error_views.bad_request"
handler500 = "antipodes.web.platform.error_views.server_error"

_APPS = (
    "lobby",
    "challenges",
    "matchmaking",
    "puzzles",
    "offline",
    "rules",
    "courses",
    "matches",
    "analysis",
    "studies",
    "tournaments",
    "simuls",
    "profiles",
    "ratings",
    "archive",
    "moderation",
    "club_pages",
    "notifications",
    "email_play",
    "api",
    "site_pages",
    "platform",
    "accounts",
)

urlpatterns = [
    *(path("", include(f"antipodes.web.{app}.urls")) for app in _APPS),
    path("docs/", static_files.not_built, name="docs"),
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
]

"""The addresses of people's pages and of ratings."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from antipodes.web.people import profile

urlpatterns: list[URLPattern | URLResolver] = [
    path("people/<str:name>/", profile.profile, name="profile"),
]

"""URLs of the pages about the site itself."""

from __future__ import annotations

from django.urls import path

from antipodes.web.site_pages import views

urlpatterns = [
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path("qr.svg", views.qr_code, name="qr"),
    path("playing-without-sight/", views.without_sight, name="without-sight"),
    path("styleguide/", views.styleguide, name="styleguide"),
]

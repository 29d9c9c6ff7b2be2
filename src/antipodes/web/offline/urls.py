"""URLs of the service worker, of the page without a network, and of its games."""

from __future__ import annotations

from django.urls import path

from antipodes.web.offline import views

urlpatterns = [
    path("service_worker.js", views.service_worker, name="service-worker"),
    path("offline/", views.offline, name="offline"),
    path("offline/kept.json", views.kept_data, name="offline-kept"),
    path("offline/games", views.bring_game, name="offline-games"),
]

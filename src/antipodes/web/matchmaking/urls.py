"""URLs of seeks."""

from __future__ import annotations

from django.urls import path

from antipodes.web.matchmaking import views

urlpatterns = [
    path("pair/", views.new_seek, name="new-seek"),
    path("pair/<str:slug>/", views.seek, name="seek"),
    path("pair/<str:slug>/now", views.seek_now, name="seek-now"),
    path("pair/<str:slug>/play", views.accept_seek, name="accept-seek"),
    path("pair/<str:slug>/stop", views.cancel_seek, name="cancel-seek"),
    path("pair/<str:slug>/computer", views.play_computer, name="seek-computer"),
]

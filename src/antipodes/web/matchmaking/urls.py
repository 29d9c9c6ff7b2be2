"""URLs of seeks: looking for an opponent."""

from __future__ import annotations

from django.urls import path

from antipodes.web.matchmaking import views

urlpatterns = [
    path("pair/", views.pair, name="pair"),
    path("pair/<str:slug>/", views.search, name="search"),
    path("pair/<str:slug>/now", views.search_now, name="search-now"),
    path("pair/<str:slug>/stop", views.stop, name="search-stop"),
    path("pair/<str:slug>/computer", views.play_computer, name="search-computer"),
]

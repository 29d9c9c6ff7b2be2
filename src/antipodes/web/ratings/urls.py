"""URLs of leaderboards and of the ratings at a match."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from antipodes.web.ratings import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("ratings/", views.leaderboards, name="leaderboards"),
    path("ratings/<str:game_id>/", views.leaderboard, name="leaderboard"),
    path("m/<str:slug>/ratings.json", views.match_ratings, name="match-ratings"),
]

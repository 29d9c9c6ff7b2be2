"""The addresses of people's pages and of ratings."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from antipodes.web.people import profile
from antipodes.web.ratings import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("people/<str:name>/", profile.profile, name="profile"),
    path("accounts/profile/", profile.edit, name="edit-profile"),
    path("ratings/", views.leaderboards, name="leaderboards"),
    path("ratings/<str:game_id>/", views.leaderboard, name="leaderboard"),
    path("m/<str:slug>/ratings.json", views.match_ratings, name="match-ratings"),
]

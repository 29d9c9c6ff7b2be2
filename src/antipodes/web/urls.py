"""The addresses of the site."""

from __future__ import annotations

from django.urls import include, path

from antipodes.web.matches import views

urlpatterns = [
    path("", views.home, name="home"),
    path("play/<str:game_id>/", views.play_computer, name="play-computer"),
    path("m/<str:slug>/", views.match_page, name="match"),
    path("m/<str:slug>/board.json", views.board_data, name="board-data"),
    path("m/<str:slug>/match.json", views.match_data, name="match-data"),
    path("accounts/", include("allauth.urls")),
]

"""The addresses of the site."""

from __future__ import annotations

from django.urls import include, path

from antipodes.web.lobby import views as lobby
from antipodes.web.matches import views

urlpatterns = [
    path("", lobby.home, name="home"),
    path("play/<str:game_id>/", lobby.play_now, name="play-now"),
    path("new/<str:game_id>/", lobby.new_game, name="new-game"),
    path("c/<str:slug>/", lobby.challenge, name="challenge"),
    path("c/<str:slug>/join", lobby.join, name="join"),
    path("m/<str:slug>/", views.match_page, name="match"),
    path("m/<str:slug>/board.json", views.board_data, name="board-data"),
    path("m/<str:slug>/match.json", views.match_data, name="match-data"),
    path("m/<str:slug>/notes", views.notes, name="notes"),
    path("", include("antipodes.web.study.urls")),
    path("accounts/", include("allauth.urls")),
]

"""The addresses of the lobby: challenges, and searches for an opponent."""

from __future__ import annotations

from django.urls import path

from antipodes.web.lobby import challenges, limit_pages, pairs, views

urlpatterns = [
    path("", views.home, name="home"),
    path("play/<str:game_id>/", views.play_now, name="play-now"),
    path("lobby/", views.lobby, name="lobby"),
    path("lobby/now/", views.lobby_now, name="lobby-now"),
    path("theme", views.choose_theme, name="theme"),
    path("robots.txt", views.robots),
    path("favicon.ico", views.icon),
    path("new/<str:game_id>/", challenges.new_game, name="new-game"),
    path("c/<str:slug>/", challenges.challenge, name="challenge"),
    path("c/<str:slug>/now", challenges.challenge_now, name="challenge-now"),
    path("c/<str:slug>/qr.svg", challenges.qr_code, name="challenge-qr"),
    path("c/<str:slug>/join", challenges.join, name="join"),
    path("c/<str:slug>/leave", challenges.leave, name="leave"),
    path("c/<str:slug>/cancel", challenges.cancel, name="cancel"),
    path("c/<str:slug>/decline", challenges.decline, name="decline"),
    path("c/<str:slug>/fill", challenges.fill, name="fill"),
    path("pair/", pairs.pair, name="pair"),
    path("pair/<str:slug>/", pairs.search, name="search"),
    path("pair/<str:slug>/now", pairs.search_now, name="search-now"),
    path("pair/<str:slug>/stop", pairs.stop, name="search-stop"),
    path("pair/<str:slug>/computer", pairs.play_computer, name="search-computer"),
    path("accounts/limits/", limit_pages.game_limits, name="game-limits"),
    path("m/<str:slug>/small.svg", views.small_picture, name="small-picture"),
]

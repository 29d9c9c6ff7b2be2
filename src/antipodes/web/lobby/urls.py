"""URLs of the home page and the lobby."""

from __future__ import annotations

from django.urls import path

from antipodes.web.lobby import tv_views, views

urlpatterns = [
    path("", views.home, name="home"),
    path("play/<str:game_id>/", views.play_now, name="play-now"),
    path("lobby/", views.lobby, name="lobby"),
    path("lobby/now/", views.lobby_now, name="lobby-now"),
    path("tv/", tv_views.tv, name="tv"),
    path("tv/now", tv_views.tv_now, name="tv-now"),
    path("tv/computer", tv_views.tv_computer, name="tv-computer"),
    path("tv/<str:game_id>/", tv_views.tv, name="tv-game"),
    path("theme", views.choose_theme, name="theme"),
    path("robots.txt", views.robots),
    path("favicon.ico", views.icon),
    path("m/<str:slug>/small.svg", views.small_picture, name="small-picture"),
]

"""URLs of challenges."""

from __future__ import annotations

from django.urls import path

from antipodes.web.challenges import views

urlpatterns = [
    path("new/<str:game_id>/", views.new_game, name="new-game"),
    path("practice/", views.practice, name="practice"),
    path("practice/board.svg", views.practice_picture, name="practice-picture"),
    path("c/<str:slug>/", views.challenge, name="challenge"),
    path("c/<str:slug>/now", views.challenge_now, name="challenge-now"),
    path("c/<str:slug>/join", views.join, name="join"),
    path("c/<str:slug>/leave", views.leave, name="leave"),
    path("c/<str:slug>/cancel", views.cancel, name="cancel"),
    path("c/<str:slug>/decline", views.decline, name="decline"),
    path("c/<str:slug>/fill", views.fill, name="fill"),
    path("accounts/limits/", views.game_limits, name="game-limits"),
]

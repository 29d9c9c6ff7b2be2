"""URLs of the rules pages."""

from __future__ import annotations

from django.urls import path

from antipodes.web.rules import views

urlpatterns = [
    path("rules/", views.index, name="rules"),
    path("rules/<str:game_id>/", views.game_rules, name="game-rules"),
    path("rules/<str:game_id>.svg", views.game_picture, name="game-picture"),
    path("rules/<str:game_id>/<int:number>.svg", views.game_picture, name="example-picture"),
    path("rules/<str:game_id>/figures/<str:letter>-<int:number>.svg", views.figure, name="figure"),
]

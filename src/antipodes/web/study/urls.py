"""The addresses of positions and of what is thought of them."""

from __future__ import annotations

from django.urls import path

from antipodes.web.study import views

urlpatterns = [
    path("boards.json", views.board, name="boards"),
    path("positions.json", views.position, name="positions"),
    path("analysis/<str:game_id>/", views.analysis, name="analysis"),
]

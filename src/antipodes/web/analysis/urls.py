"""URLs of positions, analyses, hints and reviews."""

from __future__ import annotations

from django.urls import path

from antipodes.web.analysis import views

urlpatterns = [
    path("boards.json", views.board, name="boards"),
    path("positions.json", views.position, name="positions"),
    path("analysis/<str:game_id>/", views.analysis_page, name="analysis"),
    path("analyses", views.ask_analysis, name="ask-analysis"),
    path("analyses/<str:slug>", views.analysis, name="asked-analysis"),
    path("m/<str:slug>/hint", views.hint, name="hint"),
    path("m/<str:slug>/review.json", views.review, name="review"),
]

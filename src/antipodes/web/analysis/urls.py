"""URLs of positions, the editor, analyses, hints and reviews."""

from __future__ import annotations

from django.urls import path

from antipodes.web.analysis import editor_views, import_views, views

urlpatterns = [
    path("boards.json", views.board, name="boards"),
    path("engine.kit", views.engine_kit, name="engine-kit"),
    path("engine.json", views.page_engine, name="page-engine"),
    path("positions.json", views.position, name="positions"),
    path("analysis/<str:game_id>/", views.analysis_page, name="analysis"),
    path("editor/<str:game_id>/", editor_views.editor_page, name="editor"),
    path(
        "editor/<str:game_id>/position.json", editor_views.edited_position, name="edited-position"
    ),
    path("import/", import_views.import_page, name="import"),
    path("analyses", views.ask_analysis, name="ask-analysis"),
    path("analyses/<str:slug>", views.analysis, name="asked-analysis"),
    path("m/<str:slug>/hint", views.hint, name="hint"),
    path("m/<str:slug>/engine.json", views.match_engine, name="match-engine"),
    path("m/<str:slug>/review.json", views.review, name="review"),
]

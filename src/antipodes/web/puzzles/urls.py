"""URLs of puzzles."""

from __future__ import annotations

from django.urls import path

from antipodes.web.puzzles import feeds, mistake_views, open_data, pictures, views

urlpatterns = [
    path("puzzles/", views.index, name="puzzles"),
    path("puzzles/next", views.next_puzzle, name="next-puzzle"),
    path("puzzles/daily/", views.daily_puzzle, name="daily-puzzle"),
    path("puzzles/daily/atom.xml", feeds.atom, name="puzzle-atom"),
    path("puzzles/daily/rss.xml", feeds.rss, name="puzzle-rss"),
    path("data/puzzles.jsonl.gz", open_data.puzzle_data, name="puzzle-data"),
    path("puzzles/history/", views.history, name="puzzle-history"),
    path("puzzles/mistakes/", mistake_views.index, name="mistakes"),
    path("puzzles/mistakes/<int:key>/", mistake_views.mistake, name="mistake"),
    path(
        "puzzles/mistakes/<int:key>/position.json", mistake_views.position, name="mistake-position"
    ),
    path("puzzles/mistakes/<int:key>/board.svg", mistake_views.picture, name="mistake-picture"),
    path("puzzles/mistakes/<int:key>/judgement", mistake_views.judgement, name="mistake-judgement"),
    path("puzzles/mistakes/<int:key>/answer", mistake_views.answer, name="mistake-answer"),
    path("puzzles/mistakes/<int:key>/hint", mistake_views.hint, name="mistake-hint"),
    path("puzzles/mistakes/<int:key>/solution", mistake_views.solution, name="mistake-solution"),
    path("puzzles/mistakes/<int:key>/result", mistake_views.result, name="mistake-result"),
    path("puzzles/theme/<str:name>/", views.theme, name="puzzle-theme"),
    path("puzzles/<str:puzzle_id>/", views.puzzle_page, name="puzzle"),
    path("puzzles/<str:puzzle_id>/embed/", views.embed, name="puzzle-embed"),
    path("puzzles/<str:puzzle_id>/board.svg", pictures.picture_svg, name="puzzle-picture-svg"),
    path("puzzles/<str:puzzle_id>/board.png", pictures.picture_png, name="puzzle-picture-png"),
    path("puzzles/<str:puzzle_id>/position.json", views.position, name="puzzle-position"),
    path("puzzles/<str:puzzle_id>/judgement", views.judgement, name="puzzle-judgement"),
    path("puzzles/<str:puzzle_id>/answer", views.answer, name="puzzle-answer"),
    path("puzzles/<str:puzzle_id>/hint", views.hint, name="puzzle-hint"),
    path("puzzles/<str:puzzle_id>/solution", views.solution, name="puzzle-solution"),
    path("puzzles/<str:puzzle_id>/result", views.result, name="puzzle-result"),
    path("puzzles/<str:puzzle_id>/vote", views.vote, name="puzzle-vote"),
    path("puzzles/<str:puzzle_id>/report", views.report, name="puzzle-report"),
]

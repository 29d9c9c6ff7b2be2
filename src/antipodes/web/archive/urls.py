"""URLs of finished games, the opening explorer, statistics and open data."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from antipodes.web.archive import explorer_views, knowledge_views, views
from antipodes.web.archive import open_data_views as open_data
from antipodes.web.archive import statistics_views as statistics

urlpatterns: list[URLPattern | URLResolver] = [
    path("knowledge/", knowledge_views.knowledge, name="knowledge"),
    path("games/", views.games, name="games"),
    path("games/found.jsonl", views.found_games, name="found-games"),
    path("explorer.json", explorer_views.explorer, name="explorer"),
    path("statistics/", statistics.overview, name="statistics"),
    path("statistics/<str:game_id>/", statistics.of_game, name="game-statistics"),
    path(
        "statistics/<str:game_id>/first-moves.svg",
        statistics.first_moves_map,
        name="first-moves-map",
    ),
    path("statistics/<str:game_id>/statistics.json", statistics.as_json, name="statistics-json"),
    path("statistics/<str:game_id>/<str:table>.csv", statistics.as_csv, name="statistics-csv"),
    path("data/", open_data.overview, name="open-data"),
    path("data/manifest.json", open_data.manifest, name="open-data-manifest"),
    path("data/SHA256SUMS", open_data.checksums, name="open-data-checksums"),
    path("data/antipodes-<str:month>.jsonl.gz", open_data.month_file, name="open-data-file"),
]

"""URLs of matches: pages, data, records and images."""

from __future__ import annotations

from django.urls import path

from antipodes.web.matches import downloads, embeds, views

urlpatterns = [
    path("next-game/", views.next_match, name="next-match"),
    path("m/<str:slug>/", views.match_page, name="match"),
    path("m/<str:slug>/embed/", embeds.embed, name="match-embed"),
    path("m/<str:slug>/board.json", views.board_data, name="board-data"),
    path("m/<str:slug>/match.json", views.match_data, name="match-data"),
    path("m/<str:slug>/notes", views.notes, name="notes"),
    path("m/<str:slug>/record.json", downloads.record, {"kind": "json"}, name="record-json"),
    path("m/<str:slug>/record.sgf", downloads.record, {"kind": "sgf"}, name="record-sgf"),
    path("m/<str:slug>/hexworld", downloads.hexworld, name="record-hexworld"),
    path("m/<str:slug>/board.svg", downloads.picture_svg, name="picture-svg"),
    path("m/<str:slug>/board.png", downloads.picture_png, name="picture-png"),
]

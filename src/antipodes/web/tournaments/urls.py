"""URLs of tournaments."""

from __future__ import annotations

from django.urls import path

from antipodes.web.tournaments import exports, feeds, views

urlpatterns = [
    path("tournaments/", views.index, name="tournaments"),
    path("tournaments/new/", views.create, name="new-tournament"),
    path("tournaments/calendar.ics", exports.calendar, name="tournaments-calendar"),
    path("tournaments/atom.xml", feeds.atom, name="tournaments-atom"),
    path("tournaments/rss.xml", feeds.rss, name="tournaments-rss"),
    path("tournaments/hosted/", views.hosted, name="hosted-tournaments"),
    path("tournament/<str:slug>/", views.tournament, name="tournament"),
    path("tournament/<str:slug>/season/", views.season, name="tournament-season"),
    path("tournament/<str:slug>/embed/", views.embed, name="tournament-embed"),
    path("tournament/<str:slug>/now", views.live, name="tournament-now"),
    path("tournament/<str:slug>/games/", views.boards, name="tournament-boards"),
    path("tournament/<str:slug>/games/now", views.boards_now, name="tournament-boards-now"),
    path("tournament/<str:slug>/games/<str:match>/now", views.match_now, name="tournament-match"),
    path("tournament/<str:slug>/log/", views.log, name="tournament-log"),
    path("tournament/<str:slug>/do/<str:action>", views.act, name="tournament-do"),
    path("tournament/<str:slug>/tournament.trf", exports.report, name="tournament-trf"),
    path("tournament/<str:slug>/tournament.csv", exports.table_csv, name="tournament-csv"),
    path("tournament/<str:slug>/tournament.json", exports.tournament_json, name="tournament-json"),
    path("tournament/<str:slug>/games.sgf", exports.games_sgf, name="tournament-sgf"),
    path("tournament/<str:slug>/games.jsonl", exports.games_jsonl, name="tournament-jsonl"),
    path(
        "tournament/<str:slug>/tournament.ics",
        exports.tournament_calendar,
        name="tournament-calendar",
    ),
]

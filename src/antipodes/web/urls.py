"""The addresses of the site."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

from antipodes.web import documentation
from antipodes.web.matches import downloads, views
from antipodes.web.people import views as people
from antipodes.web.rules import views as rules

handler400 = "antipodes.web.ops.views.bad_request"
handler500 = "antipodes.web.ops.views.trouble"

urlpatterns = [
    path("", include("antipodes.web.lobby.urls")),
    path("rules/", rules.index, name="rules"),
    path("rules/<str:game_id>/", rules.game_rules, name="game-rules"),
    path("rules/<str:game_id>.svg", rules.game_picture, name="game-picture"),
    path("rules/<str:game_id>/<int:number>.svg", rules.game_picture, name="example-picture"),
    path("docs/", documentation.not_built, name="docs"),
    path("rules/<str:game_id>/figures/<str:letter>-<int:number>.svg", rules.figure, name="figure"),
    path("m/<str:slug>/", views.match_page, name="match"),
    path("m/<str:slug>/board.json", views.board_data, name="board-data"),
    path("m/<str:slug>/match.json", views.match_data, name="match-data"),
    path("m/<str:slug>/notes", views.notes, name="notes"),
    path("m/<str:slug>/record.json", downloads.record, {"kind": "json"}, name="record-json"),
    path("m/<str:slug>/record.sgf", downloads.record, {"kind": "sgf"}, name="record-sgf"),
    path("m/<str:slug>/board.svg", downloads.picture_svg, name="picture-svg"),
    path("m/<str:slug>/board.png", downloads.picture_png, name="picture-png"),
    path("", include("antipodes.web.study.urls")),
    path("", include("antipodes.web.ratings.urls")),
    path("", include("antipodes.web.archive.urls")),
    path("", include("antipodes.web.community.urls")),
    path("", include("antipodes.web.clubs.urls")),
    path("", include("antipodes.web.notices.urls")),
    path("", include("antipodes.web.mailroom.urls")),
    path("", include("antipodes.web.api.urls")),
    path("", include("antipodes.web.ops.urls")),
    path("", include("antipodes.web.languages.urls")),
    path("admin/", admin.site.urls),
    path("accounts/", people.account, name="account"),
    path("accounts/data.json", people.own_data, name="own-data"),
    path("accounts/farewell/", people.farewell, name="farewell"),
    path("privacy/", people.privacy, name="privacy"),
    path("accounts/", include("allauth.urls")),
]

"""URLs of studies."""

from __future__ import annotations

from django.urls import path

from antipodes.web.studies import embeds, exports, views

urlpatterns = [
    path("studies/", views.index, name="studies"),
    path("studies/new/", views.new_study, name="new-study"),
    path("study/<str:slug>/", views.study, name="study"),
    path("study/<str:slug>/new/", views.new_chapter, name="new-chapter"),
    path("study/<str:slug>/settings/", views.settings, name="study-settings"),
    path("study/<str:slug>/do/<str:action>", views.act, name="study-do"),
    path("study/<str:slug>/print/", exports.printed, name="study-print"),
    path("study/<str:slug>/study.sgf", exports.study_file, name="study-sgf"),
    path("study/<str:slug>/<int:number>/", views.chapter, name="study-chapter"),
    path("study/<str:slug>/<int:number>/embed/", embeds.embed, name="study-embed"),
    path("study/<str:slug>/<int:number>/board.png", embeds.picture, name="study-picture"),
    path("study/<str:slug>/<int:number>/tree.json", exports.chapter_tree, name="study-tree"),
    path(
        "study/<str:slug>/<int:number>/chapter.json",
        exports.chapter_file,
        {"kind": "json"},
        name="study-chapter-json",
    ),
    path(
        "study/<str:slug>/<int:number>/chapter.sgf",
        exports.chapter_file,
        {"kind": "sgf"},
        name="study-chapter-sgf",
    ),
]

"""URLs of clubs."""

from __future__ import annotations

from django.urls import path

from antipodes.web.club_pages import views

urlpatterns = [
    path("clubs/", views.index, name="clubs"),
    path("clubs/new/", views.create, name="club-new"),
    path("clubs/join/<str:token>/", views.by_link, name="club-link"),
    path("clubs/<slug:slug>/", views.club, name="club"),
    path("clubs/<slug:slug>/change/", views.edit, name="club-change"),
    path("clubs/<slug:slug>/people/", views.people, name="club-people"),
    path("clubs/<slug:slug>/leaderboard/", views.leaderboard, name="club-leaderboard"),
    path("clubs/<slug:slug>/challenge/", views.challenge_members, name="club-challenge"),
    path("clubs/<slug:slug>/do/<slug:action>", views.act, name="club-do"),
]

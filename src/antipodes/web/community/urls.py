"""The addresses of community."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from antipodes.web.community import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("following/", views.following, name="following"),
    path("blocked/", views.blocked, name="blocked"),
    path("accounts/moderation/", views.measures, name="measures"),
    *(path(f"people/<str:name>/{act}", views.act_on, {"act": act}, name=act) for act in views.ACTS),
    path("people/<str:name>/report/", views.report_person, name="report-person"),
    path("m/<str:slug>/follow", views.follow_match, name="follow-match"),
    path("m/<str:slug>/unfollow", views.unfollow_match, name="unfollow-match"),
    path("m/<str:slug>/report/", views.report_match, name="report-match"),
    path("chat/<int:key>/report/", views.report_line, name="report-line"),
]

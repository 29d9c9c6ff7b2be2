"""URLs of reports and sanctions."""

from __future__ import annotations

from django.urls import path

from antipodes.web.moderation import views

urlpatterns = [
    path("accounts/moderation/", views.sanctions, name="sanctions"),
    path("people/<str:name>/report/", views.report_person, name="report-person"),
    path("m/<str:slug>/report/", views.report_match, name="report-match"),
    path("study/<str:slug>/<int:number>/report/", views.report_study, name="report-study"),
    path("chat/<int:key>/report/", views.report_line, name="report-line"),
    path("chat/<int:key>/delete/", views.delete_line, name="delete-line"),
]

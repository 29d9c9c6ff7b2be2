"""The addresses of notices."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from antipodes.web.notifications import preference_views, push_views, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("notices/", views.notices, name="notices"),
    path("notices/see", views.see, name="notices-see"),
    path("notices/<int:key>/", views.go, name="notice"),
    path("notices/stop/<str:token>/", preference_views.unsubscribe, name="unsubscribe"),
    path("notices/browser", preference_views.browser, name="notices-browser"),
    path("notices/push", push_views.begin, name="push-begin"),
    path("notices/push/end", push_views.end, name="push-end"),
    path("accounts/notices/", preference_views.choices, name="notice-choices"),
    path("accounts/notices/mail-again", preference_views.mail_again, name="mail-again"),
    path("accounts/away/", preference_views.away, name="away"),
]

"""The addresses of notices."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from antipodes.web.notices import choosing, push_views, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("notices/", views.notices, name="notices"),
    path("notices/see", views.see, name="notices-see"),
    path("notices/<int:key>/", views.go, name="notice"),
    path("notices/stop/<str:token>/", choosing.unsubscribe, name="unsubscribe"),
    path("notices/browser", choosing.browser, name="notices-browser"),
    path("notices/push", push_views.begin, name="push-begin"),
    path("notices/push/end", push_views.end, name="push-end"),
    path("accounts/notices/", choosing.choices, name="notice-choices"),
    path("accounts/notices/mail-again", choosing.mail_again, name="mail-again"),
    path("accounts/away/", choosing.away, name="away"),
]

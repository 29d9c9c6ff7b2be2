"""URLs of notifications."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from antipodes.web.notifications import preference_views, push_views, views

urlpatterns: list[URLPattern | URLResolver] = [
    path("notices/", views.notifications_page, name="notices"),
    path("notices/see", views.mark_seen, name="notices-see"),
    path("notices/<int:key>/", views.open_notification, name="notice"),
    path("notices/stop/<str:token>/", preference_views.unsubscribe, name="unsubscribe"),
    path("notices/browser", preference_views.browser_zone, name="notices-browser"),
    path("notices/push", push_views.subscribe_browser, name="push-begin"),
    path("notices/push/end", push_views.unsubscribe_browser, name="push-end"),
    path("accounts/notices/", preference_views.preferences_page, name="notice-choices"),
    path("accounts/notices/mail-again", preference_views.resume_mail, name="mail-again"),
    path("accounts/away/", preference_views.vacation_page, name="away"),
]

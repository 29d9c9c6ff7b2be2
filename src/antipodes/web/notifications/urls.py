"""URLs of notifications."""

from __future__ import annotations

from django.urls import URLPattern, URLResolver, path

from antipodes.web.notifications import views

urlpatterns: list[URLPattern | URLResolver] = [
    path("notices/", views.notifications_page, name="notifications"),
    path("notices/see", views.mark_seen, name="notifications-seen"),
    path("notices/<int:key>/", views.open_notification, name="notification"),
    path("notices/stop/<str:token>/", views.unsubscribe, name="unsubscribe"),
    path("notices/browser", views.browser_zone, name="browser-zone"),
    path("notices/push", views.subscribe_browser, name="push-subscribe"),
    path("notices/push/end", views.unsubscribe_browser, name="push-unsubscribe"),
    path("accounts/notices/", views.preferences_page, name="notification-preferences"),
    path("accounts/notices/mail-again", views.resume_mail, name="resume-mail"),
    path("accounts/away/", views.vacation_page, name="vacation"),
]

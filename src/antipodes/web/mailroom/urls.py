"""Addresses of play by e-mail."""

from __future__ import annotations

from django.urls import URLPattern, path

from antipodes.web.mailroom.doors.webhooks import mail_webhook

urlpatterns: list[URLPattern] = [
    path("mail/webhooks/<slug:provider>/", mail_webhook, name="mail-webhook"),
]

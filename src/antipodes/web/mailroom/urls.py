"""Addresses of play by e-mail."""

from __future__ import annotations

from django.urls import URLPattern, path

from antipodes.web.mailroom.desk import pages
from antipodes.web.mailroom.doors.webhooks import mail_webhook

urlpatterns: list[URLPattern] = [
    path("accounts/mail/", pages.by_mail, name="by-mail"),
    path("accounts/mail/token/", pages.new_token, name="new-mail-token"),
    path("accounts/mail/token/<int:key>/revoke", pages.revoke_token, name="revoke-mail-token"),
    path("accounts/mail/addresses/revoke", pages.revoke_addresses, name="revoke-mail-addresses"),
    path("mail/webhooks/<slug:provider>/", mail_webhook, name="mail-webhook"),
]

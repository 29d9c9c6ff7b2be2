"""URLs of play by e-mail."""

from __future__ import annotations

from django.urls import URLPattern, path

from antipodes.web.email_play import views
from antipodes.web.email_play.inbound.webhooks import mail_webhook

urlpatterns: list[URLPattern] = [
    path("accounts/mail/", views.by_mail, name="by-mail"),
    path("accounts/mail/token/", views.new_token, name="new-mail-token"),
    path("accounts/mail/token/<int:key>/revoke", views.revoke_token, name="revoke-mail-token"),
    path("accounts/mail/addresses/revoke", views.revoke_addresses, name="revoke-mail-addresses"),
    path("mail/webhooks/<slug:provider>/", mail_webhook, name="mail-webhook"),
]

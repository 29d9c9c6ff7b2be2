"""URLs of accounts: settings, data, deletion, tokens, language; others are allauth's."""

from __future__ import annotations

from django.urls import path

from antipodes.web.accounts import api_token_views, views

urlpatterns = [
    path("accounts/", views.account, name="account"),
    path("accounts/data.json", views.data_export, name="data-export"),
    path("accounts/delete/", views.delete, name="delete-account"),
    path("privacy/", views.privacy, name="privacy"),
    path("accounts/tokens/", api_token_views.token_list, name="tokens"),
    path("accounts/tokens/new/", api_token_views.new_token, name="new-token"),
    path("accounts/tokens/<int:key>/revoke", api_token_views.revoke_token, name="revoke-token"),
    path("accounts/bot/", api_token_views.bot_account, name="bot-account"),
    path("language", views.choose_language, name="language"),
]

"""The accounts app: users, their profiles, tokens and languages."""

from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.accounts"
    label = "accounts"

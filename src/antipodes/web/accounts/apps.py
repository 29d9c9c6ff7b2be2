"""The accounts app: users, their profiles, tokens and languages."""

from __future__ import annotations

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.accounts"
    label = "accounts"

    def ready(self) -> None:
        """Store the language of a user who signs in."""
        from allauth.account.signals import user_logged_in

        from antipodes.web.accounts import languages

        user_logged_in.connect(languages.keep_on_sign_in, dispatch_uid=languages.__name__)

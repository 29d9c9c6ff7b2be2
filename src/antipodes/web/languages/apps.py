"""The app of languages."""

from __future__ import annotations

from django.apps import AppConfig


class LanguagesConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.languages"
    label = "languages"

    def ready(self) -> None:
        """Let whoever signs in read what they chose before."""
        from allauth.account.signals import user_logged_in

        from antipodes.web.languages import services

        user_logged_in.connect(services.take_along, dispatch_uid=services.take_along.__name__)

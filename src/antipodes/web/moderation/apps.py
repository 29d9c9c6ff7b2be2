"""Configuration of the moderation app."""

from __future__ import annotations

from django.apps import AppConfig


class ModerationConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.moderation"
    label = "moderation"

    def ready(self) -> None:
        """Register the checks of sanctions."""
        from antipodes.web.accounts import restrictions
        from antipodes.web.moderation import sanctions

        restrictions.play_checks.append(sanctions.refuse_game)
        restrictions.speech_checks.append(sanctions.refuse_speech)

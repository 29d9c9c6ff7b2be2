"""Configuration of the matchmaking app."""

from __future__ import annotations

from django.apps import AppConfig


class MatchmakingConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.matchmaking"
    label = "matchmaking"

    def ready(self) -> None:
        """Register the periodic tasks."""
        from antipodes.web.matchmaking import periodic_tasks  # noqa: F401

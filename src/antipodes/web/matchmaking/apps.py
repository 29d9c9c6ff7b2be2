"""Configuration of the matchmaking app."""

from __future__ import annotations

from django.apps import AppConfig


class MatchmakingConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.matchmaking"
    label = "matchmaking"

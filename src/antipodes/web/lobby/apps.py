"""Configuration of the lobby app."""

from __future__ import annotations

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.lobby"
    label = "lobby"

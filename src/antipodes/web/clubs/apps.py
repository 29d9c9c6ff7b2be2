"""Configuration of the clubs app."""

from __future__ import annotations

from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.clubs"
    label = "clubs"

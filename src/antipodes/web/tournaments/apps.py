"""Configuration of the tournaments app."""

from __future__ import annotations

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.tournaments"
    label = "tournaments"

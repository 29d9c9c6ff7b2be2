"""Configuration of the analysis app."""

from __future__ import annotations

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.analysis"
    label = "analysis"

    def ready(self) -> None:
        """Register job handlers and periodic tasks."""
        from antipodes.web.analysis import services  # noqa: F401

"""Configuration of the analysis app."""

from __future__ import annotations

from django.apps import AppConfig


class AnalysisConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.analysis"
    label = "analysis"

    def ready(self) -> None:
        """Register job handlers and periodic tasks, and start reviews when matches end."""
        from antipodes.web.analysis import services  # noqa: F401
        from antipodes.web.analysis.reviews import review_if_over
        from antipodes.web.matches.services import match_changed

        match_changed.connect(review_if_over, dispatch_uid=review_if_over.__qualname__)

"""Configuration of the challenges app."""

from __future__ import annotations

from django.apps import AppConfig


class ChallengesConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.challenges"
    label = "challenges"

    def ready(self) -> None:
        """Register the metrics."""
        from antipodes.web.challenges.metrics import open_challenges
        from antipodes.web.platform import metrics

        metrics.site_metrics.append(open_challenges)

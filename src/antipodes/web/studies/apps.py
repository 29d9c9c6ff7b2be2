"""Configuration of the studies app."""

from __future__ import annotations

from django.apps import AppConfig


class StudiesConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.studies"
    label = "studies"

    def ready(self) -> None:
        """Add the metrics of studies."""
        from antipodes.web.platform import metrics
        from antipodes.web.studies.metrics import stored_bytes

        metrics.site_metrics.append(stored_bytes)

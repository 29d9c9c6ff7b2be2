"""Configuration of the simuls app."""

from __future__ import annotations

from django.apps import AppConfig


class SimulsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.simuls"
    label = "simuls"

    def ready(self) -> None:
        """Register the boards that hosts oversee."""
        from antipodes.web.notifications import match_events
        from antipodes.web.simuls.selectors import overseen

        match_events.overseen_by.append(overseen)

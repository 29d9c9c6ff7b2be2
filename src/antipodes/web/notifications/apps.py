"""App configuration of notifications."""

from __future__ import annotations

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.notifications"
    label = "notifications"

    def ready(self) -> None:
        """Register checks."""
        from antipodes.web.notifications import vapid  # noqa: F401

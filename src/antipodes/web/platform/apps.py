"""App configuration of the platform."""

from __future__ import annotations

from django.apps import AppConfig


class PlatformConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.platform"
    label = "platform"

    def ready(self) -> None:
        """Register checks, metrics and periodic tasks."""
        from antipodes.web.platform import checks, heartbeats, metrics  # noqa: F401
        from antipodes.web.platform.periodic import every

        every(3_600)(heartbeats.delete_stale_processes)

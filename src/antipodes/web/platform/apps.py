"""App configuration of the platform."""

from __future__ import annotations

from django.apps import AppConfig


class PlatformConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.platform"
    label = "platform"

    def ready(self) -> None:
        """Register checks."""
        from antipodes.web.platform import checks  # noqa: F401

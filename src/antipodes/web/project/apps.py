"""App configuration of the project, which wires the other apps."""

from __future__ import annotations

from django.apps import AppConfig


class ProjectConfig(AppConfig):
    """Name of the app, which has no models."""

    name = "antipodes.web.project"

    def ready(self) -> None:
        """Wire the apps, whose models are loaded now."""
        from antipodes.web.project.wiring import wire

        wire()

"""The app of what a host looks at."""

from __future__ import annotations

from django.apps import AppConfig


class OpsConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.ops"
    label = "ops"

    def ready(self) -> None:
        """Check settings, count changes, and look after what killed processes left."""
        from antipodes.web.matches.services import match_changed
        from antipodes.web.ops import checks, life, metrics  # noqa: F401
        from antipodes.web.rounds import every

        match_changed.connect(metrics.note_change, dispatch_uid=metrics.__name__)
        every(3_600)(life.forget_the_dead)

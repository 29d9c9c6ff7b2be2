"""The app of notices."""

from __future__ import annotations

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.notices"
    label = "notices"

    def ready(self) -> None:
        """Register what is done again and again."""
        from antipodes.web.notices import (  # noqa: F401
            care,
            letters,
            news,
            outbox,
            pushes,
            reminders,
            vacations,
            vapid,
        )

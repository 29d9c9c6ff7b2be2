"""The app of the desk, at which everything by mail is asked for that is no move."""

from __future__ import annotations

from django.apps import AppConfig


class DeskConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.mailroom.desk"
    label = "desk"

    def ready(self) -> None:
        """Let its commands be carried out, and its rounds be done."""
        from antipodes.web.mailroom.desk import handlers  # noqa: F401

"""Django app of play by e-mail."""

from __future__ import annotations

from django.apps import AppConfig


class EmailPlayConfig(AppConfig):
    """Configuration of the app."""

    name = "antipodes.web.email_play"
    label = "email_play"

    def ready(self) -> None:
        """Register command handlers."""
        from antipodes.web.email_play import match_commands, previews  # noqa: F401
        from antipodes.web.email_play.commands import handlers  # noqa: F401

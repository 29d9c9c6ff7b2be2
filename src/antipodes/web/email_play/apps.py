"""The app of play by e-mail."""

from __future__ import annotations

from django.apps import AppConfig


class EmailPlayConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.email_play"
    label = "email_play"

    def ready(self) -> None:
        """Register the handlers of commands, periodic tasks and checks of settings."""
        from antipodes.web.email_play import (  # noqa: F401
            inbox_task,
            match_commands,
            previews,
        )
        from antipodes.web.email_play.commands import handlers  # noqa: F401
        from antipodes.web.email_play.inbound import checks  # noqa: F401
        from antipodes.web.email_play.match_emails import BoardLetters
        from antipodes.web.notifications import mail_play

        mail_play.register(BoardLetters())

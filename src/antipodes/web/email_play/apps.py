"""Django app of play by e-mail."""

from __future__ import annotations

from django.apps import AppConfig


class EmailPlayConfig(AppConfig):
    """Configuration of the app."""

    name = "antipodes.web.email_play"
    label = "email_play"

    def ready(self) -> None:
        """Register command handlers, periodic tasks, checks, and the notification backend."""
        from antipodes.web.email_play import (  # noqa: F401
            inbox_task,
            match_commands,
            previews,
        )
        from antipodes.web.email_play.commands import handlers  # noqa: F401
        from antipodes.web.email_play.inbound import checks  # noqa: F401
        from antipodes.web.email_play.match_emails import BoardEmails
        from antipodes.web.notifications import mail_play

        mail_play.register(BoardEmails())

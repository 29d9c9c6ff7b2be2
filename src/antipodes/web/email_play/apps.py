"""Django app of play by e-mail."""

from __future__ import annotations

from django.apps import AppConfig


class EmailPlayConfig(AppConfig):
    """Configuration of the app."""

    name = "antipodes.web.email_play"
    label = "email_play"

    def ready(self) -> None:
        """Register command handlers, checks, and the notification backend."""
        from antipodes.web.email_play import match_commands, previews  # noqa: F401
        from antipodes.web.email_play.commands import handlers  # noqa: F401
        from antipodes.web.email_play.inbound import checks  # noqa: F401
        from antipodes.web.email_play.match_emails import BoardEmails
        from antipodes.web.email_play.puzzle_emails import daily_email
        from antipodes.web.notifications import emails, mail_play
        from antipodes.web.notifications.kinds import Kind

        mail_play.register(BoardEmails())
        emails.writers[Kind.DAILY_PUZZLE] = daily_email

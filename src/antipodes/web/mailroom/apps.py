"""The app of play by e-mail."""

from __future__ import annotations

from django.apps import AppConfig


class MailroomConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.mailroom"
    label = "mailroom"

    def ready(self) -> None:
        """Register who carries out commands, and what is done again and again."""
        from antipodes.web.mailroom import boards, drafts, handling  # noqa: F401
        from antipodes.web.mailroom.letters import BoardLetters
        from antipodes.web.notices import by_mail

        by_mail.register(BoardLetters())

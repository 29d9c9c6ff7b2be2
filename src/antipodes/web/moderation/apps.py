"""Configuration of the moderation app."""

from __future__ import annotations

from django.apps import AppConfig


class ModerationConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.moderation"
    label = "moderation"

    def ready(self) -> None:
        """Record changes in the admin in the audit log, and register the checks of sanctions."""
        from django.contrib.admin.models import LogEntry
        from django.db.models.signals import post_save

        from antipodes.web.accounts import restrictions
        from antipodes.web.moderation import sanctions
        from antipodes.web.moderation.audit import record_admin_change

        restrictions.play_checks.append(sanctions.refuse_game)
        restrictions.speech_checks.append(sanctions.refuse_speech)
        post_save.connect(
            record_admin_change, sender=LogEntry, dispatch_uid=record_admin_change.__name__
        )

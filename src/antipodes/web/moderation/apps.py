"""The app of reports, sanctions and the audit log."""

from __future__ import annotations

from django.apps import AppConfig


class ModerationConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.moderation"
    label = "moderation"

    def ready(self) -> None:
        """Write changes of the admin to the audit log, and apply sanctions."""
        from django.contrib.admin.models import LogEntry
        from django.db.models.signals import post_save

        from antipodes.web.accounts import restrictions
        from antipodes.web.moderation import sanctions
        from antipodes.web.moderation.audit import note_entry

        restrictions.play_checks.append(sanctions.refuse_game)
        restrictions.chat_checks.append(sanctions.refuse_chat)
        post_save.connect(note_entry, sender=LogEntry, dispatch_uid=note_entry.__name__)

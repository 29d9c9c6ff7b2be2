"""The app of how people stand to each other."""

from __future__ import annotations

from django.apps import AppConfig


class CommunityConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.community"
    label = "community"
    verbose_name = "moderation"

    def ready(self) -> None:
        """Let challenges hear of blocks, and the audit log of what is changed in the admin."""
        from django.contrib.admin.models import LogEntry
        from django.db.models.signals import post_save

        from antipodes.web.community import telling  # noqa: F401 - its rounds are noted
        from antipodes.web.community.audit import note_entry
        from antipodes.web.community.services import blocked
        from antipodes.web.community.withdrawals import call_off

        blocked.connect(call_off, dispatch_uid=call_off.__name__)
        post_save.connect(note_entry, sender=LogEntry, dispatch_uid=note_entry.__name__)

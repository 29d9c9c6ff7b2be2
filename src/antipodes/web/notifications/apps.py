"""App configuration of notifications."""

from __future__ import annotations

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.notifications"
    label = "notifications"

    def ready(self) -> None:
        """Register periodic tasks and connect the signal for club invitations."""
        from antipodes.web.clubs.membership import invited
        from antipodes.web.notifications import (  # noqa: F401
            cleanup,
            emails,
            followers,
            match_events,
            outbox,
            push,
            reminders,
            vacations,
            vapid,
        )
        from antipodes.web.notifications.club_invitations import notify_invited

        invited.connect(notify_invited, dispatch_uid=notify_invited.__name__)

"""App configuration of notifications."""

from __future__ import annotations

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.notifications"
    label = "notifications"

    def ready(self) -> None:
        """Register tasks, and connect the signals of events that lead to notifications."""
        from django.db.models.signals import m2m_changed, post_save

        from antipodes.web.accounts.masking import secrets_masked
        from antipodes.web.challenges.models import ChallengeRow
        from antipodes.web.clubs.membership import invited
        from antipodes.web.matches.models import ChatLine
        from antipodes.web.matches.services import match_changed
        from antipodes.web.notifications import (  # noqa: F401
            cleanup,
            delivery,
            emails,
            followers,
            match_events,
            outbox,
            push,
            reminders,
            vacations,
            vapid,
        )
        from antipodes.web.notifications.beginnings import tell_players
        from antipodes.web.notifications.club_invitations import notify_invited
        from antipodes.web.notifications.masked_secrets import notify_masked

        secrets_masked.connect(notify_masked, dispatch_uid=notify_masked.__name__)
        invited.connect(notify_invited, dispatch_uid=notify_invited.__name__)
        match_changed.connect(delivery.wake, dispatch_uid=delivery.WAITING)
        match_changed.connect(tell_players, dispatch_uid=tell_players.__name__)
        post_save.connect(delivery.wake, sender=ChatLine, dispatch_uid=delivery.WAITING)
        challenge_invited = ChallengeRow.invited.through
        m2m_changed.connect(delivery.wake, sender=challenge_invited, dispatch_uid=delivery.WAITING)

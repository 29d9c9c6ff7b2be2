"""The API app."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.api"
    label = "api"

    def ready(self) -> None:
        """Wake event streams when matches and challenges change."""
        from django.db.models.signals import m2m_changed, post_save, pre_delete

        from antipodes.web.api import stream_wakeups
        from antipodes.web.challenges.models import ChallengeRow, JoinRow
        from antipodes.web.matches.services import match_changed

        match_changed.connect(stream_wakeups.on_match, dispatch_uid="event streams")
        for signal in (post_save, pre_delete):
            signal.connect(stream_wakeups.on_challenge, sender=ChallengeRow, dispatch_uid=__name__)
            signal.connect(stream_wakeups.on_join, sender=JoinRow, dispatch_uid=__name__)
        m2m_changed.connect(
            stream_wakeups.on_invitation, sender=ChallengeRow.invited.through, dispatch_uid=__name__
        )

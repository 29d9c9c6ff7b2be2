"""Configuration of the challenges app."""

from __future__ import annotations

from django.apps import AppConfig


class ChallengesConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.challenges"
    label = "challenges"

    def ready(self) -> None:
        """Connect the signals after which challenges are withdrawn, and register the task."""
        from antipodes.web.challenges import author_presence  # noqa: F401
        from antipodes.web.challenges.metrics import open_challenges
        from antipodes.web.challenges.withdrawals import withdraw_between, withdraw_club_challenges
        from antipodes.web.clubs.services import member_left
        from antipodes.web.platform import metrics
        from antipodes.web.relations.services import blocked

        metrics.site_metrics.append(open_challenges)
        blocked.connect(withdraw_between, dispatch_uid=withdraw_between.__name__)
        member_left.connect(withdraw_club_challenges, dispatch_uid=__name__)

"""The app of studies."""

from __future__ import annotations

from django.apps import AppConfig


class StudyConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.study"
    label = "study"

    def ready(self) -> None:
        """Let reviews hear of matches that end, and the engines of analyses and reviews."""
        from antipodes.web.matches.services import match_changed
        from antipodes.web.study import analyses  # noqa: F401
        from antipodes.web.study.reviews import review_if_over

        match_changed.connect(review_if_over, dispatch_uid=review_if_over.__qualname__)

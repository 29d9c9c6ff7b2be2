"""The app of studies."""

from __future__ import annotations

from django.apps import AppConfig


class StudyConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.study"
    label = "study"

    def ready(self) -> None:
        """Let reviews hear of matches that end, and what was lost be taken up."""
        from antipodes.web.matches.services import match_changed
        from antipodes.web.rounds import every
        from antipodes.web.study import analyses, reviews
        from antipodes.web.study.reviews import review_if_over

        match_changed.connect(review_if_over, dispatch_uid=review_if_over.__qualname__)
        every(5)(analyses.take_up_lost)
        every(10)(reviews.take_up_lost)

"""The app of ratings."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.ratings"
    label = "ratings"

    def ready(self) -> None:
        """Let the rounds of ratings be done."""
        from antipodes.web.ratings import services, voiding  # noqa: F401

"""Configuration of the ratings app."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.ratings"
    label = "ratings"

    def ready(self) -> None:
        """Register the periodic tasks."""
        from antipodes.web.ratings import services, voiding  # noqa: F401

"""The app of ratings."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.ratings"
    label = "ratings"

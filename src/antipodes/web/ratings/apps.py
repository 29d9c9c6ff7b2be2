"""Configuration of the ratings app."""

from django.apps import AppConfig


class RatingsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.ratings"
    label = "ratings"

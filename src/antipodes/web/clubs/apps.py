"""The app of clubs."""

from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.clubs"
    label = "clubs"

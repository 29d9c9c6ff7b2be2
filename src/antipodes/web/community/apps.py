"""The app of how people stand to each other."""

from django.apps import AppConfig


class CommunityConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.community"
    label = "community"

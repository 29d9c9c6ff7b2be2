"""The app of notices."""

from django.apps import AppConfig


class NoticesConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.notices"
    label = "notices"

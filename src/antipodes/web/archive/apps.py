"""The app of finished games."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.archive"
    label = "archive"

"""Configuration of the archive app."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.archive"
    label = "archive"

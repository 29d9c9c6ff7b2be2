"""Configuration of the archive app."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.archive"
    label = "archive"

    def ready(self) -> None:
        """Register the periodic tasks."""
        from antipodes.web.archive import open_data, services  # noqa: F401

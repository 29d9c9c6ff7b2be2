"""The app of finished games."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.archive"
    label = "archive"

    def ready(self) -> None:
        """Let the site file what has ended."""
        from antipodes.web.archive import services  # noqa: F401

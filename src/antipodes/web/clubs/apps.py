"""The app of clubs."""

from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.clubs"
    label = "clubs"

    def ready(self) -> None:
        """Let its rounds be done."""
        from antipodes.web.clubs import rounds  # noqa: F401

"""The app of the lobby."""

from django.apps import AppConfig


class LobbyConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.lobby"
    label = "lobby"

    def ready(self) -> None:
        """Let its rounds be done."""
        from antipodes.web.lobby import rounds  # noqa: F401

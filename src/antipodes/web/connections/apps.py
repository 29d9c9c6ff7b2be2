"""App configuration of long-lived connections."""

from __future__ import annotations

from django.apps import AppConfig


class ConnectionsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.connections"
    label = "connections"

    def ready(self) -> None:
        """Subscribe to changes of sessions, tokens and users."""
        from antipodes.web.connections import changes

        changes.subscribe()

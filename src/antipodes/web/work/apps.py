"""The app of work for the engines."""

from __future__ import annotations

from django.apps import AppConfig


class WorkConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.work"
    label = "work"

    def ready(self) -> None:
        """Note the network of each user who signs in."""
        from django.contrib.auth.signals import user_logged_in

        from antipodes.web.work import clients

        user_logged_in.connect(clients.note_network, dispatch_uid=clients.__name__)

"""App configuration of long-lived connections."""

from __future__ import annotations

from django.apps import AppConfig


class ConnectionsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.connections"
    label = "connections"

    def ready(self) -> None:
        """Check open connections whenever a session, a token or a user changes."""
        from django.contrib.sessions.models import Session
        from django.db.models.signals import post_delete, post_save

        from antipodes.web.accounts.models import ApiTokenRow, User
        from antipodes.web.connections import changes

        changes.subscribe()
        post_delete.connect(changes.on_session_end, sender=Session, dispatch_uid=__name__)
        post_delete.connect(changes.on_token_end, sender=ApiTokenRow, dispatch_uid=__name__)
        post_delete.connect(changes.on_user_change, sender=User, dispatch_uid=__name__)
        post_save.connect(changes.on_user_change, sender=User, dispatch_uid=__name__)

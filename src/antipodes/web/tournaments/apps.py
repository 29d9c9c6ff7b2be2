"""Configuration of the tournaments app."""

from __future__ import annotations

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.tournaments"
    label = "tournaments"

    def ready(self) -> None:
        """Register the tasks; users whose account is deleted leave their events."""
        from antipodes.web.accounts.account_deletion import account_deleting
        from antipodes.web.tournaments import notifications, periodic_tasks  # noqa: F401
        from antipodes.web.tournaments.services import leave_all

        account_deleting.connect(leave_all, dispatch_uid="tournaments")

"""Configuration of the simuls app."""

from __future__ import annotations

from django.apps import AppConfig


class SimulsConfig(AppConfig):
    """Name and label of the app."""

    name = "antipodes.web.simuls"
    label = "simuls"

    def ready(self) -> None:
        """Connect signals and the periodic task, and register the boards that hosts oversee."""
        from antipodes.web.accounts.account_deletion import account_deleting
        from antipodes.web.notifications import match_events
        from antipodes.web.relations.services import blocked
        from antipodes.web.simuls import periodic_tasks  # noqa: F401
        from antipodes.web.simuls.selectors import overseen
        from antipodes.web.simuls.withdrawals import withdraw_all, withdraw_between

        match_events.overseen_by.append(overseen)
        blocked.connect(withdraw_between, dispatch_uid=f"{__name__}.blocked")
        account_deleting.connect(withdraw_all, dispatch_uid=f"{__name__}.deleting")

"""The app of how people stand to each other."""

from __future__ import annotations

from django.apps import AppConfig


class CommunityConfig(AppConfig):
    """Its name and label."""

    name = "antipodes.web.community"
    label = "community"

    def ready(self) -> None:
        """Let challenges hear of blocks."""
        from antipodes.web.community.services import blocked
        from antipodes.web.community.withdrawals import call_off

        blocked.connect(call_off, dispatch_uid=call_off.__name__)

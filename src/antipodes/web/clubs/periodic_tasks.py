"""Periodic tasks of clubs."""

from __future__ import annotations

from antipodes.web.clubs import services
from antipodes.web.clubs.models import InviteLinkRow
from antipodes.web.platform.clock import now


def replace_missing_owners() -> None:
    """Give clubs whose owner has deleted their account a new owner."""
    services.replace_missing_owners()


def delete_expired_links() -> None:
    """Delete invite links that have expired or are used up."""
    InviteLinkRow.objects.filter(expires_at__lte=now()).delete()
    InviteLinkRow.objects.filter(uses_left=0).delete()

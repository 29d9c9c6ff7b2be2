"""What is looked after in clubs, again and again."""

from __future__ import annotations

from antipodes.web.clubs import services
from antipodes.web.clubs.models import InviteLinkRow
from antipodes.web.platform.clock import now
from antipodes.web.platform.periodic import every


@every(600)
def give_clubs_owners() -> None:
    """Give clubs whose owner has left the site to somebody else."""
    services.heal_ownerless()


@every(3_600)
def forget_links() -> None:
    """Delete links that are good no more."""
    InviteLinkRow.objects.filter(expires_at__lte=now()).delete()
    InviteLinkRow.objects.filter(uses_left=0).delete()

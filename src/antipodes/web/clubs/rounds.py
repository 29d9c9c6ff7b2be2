"""What is looked after in clubs, again and again."""

from __future__ import annotations

from antipodes.web.clubs import services
from antipodes.web.clubs.models import LinkRow
from antipodes.web.matches.services import now
from antipodes.web.rounds import every


@every(600)
def give_clubs_owners() -> None:
    """Give clubs whose owner has left the site to somebody else."""
    services.heal_ownerless()


@every(3_600)
def forget_links() -> None:
    """Delete links that are good no more."""
    LinkRow.objects.filter(expires_at__lte=now()).delete()
    LinkRow.objects.filter(uses_left=0).delete()

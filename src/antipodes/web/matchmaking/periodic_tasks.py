"""Periodic tasks of matchmaking and challenges."""

from __future__ import annotations

from antipodes.clocks import DAY
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matchmaking import services
from antipodes.web.platform.clock import now
from antipodes.web.platform.periodic import every


@every(1)
def pair_seeks() -> None:
    """Drop live seeks of players who have left the page, then pair the others."""
    services.drop_absent()
    services.pair_all()


@every(600)
def delete_old_seeks() -> None:
    """Delete paired and expired seeks."""
    services.delete_old()


@every(3_600)
def delete_expired_challenges() -> None:
    """Delete challenges a day after they expire; until then their pages say so."""
    ChallengeRow.objects.filter(match=None, expires_at__lt=now() - DAY).delete()

"""Periodic tasks of matchmaking and challenges."""

from __future__ import annotations

from antipodes.clocks import DAY
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matchmaking import services
from antipodes.web.platform.clock import now


def pair_seeks() -> None:
    """Drop live seeks of players who have left the page, then pair the others."""
    services.drop_absent()
    services.pair_all()


def delete_old_seeks() -> None:
    """Delete paired and expired seeks."""
    services.delete_old()


def delete_expired_challenges() -> None:
    """Delete challenges a day after they expire; until then their pages say so."""
    ChallengeRow.objects.filter(match=None, expires_at__lt=now() - DAY).delete()


def delete_abandoned_challenges() -> None:
    """Delete challenges of guests that had no player after a day."""
    old = ChallengeRow.objects.filter(match=None, joins=None, made_at__lt=now() - DAY)
    old.filter(by__is_guest=True).delete()

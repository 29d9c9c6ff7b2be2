"""What is looked after in the lobby, again and again."""

from __future__ import annotations

from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matchmaking import services
from antipodes.web.platform.clock import now
from antipodes.web.platform.periodic import every

_DAY = 86_400_000  # milliseconds


@every(1)
def find_opponents() -> None:
    """Pair those who look for opponents; whoever has left the page looks no longer."""
    services.drop_absent()
    services.pair_all()


@every(600)
def forget_searches() -> None:
    """Delete what was found long ago, and what nobody can find."""
    services.forget_old()


@every(3_600)
def forget_challenges() -> None:
    """Delete challenges that ran out a day ago; until then their pages say so."""
    ChallengeRow.objects.filter(match=None, expires_at__lt=now() - _DAY).delete()

"""Periodic task of simuls."""

from __future__ import annotations

from antipodes.clocks import DAY
from antipodes.web.platform.clock import now
from antipodes.web.simuls.models import SimulRow

_LONGEST = 14 * DAY  # milliseconds that a simul waits for its beginning


def delete_old_simuls() -> None:
    """Delete simuls that their hosts have not begun for two weeks."""
    SimulRow.objects.filter(begun_at=None, made_at__lt=now() - _LONGEST).delete()

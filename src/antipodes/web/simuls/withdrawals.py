"""Withdraw players and simuls that have not begun, after blocks and deletions of accounts."""

from __future__ import annotations

from antipodes.web.accounts.models import User
from antipodes.web.simuls.models import SimulPlayerRow, SimulRow


def withdraw_between(by: User, whom: User, **_: object) -> None:
    """Remove two players, one of whom has blocked the other, from each other's simuls."""
    for host, player in ((by, whom), (whom, by)):
        places = SimulPlayerRow.objects.filter(simul__by=host, simul__begun_at=None)
        places.filter(user=player).delete()


def withdraw_all(user: User, **_: object) -> None:
    """Cancel the simuls of a user that have not begun."""
    SimulRow.objects.filter(by=user, begun_at=None).delete()

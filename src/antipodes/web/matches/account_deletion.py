"""End the matches of an account that is being deleted."""

from __future__ import annotations

from antipodes.web.accounts.models import User
from antipodes.web.matches import services
from antipodes.web.matches.models import SeatRow


def give_up_all(user: User, **_: object) -> None:
    """Abort the user's matches that have just begun, and resign the others.

    A resigned game of a series may begin the next one, which is aborted.
    """
    seats = SeatRow.objects.filter(user=user, match__ended_at=None)
    for some in (seats, seats.all()):
        for slug, seat in list(some.values_list("match__slug", "number")):
            services.give_up(slug, seat)

"""End the matches of an account that is being deleted."""

from __future__ import annotations

from antipodes.errors import MatchError
from antipodes.match import Abort, Resign
from antipodes.web.accounts.models import User
from antipodes.web.matches import services
from antipodes.web.matches.models import SeatRow


def give_up_all(user: User, **_: object) -> None:
    """Abort the user's matches that have just begun, and resign the others.

    A resigned game of a series may begin the next one, which is aborted.
    """
    seats = SeatRow.objects.filter(user=user, match__ended_at=None).select_related("match")
    for some in (seats, seats.all()):
        _give_up(list(some))


def _give_up(seats: list[SeatRow]) -> None:
    for seat in seats:
        match = seat.match.match()
        for kind in (Abort, Resign):
            key = f"left {seat.match.slug} {kind.__name__.lower()}"
            try:
                services.carry_out(seat.match.slug, kind(seat=seat.number, ply=match.ply, key=key))
                break
            except MatchError:
                continue  # too late to abort, or the match has just ended

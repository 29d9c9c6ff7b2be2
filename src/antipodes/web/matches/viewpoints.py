"""Viewpoints: in Antipalos each seat names the squares from its own side of the board.

Stored moves and the API always use the first seat's names.
"""

from __future__ import annotations

from antipodes.web.accounts.models import ProfileRow, User
from antipodes.web.matches.snapshots import MatchSnapshot


def reads_own_side(user: User) -> bool:
    """Return whether a user sees boards from their own side, which is the default."""
    return not ProfileRow.objects.filter(user=user, own_side=False).exists()


def choose_side(user: User, *, own: bool) -> None:
    """Set whether a user sees boards from their own side or from the first seat's."""
    ProfileRow.objects.update_or_create(user=user, defaults={"own_side": own})


def side_of(snapshot: MatchSnapshot, user: User | None) -> int:
    """Return the seat from whose side a user sees a match: their first one, or seat 0."""
    if user is None or not snapshot.match.terms.game.has_sides:
        return 0
    seats = snapshot.seats_of(user.pk)
    return seats[0] if seats and reads_own_side(user) else 0

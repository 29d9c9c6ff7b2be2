"""From whose side a user reads a board whose squares each seat names from its own (Antipalos).

What is stored, and what programs are told, is always as the first seat sees it.
"""

from __future__ import annotations

from antipodes.web.accounts.models import ProfileRow, User
from antipodes.web.matches.snapshots import MatchSnapshot


def reads_own_side(user: User) -> bool:
    """Return whether a user wants boards from their own side, as they do unless they say not."""
    return not ProfileRow.objects.filter(user=user, own_side=False).exists()


def choose_side(user: User, *, own: bool) -> None:
    """Let a user read boards from their own side from now on, or from the first seat's."""
    ProfileRow.objects.update_or_create(user=user, defaults={"own_side": own})


def side_of(standing: MatchSnapshot, user: User | None) -> int:
    """Return the seat from whose side a user reads a match: their first one, or seat 0."""
    if user is None or not standing.match.terms.game.has_sides:
        return 0
    seats = standing.seats_of(user.pk)
    return seats[0] if seats and reads_own_side(user) else 0

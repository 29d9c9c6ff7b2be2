"""What two people had agreed on, or asked each other, is called off when one blocks the other."""

from __future__ import annotations

from antipodes.web.lobby import services as lobby
from antipodes.web.matches.models import ChallengeRow
from antipodes.web.people.models import User


def call_off(by: User, whom: User, **_: object) -> None:
    """Take invitations back, and seats at challenges that have not begun."""
    for host, guest in ((by, whom), (whom, by)):
        waiting = ChallengeRow.objects.filter(match=None, by=host)
        for slug in list(waiting.filter(joins__user=guest).values_list("slug", flat=True)):
            lobby.leave(slug, guest)
        for slug in list(waiting.filter(invited=guest).values_list("slug", flat=True)):
            lobby.decline(slug, guest)
    # At challenges of others the one who blocks makes room.
    both = ChallengeRow.objects.filter(match=None, joins__user=by).filter(joins__user=whom)
    for slug in list(both.values_list("slug", flat=True)):
        lobby.leave(slug, by)


def withdraw_all(user: User) -> None:
    """Take back whatever somebody offers to play: challenges, and seats at those of others."""
    waiting = ChallengeRow.objects.filter(match=None)
    for slug in list(waiting.filter(by=user).values_list("slug", flat=True)):
        lobby.cancel(slug, user)
    for slug in list(waiting.filter(joins__user=user).values_list("slug", flat=True)):
        lobby.leave(slug, user)

"""What two people had agreed on, or asked each other, is called off when one blocks the other."""

from __future__ import annotations

from antipodes.web.accounts.models import User
from antipodes.web.challenges import services
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.clubs.models import ClubRow


def call_off(by: User, whom: User, **_: object) -> None:
    """Take invitations back, and seats at challenges that have not begun."""
    for host, guest in ((by, whom), (whom, by)):
        waiting = ChallengeRow.objects.filter(match=None, by=host)
        for slug in list(waiting.filter(joins__user=guest).values_list("slug", flat=True)):
            services.leave(slug, guest)
        for slug in list(waiting.filter(invited=guest).values_list("slug", flat=True)):
            services.decline(slug, guest)
    # At challenges of others the one who blocks makes room.
    both = ChallengeRow.objects.filter(match=None, joins__user=by).filter(joins__user=whom)
    for slug in list(both.values_list("slug", flat=True)):
        services.leave(slug, by)


def withdraw_all(user: User) -> None:
    """Take back whatever somebody offers to play: challenges, and seats at those of others."""
    waiting = ChallengeRow.objects.filter(match=None)
    for slug in list(waiting.filter(by=user).values_list("slug", flat=True)):
        services.cancel(slug, user)
    for slug in list(waiting.filter(joins__user=user).values_list("slug", flat=True)):
        services.leave(slug, user)


def withdraw_club_challenges(club: ClubRow, user: User, **_: object) -> None:
    """Withdraw what a player who leaves a club offered to its members."""
    ChallengeRow.objects.filter(club=club, by=user, match=None).delete()

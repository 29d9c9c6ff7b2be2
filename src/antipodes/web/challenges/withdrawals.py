"""Withdraw invitations and seats when players block each other or leave a club."""

from __future__ import annotations

from antipodes.web.accounts.models import User
from antipodes.web.challenges import services
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.clubs.models import ClubRow


def withdraw_between(by: User, whom: User, **_: object) -> None:
    """Cancel invitations between two players, and their seats in challenges of each other."""
    for host, guest in ((by, whom), (whom, by)):
        waiting = ChallengeRow.objects.filter(match=None, by=host)
        for slug in list(waiting.filter(joins__user=guest).values_list("slug", flat=True)):
            services.leave(slug, guest)
        for slug in list(waiting.filter(invited=guest).values_list("slug", flat=True)):
            services.decline(slug, guest)
    # In challenges of others, the player who blocks leaves.
    both = ChallengeRow.objects.filter(match=None, joins__user=by).filter(joins__user=whom)
    for slug in list(both.values_list("slug", flat=True)):
        services.leave(slug, by)


def withdraw_all(user: User) -> None:
    """Withdraw all challenges of a user, and leave all challenges of others."""
    waiting = ChallengeRow.objects.filter(match=None)
    for slug in list(waiting.filter(by=user).values_list("slug", flat=True)):
        services.cancel(slug, user)
    for slug in list(waiting.filter(joins__user=user).values_list("slug", flat=True)):
        services.leave(slug, user)


def withdraw_club_challenges(club: ClubRow, user: User, **_: object) -> None:
    """Cancel a user's challenges to a club that they leave."""
    ChallengeRow.objects.filter(club=club, by=user, match=None).delete()

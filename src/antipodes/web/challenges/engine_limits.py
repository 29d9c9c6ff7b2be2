"""What one user, and all users of one network, may ask of the engines."""

from __future__ import annotations

from django.db.models import Q
from django.utils.translation import gettext as _

from antipodes.errors import Fault, InputError
from antipodes.web.accounts.models import User
from antipodes.web.jobs.clients import neighbours
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import count_limit

_LATELY = 3_600_000  # milliseconds; games in which nothing happens cost nothing

COMPUTER_GAMES = count_limit(
    "computer-games", 60, per="user", what="games against the computer with a move in the last hour"
)
COMPUTER_GAMES_OF_ADDRESS = count_limit(
    "computer-games-of-address",
    200,
    per="address",
    what="games against the computer with a move in the last hour",
)


def check_computer_games(user: User) -> None:
    """Refuse one more game against the computer where too many go on already.

    Games count that have not ended and in which something happened in the last hour.

    Raises:
        InputError: the user, or the network, has as many as are allowed.
    """
    own = _games(Q(pk=user.pk))
    if own >= COMPUTER_GAMES.value:
        message = _(
            "You play %(count)d games against the computer already. Finish or resign one first."
        )
        raise InputError([Fault("work/too-many-games", message % {"count": own})])
    for users, multiple in neighbours(user):
        count = _games(users)
        if count >= multiple * COMPUTER_GAMES_OF_ADDRESS.value:
            message = _(
                "%(count)d games against the computer are played from your network already. "
                "Try again when some of them have ended."
            )
            raise InputError([Fault("work/too-many-games", message % {"count": count})])


def _games(users: Q) -> int:
    """Return how many games against the computer some users play now."""
    seats = SeatRow.objects.filter(user__in=User.objects.filter(users)).values("match")
    recent = MatchRow.objects.filter(ended_at=None, changed_at__gt=now() - _LATELY, pk__in=seats)
    return recent.filter(seats__user__computer__gt="").distinct().count()

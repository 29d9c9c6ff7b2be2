"""Limits on games against the computer, for each user and each network."""

from __future__ import annotations

from django.db.models import Q
from django.utils.translation import gettext as _

from antipodes.clocks import HOUR
from antipodes.errors import Fault, InputError
from antipodes.web.accounts.models import User
from antipodes.web.jobs.clients import neighbours
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.platform.clock import now
from antipodes.web.platform.limits import count_limit

_RECENT = HOUR  # milliseconds; idle games cost no engine time

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
    """Refuse another game against the computer if too many are in progress.

    Only unfinished games with a move in the last hour count.

    Raises:
        InputError: the user or the network has reached the limit.
    """
    own = _games(Q(pk=user.pk))
    if own >= COMPUTER_GAMES.value:
        message = _(
            "You are playing %(count)d games against the computer. Finish or resign one first."
        )
        raise InputError([Fault("work/too-many-games", message % {"count": own})])
    for users, multiple in neighbours(user):
        count = _games(users)
        if count >= multiple * COMPUTER_GAMES_OF_ADDRESS.value:
            message = _(
                "Your network is playing %(count)d games against the computer. "
                "Try again when some of them have ended."
            )
            raise InputError([Fault("work/too-many-games", message % {"count": count})])


def _games(users: Q) -> int:
    """Return the number of games against the computer that some users are playing."""
    seats = SeatRow.objects.filter(user__in=User.objects.filter(users)).values("match")
    recent = MatchRow.objects.filter(ended_at=None, changed_at__gt=now() - _RECENT, pk__in=seats)
    return recent.filter(seats__user__computer__gt="").distinct().count()

"""What pages show of clubs."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet

from antipodes.web.accounts.models import User
from antipodes.web.archive.facts import ABORTED
from antipodes.web.archive.models import PlayerRow
from antipodes.web.clubs.models import ClubRow
from antipodes.web.matches.access import visible_to
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.selectors import MatchLine, match_line

SHOWN = 24
_MOST_IN_TABLE = 100


def running(club: ClubRow, user: User | None) -> list[MatchLine]:
    """Return matches of a club that go on, as far as somebody may watch them."""
    rows = _matches(club, user).filter(ended_at=None).order_by("-changed_at")
    return [match_line(row, None) for row in rows[:SHOWN]]


def finished(club: ClubRow, user: User | None) -> list[MatchLine]:
    """Return the last matches of a club that are over, as far as somebody may watch them."""
    rows = _matches(club, user).exclude(ended_at=None).order_by("-ended_at")
    return [match_line(row, None) for row in rows[:SHOWN]]


def _matches(club: ClubRow, user: User | None) -> QuerySet[MatchRow]:
    rows = MatchRow.objects.filter(visible_to(user), club=club)
    return rows.prefetch_related(seated())


@dataclass(frozen=True, slots=True)
class Tally:
    """What somebody has played within a club.

    Attributes:
        user: who.
        games: how many are over, without those that were called off before they began.
        wins: how many of them were won.
        losses: how many were lost.
    """

    user: User
    games: int
    wins: int
    losses: int

    @property
    def others(self) -> int:
        """How many nobody won."""
        return self.games - self.wins - self.losses


def table(club: ClubRow, viewer: User | None) -> list[Tally]:
    """Return what the members of a club have played within it, the most wins first.

    Private games are counted for those alone who may watch them.
    """
    matches = MatchRow.objects.filter(visible_to(viewer), club=club)
    seats = PlayerRow.objects.filter(game__match__in=matches, user__memberships__club=club)
    seats = seats.exclude(game__shelf__reason__in=ABORTED)
    counts = seats.values("user").annotate(
        games=Count("game", distinct=True),
        wins=Count("game", filter=Q(won=True), distinct=True),
        losses=Count("game", filter=Q(won=False), distinct=True),
    )
    best = list(counts.order_by("-wins", "losses", "user")[:_MOST_IN_TABLE])
    users = User.objects.in_bulk([one["user"] for one in best])
    return [Tally(users[one["user"]], one["games"], one["wins"], one["losses"]) for one in best]

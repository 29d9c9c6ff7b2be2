"""Queries for the pages of clubs: matches, and results of members."""

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
    """Return a club's matches in progress that a user may watch."""
    rows = _matches(club, user).filter(ended_at=None).order_by("-changed_at")
    return [match_line(row, None) for row in rows[:SHOWN]]


def finished(club: ClubRow, user: User | None) -> list[MatchLine]:
    """Return a club's last finished matches that a user may watch."""
    rows = _matches(club, user).exclude(ended_at=None).order_by("-ended_at")
    return [match_line(row, None) for row in rows[:SHOWN]]


def _matches(club: ClubRow, user: User | None) -> QuerySet[MatchRow]:
    rows = MatchRow.objects.filter(visible_to(user), club=club)
    return rows.prefetch_related(seated())


@dataclass(frozen=True, slots=True)
class MemberResults:
    """A member's results in games of the club.

    Attributes:
        user: the member.
        games: number of finished games, without aborted ones.
        wins: games won.
        losses: games lost.
    """

    user: User
    games: int
    wins: int
    losses: int

    @property
    def others(self) -> int:
        """Number of games without a winner."""
        return self.games - self.wins - self.losses


def member_results(club: ClubRow, viewer: User | None) -> list[MemberResults]:
    """Return the results of members in games of the club, most wins first.

    Private games are counted only if the viewer may watch them.
    """
    matches = MatchRow.objects.filter(visible_to(viewer), club=club)
    seats = PlayerRow.objects.filter(game__match__in=matches, user__memberships__club=club)
    seats = seats.exclude(game__bucket__reason__in=ABORTED)
    counts = seats.values("user").annotate(
        games=Count("game", distinct=True),
        wins=Count("game", filter=Q(won=True), distinct=True),
        losses=Count("game", filter=Q(won=False), distinct=True),
    )
    best = list(counts.order_by("-wins", "losses", "user")[:_MOST_IN_TABLE])
    users = User.objects.in_bulk([one["user"] for one in best])
    return [
        MemberResults(users[result["user"]], result["games"], result["wins"], result["losses"])
        for result in best
    ]

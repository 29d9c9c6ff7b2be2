"""What pages show of clubs."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Case, Count, Q, QuerySet, When

from antipodes.web.archive.facts import ABORTED
from antipodes.web.archive.models import PlayerRow
from antipodes.web.clubs.models import ClubRow, LinkRow, MemberRow, Role
from antipodes.web.lobby.selectors import MatchLine, match_line
from antipodes.web.matches.access import visible_to
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.services import now
from antipodes.web.people.models import User

SHOWN = 24
_MOST_IN_TABLE = 100


def clubs_of(user: User) -> QuerySet[ClubRow]:
    """Return the clubs in which somebody is."""
    return ClubRow.objects.filter(members__user=user)


def visible_clubs(user: User | None) -> Q:
    """Return the condition on clubs whose pages somebody may see.

    Members see their club, and so do those who are invited by name.
    """
    is_public = Q(is_public=True)
    if user is None:
        return is_public
    inside = MemberRow.objects.filter(user=user).values("club")
    return is_public | Q(pk__in=inside) | Q(pk__in=_inviting(user).values("pk"))


def _inviting(user: User) -> QuerySet[ClubRow]:
    return ClubRow.objects.filter(at_door__user=user, at_door__by__isnull=False)


def inviting_clubs(user: User) -> QuerySet[ClubRow]:
    """Return the clubs to which somebody is invited by name."""
    return counted(_inviting(user))


def counted(clubs: QuerySet[ClubRow]) -> QuerySet[ClubRow]:
    """Return clubs with the number of their members as ``size``, the largest first."""
    return clubs.annotate(size=Count("members", distinct=True)).order_by("-size", "name")


def public_clubs(query: str = "") -> QuerySet[ClubRow]:
    """Return the public clubs, or those whose names have some words."""
    rows = ClubRow.objects.filter(is_public=True)
    if query:
        rows = rows.filter(name__icontains=query)
    return counted(rows)


def members(club: ClubRow) -> QuerySet[MemberRow]:
    """Return the members of a club, those who lead it first."""
    rank = Case(When(role=Role.OWNER, then=0), When(role=Role.OFFICER, then=1), default=2)
    return club.members.select_related("user").order_by(rank, "since", "pk")


def good_links(club: ClubRow) -> QuerySet[LinkRow]:
    """Return the links that are good now."""
    rows = club.links.filter(Q(expires_at=None) | Q(expires_at__gt=now()))
    return rows.exclude(uses_left=0).select_related("by")


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

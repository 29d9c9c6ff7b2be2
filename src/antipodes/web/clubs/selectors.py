"""Queries for clubs that a user may see, members and invite links."""

from __future__ import annotations

from django.db.models import Case, Count, Q, QuerySet, When

from antipodes.web.accounts.models import User
from antipodes.web.clubs.models import ClubRow, InviteLinkRow, MemberRow, Role
from antipodes.web.platform.clock import now


def clubs_of(user: User) -> QuerySet[ClubRow]:
    # A subquery, so that `counted` counts all members.
    return ClubRow.objects.filter(pk__in=MemberRow.objects.filter(user=user).values("club"))


def visible_clubs(user: User | None) -> Q:
    """Return the condition for clubs that a user may see.

    Clubs that are not public are visible to their members and to users invited by name.
    """
    is_public = Q(is_public=True)
    if user is None:
        return is_public
    inside = MemberRow.objects.filter(user=user).values("club")
    return is_public | Q(pk__in=inside) | Q(pk__in=_inviting(user).values("pk"))


def _inviting(user: User) -> QuerySet[ClubRow]:
    return ClubRow.objects.filter(pending_members__user=user, pending_members__by__isnull=False)


def inviting_clubs(user: User) -> QuerySet[ClubRow]:
    return counted(_inviting(user))


def counted(clubs: QuerySet[ClubRow]) -> QuerySet[ClubRow]:
    """Annotate clubs with the number of members as ``size``, and order them by it."""
    return clubs.annotate(size=Count("members")).order_by("-size", "name")


def public_clubs(query: str = "") -> QuerySet[ClubRow]:
    """Return the public clubs, or those whose name contains the query."""
    rows = ClubRow.objects.filter(is_public=True)
    if query:
        rows = rows.filter(name__icontains=query)
    return counted(rows)


def members(club: ClubRow) -> QuerySet[MemberRow]:
    """Return the members of a club: the owner, officers, then the others by seniority."""
    rank = Case(When(role=Role.OWNER, then=0), When(role=Role.OFFICER, then=1), default=2)
    return club.members.select_related("user").order_by(rank, "since", "pk")


def valid_links(club: ClubRow) -> QuerySet[InviteLinkRow]:
    """Return the invite links that are neither expired nor used up."""
    rows = club.links.filter(Q(expires_at=None) | Q(expires_at__gt=now()))
    return rows.exclude(uses_left=0).select_related("by")

"""Access control: which users may watch a match.

Pages, JSON, downloads, images, WebSockets and lists all check access here. A private match that
a user may not watch looks as if it did not exist.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest

from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user
from antipodes.web.clubs.models import MemberRow
from antipodes.web.matches.models import MatchRow, SeatRow


def played_by(user: User) -> QuerySet[SeatRow, Any]:
    """Return the ids of the matches in which a user has a seat, as a subquery evaluated once.

    A condition on each match's seats would be evaluated for every match.
    """
    return SeatRow.objects.filter(user=user).order_by().values("match")


def played_by_any(users: Iterable[User] | QuerySet[Any, Any]) -> QuerySet[SeatRow, Any]:
    """Return the ids of the matches in which any of several users has a seat."""
    return SeatRow.objects.filter(user__in=users).order_by().values("match")


def visible_to(user: User | None) -> Q:
    """Return the condition on matches that a user may watch; ``None`` stands for anonymous users.

    These are all public matches, the user's own, and those of the user's clubs.
    """
    is_public = Q(is_private=False)
    if user is None:
        return is_public
    plays = Q(pk__in=played_by(user))
    is_member = Exists(MemberRow.objects.filter(club=OuterRef("club"), user=user))
    return is_public | plays | Q(is_member)


def may_watch(row: MatchRow, user: User | None) -> bool:
    """Return whether a user may watch a match; a public match needs no query."""
    return not row.is_private or MatchRow.objects.filter(visible_to(user), pk=row.pk).exists()


def match_for(request: HttpRequest, slug: str, rows: QuerySet[MatchRow] | None = None) -> MatchRow:
    """Return the match with a slug, if the user of the request may watch it.

    The user is looked up only for private matches.

    Args:
        request: the request of the user who wants to see the match.
        slug: the match.
        rows: the queryset to search, with any related rows that the caller needs.

    Raises:
        Http404: there is no such match, or the user may not watch it.
    """
    visible = MatchRow.objects.all() if rows is None else rows
    row = visible.filter(slug=slug).first()
    if row is None or (row.is_private and not may_watch(row, current_user(request))):
        raise Http404("there is no such match")
    return row

"""Who may look at a match.

Every way to a match asks here: pages, data, downloads, pictures, sockets, lists. To whom may not
look, a private match is one that does not exist.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import Http404, HttpRequest

from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import known_user
from antipodes.web.clubs.models import MemberRow
from antipodes.web.matches.models import MatchRow, SeatRow


def played_by(user: User) -> QuerySet[SeatRow, Any]:
    """Return the keys of the matches in which somebody has a seat, as a list that is made once.

    A condition on the seats of matches would be asked of each match.
    """
    return SeatRow.objects.filter(user=user).order_by().values("match")


def played_by_any(users: Iterable[User] | QuerySet[Any, Any]) -> QuerySet[SeatRow, Any]:
    """Return the same of matches in which any of some people has a seat."""
    return SeatRow.objects.filter(user__in=users).order_by().values("match")


def visible_to(user: User | None) -> Q:
    """Return the condition on matches that somebody, or with ``None`` anybody, may watch.

    These are all public matches, those that one plays, and those of one's clubs.
    """
    is_public = Q(is_private=False)
    if user is None:
        return is_public
    plays = Q(pk__in=played_by(user))
    is_member = Exists(MemberRow.objects.filter(club=OuterRef("club"), user=user))
    return is_public | plays | Q(is_member)


def may_watch(row: MatchRow, user: User | None) -> bool:
    """Return whether somebody may watch a match; for a public one the database is not asked."""
    return not row.is_private or MatchRow.objects.filter(visible_to(user), pk=row.pk).exists()


def match_for(request: HttpRequest, slug: str, rows: QuerySet[MatchRow] | None = None) -> MatchRow:
    """Return a match that whoever asks may watch.

    Who asks is looked up for a private match alone.

    Args:
        request: from whoever wants to see the match.
        slug: the match.
        rows: where to look for it, with what is needed besides.

    Raises:
        Http404: there is no such match, or not for them.
    """
    found = MatchRow.objects.all() if rows is None else rows
    row = found.filter(slug=slug).first()
    if row is None or (row.is_private and not may_watch(row, known_user(request))):
        raise Http404("there is no such match")
    return row

"""Who may look at a match."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.people.models import User


def visible_to(user: User | None) -> Q:
    """Return the condition on matches that somebody, or with ``None`` anybody, may watch."""
    is_public = Q(is_private=False)
    if user is None:
        return is_public
    return is_public | Q(Exists(SeatRow.objects.filter(match=OuterRef("pk"), user=user)))


def may_watch(row: MatchRow, user: User | None) -> bool:
    """Return whether somebody may watch a match."""
    return not row.is_private or MatchRow.objects.filter(visible_to(user), pk=row.pk).exists()

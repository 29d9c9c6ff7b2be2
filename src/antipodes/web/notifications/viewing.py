"""Who looks at which match right now: pages in sight say so, again and again."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.notifications.models import ViewingRow
from antipodes.web.notifications.services import see_match
from antipodes.web.platform.clock import now

_HOLDS = 90_000  # milliseconds; pages say it again every minute


def look(user: User, slug: str) -> int | None:
    """Note that somebody looks at a match; what they were told about it is seen.

    Returns:
        the key of the match, or ``None`` if they do not play in it.
    """
    match = MatchRow.objects.filter(slug=slug).values_list("pk", flat=True).first()
    if match is None:
        return None
    see_match(user, match)
    if not SeatRow.objects.filter(match=match, user=user).exists():
        return None
    until = now() + _HOLDS
    if not ViewingRow.objects.filter(user=user, match=match).update(until=until):
        try:
            with transaction.atomic():
                ViewingRow.objects.create(user=user, match_id=match, until=until)
        except IntegrityError:
            pass  # another page of theirs has just said the same
    return match


def look_away(user: User, match: int) -> None:
    """Note that somebody looks at a match no longer."""
    ViewingRow.objects.filter(user=user, match=match).delete()

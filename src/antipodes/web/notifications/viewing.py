"""Marks of players who view a match now; visible pages renew them."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from antipodes.web.accounts.models import User
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.notifications.models import ViewingRow
from antipodes.web.notifications.services import mark_match_seen
from antipodes.web.platform.clock import now

_LIFETIME = 90_000  # milliseconds; pages renew it every minute


def start_viewing(user: User, slug: str) -> int | None:
    """Mark a match as viewed by a user, and its notifications as seen.

    Returns:
        the key of the match, or ``None`` if the user does not play in it.
    """
    match = MatchRow.objects.filter(slug=slug).values_list("pk", flat=True).first()
    if match is None:
        return None
    mark_match_seen(user, match)
    if not SeatRow.objects.filter(match=match, user=user).exists():
        return None
    until = now() + _LIFETIME
    if not ViewingRow.objects.filter(user=user, match=match).update(until=until):
        try:
            with transaction.atomic():
                ViewingRow.objects.create(user=user, match_id=match, until=until)
        except IntegrityError:
            pass  # another page of the user was faster
    return match


def stop_viewing(user: User, match: int) -> None:
    """Remove the mark when the user stops viewing the match."""
    ViewingRow.objects.filter(user=user, match=match).delete()

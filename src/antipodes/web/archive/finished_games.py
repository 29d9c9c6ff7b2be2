"""The finished matches of somebody: the last ones, and how many there are.

The archive has them in order, however many they are. Those that it does not know yet are few.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Max, Q, QuerySet

from antipodes.web.accounts.models import User
from antipodes.web.archive.models import GameRow, PlayerRow, ShelfRow
from antipodes.web.clubs.models import MemberRow
from antipodes.web.matches.access import visible_to
from antipodes.web.matches.models import MatchRow

_MOST_SEATS = 4  # of one person at a match
_LATE = 3_600_000  # milliseconds by which the archive may file matches out of order
_MOST_LATE = 1_000  # matches that have ended but wait to be filed


def private_watched_by(user: User) -> QuerySet[Any, Any]:
    """Return the keys of the private games that somebody may watch, as far as they are filed.

    It is what `visible_to` says of them. But this is a list that is made once, of those who play
    and of clubs, and private games are found by it; that is a question about each of them.
    """
    clubs = MemberRow.objects.filter(user=user).values("club")
    of_clubs = MatchRow.objects.filter(is_private=True, club__in=clubs).order_by().values("pk")
    played = PlayerRow.objects.filter(user=user, shelf__in=_private_shelves())
    return of_clubs.union(played.order_by().values("game_id"))


def last_finished(person: User, viewer: User | None, most: int) -> QuerySet[MatchRow]:
    """Return the matches of somebody that ended last, of those that whoever looks may see."""
    filed = _filed(person, viewer).order_by("-ended_at", "-game_id")
    latest = filed.values_list("game_id", flat=True)[: most * _MOST_SEATS]
    keys = [*_unfiled(person, viewer).values_list("pk", flat=True), *latest]
    return MatchRow.objects.filter(pk__in=keys).order_by("-ended_at")[:most]


def count_finished(person: User, viewer: User | None) -> int:
    """Return how many matches of somebody have ended, of those that whoever looks may see."""
    # In the order of the index: so somebody who sits on several seats is no work to find.
    filed = _filed(person, viewer).order_by().values("ended_at", "game_id").distinct()
    return filed.count() + _unfiled(person, viewer).count()


def _private_shelves() -> QuerySet[ShelfRow, Any]:
    return ShelfRow.objects.filter(is_private=True).values("pk")


def _filed(person: User, viewer: User | None) -> QuerySet[PlayerRow]:
    """Return somebody's seats in the archive."""
    rows = PlayerRow.objects.filter(user=person)
    if viewer == person:
        return rows
    may_see = ~Q(shelf__in=_private_shelves())
    if viewer is not None:
        may_see |= Q(game__in=private_watched_by(viewer))
    return rows.filter(may_see)


def _unfiled(person: User, viewer: User | None) -> QuerySet[MatchRow]:
    """Return the matches that have ended so lately that the archive does not know them yet."""
    last = GameRow.objects.aggregate(last=Max("ended_at"))["last"] or 0
    late = MatchRow.objects.filter(ended_at__gte=last - _LATE, archived=None)
    # Asked for by itself: a database might else go through all that they have ever played.
    keys = list(late.order_by("-ended_at").values_list("pk", flat=True)[:_MOST_LATE])
    return MatchRow.objects.filter(visible_to(viewer), pk__in=keys, seats__user=person).distinct()

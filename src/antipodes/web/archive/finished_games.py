"""Queries for a player's finished matches.

The archive has them in an index. The few that are not archived yet are added.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.db.models import Max, Q, QuerySet

from antipodes.clocks import HOUR
from antipodes.web.accounts.models import User
from antipodes.web.archive.facts import facts_of
from antipodes.web.archive.models import BucketRow, GameRow, PlayerRow
from antipodes.web.clubs.models import MemberRow
from antipodes.web.matches.access import visible_to
from antipodes.web.matches.models import MatchRow
from antipodes.web.ratings.models import RatingChange

_MOST_SEATS = 4  # seats of one player at a match
_MAX_DELAY = HOUR  # milliseconds by which matches may be archived out of order
_MOST_UNARCHIVED = 1_000  # finished matches that are not archived yet


def private_watched_by(user: User) -> QuerySet[Any, Any]:
    """Return the ids of the archived private games that a user may watch.

    It selects the same games as `visible_to`. But this list of ids is built once, from seats and
    clubs, and private games are looked up by it, while `visible_to` is checked for each game.
    """
    clubs = MemberRow.objects.filter(user=user).values("club")
    of_clubs = MatchRow.objects.filter(is_private=True, club__in=clubs).order_by().values("pk")
    played = PlayerRow.objects.filter(user=user, bucket__in=_private_buckets())
    return of_clubs.union(played.order_by().values("game_id"))


def last_finished(person: User, viewer: User | None, most: int) -> QuerySet[MatchRow]:
    """Return a player's last finished matches that the viewer may see."""
    archived = archived_seats(person, viewer).order_by("-ended_at", "-game_id")
    latest = archived.values_list("game_id", flat=True)[: most * _MOST_SEATS]
    keys = [*_unarchived(person, viewer).values_list("pk", flat=True), *latest]
    return MatchRow.objects.filter(pk__in=keys).order_by("-ended_at")[:most]


def count_finished(person: User, viewer: User | None) -> int:
    """Return the number of a player's finished matches that the viewer may see."""
    # In the order of the index, so that several seats of the player at a match cost no sorting.
    archived = archived_seats(person, viewer).order_by().values("ended_at", "game_id").distinct()
    return archived.count() + _unarchived(person, viewer).count()


def outcomes_of(person: User, rows: Iterable[MatchRow]) -> dict[int, RatingChange.Outcome]:
    """Return whether a player won, drew or lost finished matches, by the keys of these.

    Aborted games have no outcome, nor have games in which the player had seats of several sides.
    Where one of several players gave up, that player has lost, and the others neither won nor lost.
    """
    known = {row.pk: row for row in rows}
    seats = PlayerRow.objects.filter(user=person, game__in=known)
    outcomes: defaultdict[int, set[RatingChange.Outcome | None]] = defaultdict(set)
    for key, color in seats.values_list("game", "color"):
        outcomes[key].add(_outcome(known[key], color))
    others = MatchRow.objects.filter(pk__in=known.keys() - outcomes.keys())
    for row in others.prefetch_related("events", "seats", "series"):
        facts = facts_of(row)
        for seat in (one.number for one in row.seats.all() if one.user_id == person.pk):
            outcomes[row.pk].add(_outcome(row, facts.colors[seat]))
    single = {key: next(iter(some)) for key, some in outcomes.items() if len(some) == 1}
    return {key: outcome for key, outcome in single.items() if outcome is not None}


def _outcome(row: MatchRow, color: str) -> RatingChange.Outcome | None:
    if row.winner:
        return RatingChange.Outcome.WON if color == row.winner else RatingChange.Outcome.LOST
    if row.loser:
        return RatingChange.Outcome.LOST if color == row.loser else None
    is_draw = row.result is not None and row.result.is_draw
    return RatingChange.Outcome.DREW if is_draw else None


def _private_buckets() -> QuerySet[BucketRow, Any]:
    return BucketRow.objects.filter(is_private=True).values("pk")


def archived_seats(person: User, viewer: User | None) -> QuerySet[PlayerRow]:
    """Return a player's seats in the archive, of games that the viewer may see."""
    rows = PlayerRow.objects.filter(user=person)
    if viewer == person:
        return rows
    visible = ~Q(bucket__in=_private_buckets())
    if viewer is not None:
        visible |= Q(game__in=private_watched_by(viewer))
    return rows.filter(visible)


def _unarchived(person: User, viewer: User | None) -> QuerySet[MatchRow]:
    """Return a player's recently finished matches that are not archived yet."""
    last = GameRow.objects.aggregate(last=Max("ended_at"))["last"] or 0
    recent = MatchRow.objects.filter(ended_at__gte=last - _MAX_DELAY, archived=None)
    # A query of its own; otherwise the database might scan all matches of the player.
    keys = list(recent.order_by("-ended_at").values_list("pk", flat=True)[:_MOST_UNARCHIVED])
    if not keys:
        return MatchRow.objects.none()
    return MatchRow.objects.filter(visible_to(viewer), pk__in=keys, seats__user=person).distinct()

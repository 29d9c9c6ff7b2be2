"""What changes ratings: matches that have ended are counted, each once, in the order of their ends.

Whoever counts does so under a lock of the pool, and looks whether it has been done. A match that
comes to light after later ones were counted, because its transaction was slow, is put in its place:
the later ones are taken back and counted again. So it never matters who counts, and when.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from antipodes.errors import InputError
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform.clock import now
from antipodes.web.platform.periodic import every
from antipodes.web.ratings.book import Book
from antipodes.web.ratings.classes import board_class_of, speed_of_text
from antipodes.web.ratings.models import PoolRow, RatedUntil, RatingChange, Unrated
from antipodes.web.ratings.outcomes import rated_game

_SHORT = 0.3  # seconds that a round may take, because fallen flags wait for it
_BATCH = 100  # matches that are looked up at a time
# Milliseconds. What ended at one time becomes known within the settling, as a rule; within the
# margin, for certain.
_SETTLING = 500
_MARGIN = 15 * 60_000
_SELDOM = 60_000  # milliseconds between two notes of how far it is

logger = logging.getLogger(__name__)


@every(2)
def rate_finished() -> None:
    """Rate the matches that have ended; what a short time is not enough for waits for the next."""
    _rate_from(_rated_until(), time.monotonic() + _SHORT)


def rate_all() -> int:
    """Rate every match that has ended and is not rated yet; return how many were looked at."""
    return _rate_from(0, None)


def recalculate() -> int:
    """Calculate all ratings anew, from the first match on; return how many matches were counted.

    What matches ended with is kept with the ratings, so that no match is replayed. Each pool is
    one transaction: on SQLite nobody can move as long as it takes.
    """
    rate_all()
    counted = 0
    for pool in PoolRow.objects.order_by("pk"):
        with transaction.atomic():
            book = Book(locked_pool(pool))
            games = book.take_back()
            book.count(games)
            book.save()
            counted += len(games)
    return counted


def _rate_from(since: int, end: float | None) -> int:
    """Rate what ended after an instant, until a time is over; return how many were looked at."""
    until, looked_at = now() - _SETTLING, 0
    reached = until
    for row in _waiting(since - _MARGIN, until):
        if end is not None and time.monotonic() > end:
            reached = row.ended_at or 0
            break
        rate(row)
        looked_at += 1
    _note_rated_until(reached)
    return looked_at


def _waiting(since: int, until: int) -> Iterator[MatchRow]:
    """Return matches that are to be rated, in the order of their ends."""
    while True:
        rows = _unrated().filter(ended_at__gte=since, ended_at__lte=until)
        batch = list(rows.order_by("ended_at", "pk")[:_BATCH])
        if not batch:
            return
        yield from batch
        since = batch[-1].ended_at or since


def _unrated() -> QuerySet[MatchRow]:
    of_match = Q(match=OuterRef("pk"))
    return MatchRow.objects.filter(
        ~Exists(RatingChange.objects.filter(of_match)),
        ~Exists(Unrated.objects.filter(of_match)),
        rated=True,
    )


def rate(row: MatchRow) -> None:
    """Rate a match that has ended, unless that has been done."""
    try:
        game = rated_game(row)
    except (InputError, LookupError, TypeError, ValueError):
        # One that cannot be read must not keep all others waiting.
        logger.exception("%s cannot be rated", row)
        game = Unrated.Reason.UNREADABLE
    if isinstance(game, Unrated.Reason):
        Unrated.objects.get_or_create(match=row, defaults={"reason": game})
        return
    pool, _ = PoolRow.objects.get_or_create(
        game_id=row.game_id,
        speed=speed_of_text(row.control),
        board_class=board_class_of(row.game),
    )
    with transaction.atomic():
        book = Book(locked_pool(pool))
        of_match = RatingChange.objects.filter(match=row), Unrated.objects.filter(match=row)
        if any(found.exists() for found in of_match):
            return
        later = book.take_back(after=(game.at, game.match))
        book.count([game, *later])
        book.save()


def locked_pool(pool: PoolRow) -> PoolRow:
    """Return a pool that nobody else counts in until the transaction ends."""
    return PoolRow.objects.select_for_update().get(pk=pool.pk)


def _rated_until() -> int:
    return RatedUntil.objects.values_list("at", flat=True).first() or 0


def _note_rated_until(at: int) -> None:
    if at - _rated_until() < _SELDOM:
        return
    RatedUntil.objects.get_or_create(pk=1)
    RatedUntil.objects.filter(pk=1, at__lt=at).update(at=at)

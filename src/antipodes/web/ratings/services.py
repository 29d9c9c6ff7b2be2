"""Rate finished matches, each once, in the order of their ends.

A pool is locked while a match is rated, after a check that it has not been rated yet. If a match
becomes visible only after later ones were rated, because its transaction was slow, the later ones
are undone and rated again. So ratings do not depend on which process rates a match, or when.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from antipodes.clocks import MINUTE
from antipodes.errors import InputError
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform.clock import now
from antipodes.web.platform.outages import optional_write
from antipodes.web.ratings.classes import board_class_of, speed_of_text
from antipodes.web.ratings.models import PoolRow, RatedMatch, RatedUntil, Unrated
from antipodes.web.ratings.outcomes import RatedGame, rated_game, with_advantages
from antipodes.web.ratings.pool_ratings import PoolRatings

_MAX_SECONDS = 0.3  # of one run of the task, because expired clocks wait for it
_BATCH = 100  # matches per query
# Milliseconds. A finished match usually becomes visible within the delay, and always within the
# margin.
_DELAY = 500
_MARGIN = 15 * MINUTE
_SAVE_INTERVAL = MINUTE  # milliseconds between updates of `RatedUntil`

logger = logging.getLogger(__name__)


def rate_finished() -> None:
    """Rate finished matches, for a limited time; the next run continues."""
    _rate_from(_rated_until(), time.monotonic() + _MAX_SECONDS)


def rate_all() -> int:
    """Rate all finished matches that are not rated yet; return the number of matches checked."""
    return _rate_from(0, None)


def recalculate() -> int:
    """Recalculate all ratings from the first match on; return the number of matches.

    Outcomes are stored with the ratings, so no match is replayed; the advantages of colours are
    those of the present measurements. Each pool is one transaction: with SQLite no moves can be
    made meanwhile.
    """
    rate_all()
    count = 0
    for pool in PoolRow.objects.order_by("pk"):
        with transaction.atomic():
            ratings = PoolRatings(lock_pool(pool))
            games = _with_present_advantages(ratings.undo())
            ratings.rate(games)
            ratings.save()
            count += len(games)
    return count


def _with_present_advantages(games: Sequence[RatedGame]) -> list[RatedGame]:
    found = []
    for first in range(0, len(games), _BATCH):
        some = games[first : first + _BATCH]
        rows = MatchRow.objects.only("game_id", "options", "start")
        by_id = rows.in_bulk([one.match for one in some])
        found += [with_advantages(one, by_id[one.match]) for one in some]
    return found


def _rate_from(since: int, deadline: float | None) -> int:
    """Rate matches that ended after a time, until a deadline; return the number checked."""
    until, count = now() - _DELAY, 0
    reached = until
    for row in _unrated_between(since - _MARGIN, until):
        if deadline is not None and time.monotonic() > deadline:
            reached = row.ended_at or 0
            break
        rate(row)
        count += 1
    _save_rated_until(reached)
    return count


def _unrated_between(since: int, until: int) -> Iterator[MatchRow]:
    """Yield unrated matches that ended in a period, in the order of their ends."""
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
        ~Exists(RatedMatch.objects.filter(of_match)),
        ~Exists(Unrated.objects.filter(of_match)),
        rated=True,
    )


def rate(row: MatchRow) -> None:
    """Rate a finished match, unless it has been rated."""
    try:
        game = rated_game(row)
    except (InputError, LookupError, TypeError, ValueError):
        # A corrupt match must not block the others.
        logger.exception("ratings match unreadable match=%s", row.slug)
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
        ratings = PoolRatings(lock_pool(pool))
        of_match = RatedMatch.objects.filter(match=row), Unrated.objects.filter(match=row)
        if any(rows.exists() for rows in of_match):
            return
        later = ratings.undo(after=(game.at, game.match))
        ratings.rate([game, *later])
        ratings.save()


def rate_at_once(row: MatchRow) -> None:
    """Rate a match that has just ended, for its viewers, without waiting for the task.

    While the disk cannot be written nothing happens; the task rates the match later.
    """
    if row.ended_at is not None and _unrated().filter(pk=row.pk).exists():
        with optional_write("ratings of a match"):
            rate(row)


def lock_pool(pool: PoolRow) -> PoolRow:
    """Lock a pool until the transaction ends, and return its row."""
    return PoolRow.objects.select_for_update().get(pk=pool.pk)


def lock_pools(**_: object) -> None:
    """Lock all pools until the transaction ends, so that no match is being rated meanwhile."""
    list(PoolRow.objects.select_for_update().order_by("pk"))


def _rated_until() -> int:
    return RatedUntil.objects.values_list("at", flat=True).first() or 0


def _save_rated_until(at: int) -> None:
    if at - _rated_until() < _SAVE_INTERVAL:
        return
    RatedUntil.objects.get_or_create(pk=1)
    RatedUntil.objects.filter(pk=1, at__lt=at).update(at=at)

"""Laws of matches: moves stay, results follow, ratings can be computed again."""

from __future__ import annotations

from collections.abc import Iterator

from antipodes.web.town.town import Town

_DIGITS = 6  # of ratings that are compared


def ratings_are_those_computed_again(_town: Town) -> Iterator[str]:
    """All ratings equal those that are computed again from the games."""
    from django.db import transaction

    from antipodes.web.ratings import services

    services.rate_all()
    before = _ratings()
    with transaction.atomic():
        services.recalculate()
        after = _ratings()
        transaction.set_rollback(True)
    for key in sorted(before.keys() | after.keys()):
        if before.get(key) != after.get(key):
            yield f"user {key[1]} in pool {key[0]} has {before.get(key)}, again {after.get(key)}"


def _ratings() -> dict[tuple[int, int], tuple[float, ...]]:
    """Return value, deviation and volatility of each user in each pool."""
    from antipodes.web.ratings.models import RatingRow

    return {
        (row.pool_id, row.user_id): tuple(
            round(number, _DIGITS) for number in (row.value, row.deviation, row.volatility)
        )
        for row in RatingRow.objects.all()
    }


def matches_can_be_replayed(_town: Town) -> Iterator[str]:
    """The events of a match lead to what its row says."""
    from antipodes.web.matches.models import MatchRow
    from antipodes.web.matches.snapshots import look_up

    for row in MatchRow.objects.all():
        match = look_up(row.slug).match
        if (match.result is None) != (row.ended_at is None):
            yield f"match {row.slug}: its row says ended at {row.ended_at}, its events do not"


def no_job_stays(_town: Town) -> Iterator[str]:
    """No job waits when everything has been worked off."""
    from antipodes.web.jobs.models import JobRow

    for row in JobRow.objects.all():
        yield f"job {row.kind} {row.key} stays"

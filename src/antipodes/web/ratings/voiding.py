"""Void the ratings of matches on behalf of moderators, and restore them.

Moderators only mark a match. A periodic task finds marks that are not applied yet: it undoes all
later changes in the match's pool, and rates the later matches again, with or without the match. So
ratings are as if the match had never counted, or had always counted.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from antipodes.errors import InputError
from antipodes.web.matches.models import MatchRow
from antipodes.web.ratings.models import PoolRow, RatedMatch, Unrated
from antipodes.web.ratings.pool_ratings import PoolRatings
from antipodes.web.ratings.services import lock_pool, rate

Reason = Unrated.Reason


def counts(row: MatchRow) -> bool:
    """Return whether a match is rated, or will be shortly."""
    if not row.rated or row.ended_at is None:
        return False
    return not Unrated.objects.filter(match=row).exclude(reason=Reason.RESTORED).exists()


def is_voided(row: MatchRow) -> bool:
    """Return whether moderators have voided the ratings of a match."""
    return Unrated.objects.filter(match=row, reason=Reason.VOIDED).exists()


def void(row: MatchRow) -> None:
    """Void the ratings of a match.

    Raises:
        InputError: the match is not rated.
    """
    if not counts(row):
        message = _("%(match)s is not rated") % {"match": row}
        raise InputError.single("moderation/not-rated", message)
    Unrated.objects.update_or_create(match=row, defaults={"reason": Reason.VOIDED})


def restore(row: MatchRow) -> None:
    """Restore the voided ratings of a match.

    Raises:
        InputError: the match has not been voided.
    """
    if not Unrated.objects.filter(match=row, reason=Reason.VOIDED).update(reason=Reason.RESTORED):
        message = _("%(match)s has not been voided") % {"match": row}
        raise InputError.single("moderation/over", message)


def apply_marks() -> None:
    """Apply the moderators' marks: undo voided matches, and rate restored ones."""
    for pool in PoolRow.objects.filter(pk__in=_voided().values("pool")):
        _undo_voided(pool)
    for mark in Unrated.objects.filter(reason=Reason.RESTORED).select_related("match"):
        with transaction.atomic():
            if Unrated.objects.filter(pk=mark.pk, reason=Reason.RESTORED).delete()[0]:
                rate(mark.match)


def _voided() -> QuerySet[RatedMatch]:
    """Return the voided matches that are not undone yet."""
    return RatedMatch.objects.filter(match__unrated__reason=Reason.VOIDED)


@transaction.atomic
def _undo_voided(pool: PoolRow) -> None:
    """Rate a pool again from its first voided match on, without the voided ones."""
    ratings = PoolRatings(lock_pool(pool))
    rows = _voided().filter(pool=pool).order_by("at", "match")
    first = rows.first()
    if first is None:
        return  # another process has done it
    voided = set(rows.values_list("match", flat=True))
    games = ratings.undo(after=(first.at, first.match_id - 1))
    ratings.rate([game for game in games if game.match not in voided])
    ratings.save()

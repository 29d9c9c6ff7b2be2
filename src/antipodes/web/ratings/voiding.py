"""Taking back what matches made of ratings, because moderators say so, and counting them again.

Moderators only leave a mark. A round looks for marks of which the ratings know nothing yet: then it
takes back all that came after the match in its pool and counts it again, without the match or with
it. So ratings are what they would be if they had been counted so from the beginning.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from antipodes.errors import InputError
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform.periodic import every
from antipodes.web.ratings.book import Book
from antipodes.web.ratings.models import PoolRow, RatingChange, Unrated
from antipodes.web.ratings.services import locked_pool, rate

Reason = Unrated.Reason


def counts(row: MatchRow) -> bool:
    """Return whether a match counts for ratings, or will in a moment."""
    if not row.rated or row.ended_at is None:
        return False
    return not Unrated.objects.filter(match=row).exclude(reason=Reason.RESTORED).exists()


def is_voided(row: MatchRow) -> bool:
    """Return whether moderators have taken back what a match made of ratings."""
    return Unrated.objects.filter(match=row, reason=Reason.VOIDED).exists()


def void(row: MatchRow) -> None:
    """Let a match count no longer.

    Raises:
        InputError: it does not count.
    """
    if not counts(row):
        message = _("%(match)s does not count for ratings") % {"match": row}
        raise InputError.single("moderation/not-rated", message)
    Unrated.objects.update_or_create(match=row, defaults={"reason": Reason.VOIDED})


def restore(row: MatchRow) -> None:
    """Let a match count again.

    Raises:
        InputError: moderators have not taken it back.
    """
    if not Unrated.objects.filter(match=row, reason=Reason.VOIDED).update(reason=Reason.RESTORED):
        message = _("nobody has taken back what %(match)s made of ratings") % {"match": row}
        raise InputError.single("moderation/over", message)


@every(2)
def settle() -> None:
    """Count again what moderators have changed since the last round."""
    for pool in PoolRow.objects.filter(pk__in=_voided().values("pool")):
        _count_without(pool)
    for mark in Unrated.objects.filter(reason=Reason.RESTORED).select_related("match"):
        with transaction.atomic():
            if Unrated.objects.filter(pk=mark.pk, reason=Reason.RESTORED).delete()[0]:
                rate(mark.match)


def _voided() -> QuerySet[RatingChange]:
    """Return what voided matches have made of ratings, and is not taken back yet."""
    return RatingChange.objects.filter(match__unrated__reason=Reason.VOIDED)


@transaction.atomic
def _count_without(pool: PoolRow) -> None:
    """Count a pool again from its first voided match on, without any of these."""
    book = Book(locked_pool(pool))
    changes = _voided().filter(pool=pool).order_by("at", "match")
    first = changes.first()
    if first is None:
        return  # somebody else was quicker
    voided = set(changes.values_list("match", flat=True))
    games = book.take_back(after=(first.at, first.match_id - 1))
    book.count([game for game in games if game.match not in voided])
    book.save()

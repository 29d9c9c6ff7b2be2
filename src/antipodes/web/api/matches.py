"""Matches for programs: found for whoever may see them, and told in the shapes of the interface."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.matches import MatchLineShape, MatchPage
from antipodes.web.api.schemas.people import person_shape
from antipodes.web.matches.access import may_watch
from antipodes.web.matches.labels import game_words
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.snapshots import MatchSnapshot, shown


def find_match(slug: str, user: User | None) -> MatchRow:
    """Return a match that somebody may watch.

    Raises:
        InterfaceError: there is none for them.
    """
    row = MatchRow.objects.select_related("series").filter(slug=slug).first()
    if row is None or not may_watch(row, user):
        raise not_found(_("There is no match %(slug)s.") % {"slug": shorten(slug)})
    return row


def find_standing(slug: str, user: User | None) -> MatchSnapshot:
    """Return how a match stands that somebody may watch.

    Raises:
        InterfaceError: there is none for them.
    """
    return shown(find_match(slug, user))


def match_line(row: MatchRow, user: User | None) -> MatchLineShape:
    """Return the shape of a match in a list; its seats should have been fetched with it."""
    seats = list(row.seats.all())
    return MatchLineShape(
        slug=row.slug,
        version=row.version,
        game=row.game_id,
        title=game_words(row.game_id, row.options),
        options=row.options,
        control=row.control,
        rated=row.rated,
        private=row.is_private,
        begun=row.begun_at,
        changed=row.changed_at,
        ended=row.ended_at,
        result=row.result or None,
        to_move=row.seat_to_move,
        deadline=row.deadline,
        seats=[person_shape(seat.user) for seat in seats],
        own=[seat.number for seat in seats if user is not None and seat.user_id == user.pk],
    )


def match_page(
    rows: QuerySet[MatchRow], user: User | None, *, by: str, before: int | None, count: int
) -> MatchPage:
    """Return one page of matches, the latest first.

    Args:
        rows: which.
        user: who looks.
        by: the field with the time that orders them.
        before: matches at this time or later are left out.
        count: how many at most.
    """
    if before is not None:
        rows = rows.filter(**{f"{by}__lt": before})
    found = list(rows.prefetch_related(seated()).order_by(f"-{by}", "-pk")[: count + 1])
    shown = _whole_moments(found, by, count)
    following = str(getattr(shown[-1], by)) if len(found) > len(shown) else None
    return MatchPage(matches=[match_line(row, user) for row in shown], next=following)


def _whole_moments(found: list[MatchRow], by: str, count: int) -> list[MatchRow]:
    """Return the rows of a page; what is of the same moment is not torn apart.

    So the time of the last one is enough to ask for the next page.
    """
    if len(found) <= count:
        return found
    cut = getattr(found[-1], by)
    kept = [row for row in found if getattr(row, by) != cut]
    return kept or found


def shown_lines(rows: Iterable[MatchRow], user: User | None) -> list[MatchLineShape]:
    """Return the shapes of some matches."""
    return [match_line(row, user) for row in rows]

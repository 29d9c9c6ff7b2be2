"""Matches: access and conversion to responses."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.matches import MatchPageOut, MatchSummaryOut
from antipodes.web.api.schemas.people import person_out
from antipodes.web.matches.access import may_watch
from antipodes.web.matches.labels import game_label
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.matches.snapshots import MatchSnapshot, result_view, shown


def find_match(slug: str, user: User | None) -> MatchRow:
    """Return a match that a user may watch.

    Raises:
        ApiError: there is none, or it is private to others.
    """
    row = MatchRow.objects.select_related("series").filter(slug=slug).first()
    if row is None or not may_watch(row, user):
        raise not_found(_("There is no match %(slug)s.") % {"slug": shorten(slug)})
    return row


def find_snapshot(slug: str, user: User | None) -> MatchSnapshot:
    """Return the snapshot of a match that a user may watch.

    Raises:
        ApiError: there is none, or it is private to others.
    """
    return shown(find_match(slug, user))


def match_summary(row: MatchRow, user: User | None) -> MatchSummaryOut:
    """Return a match, with its seats prefetched, as an item of a list."""
    seats = list(row.seats.all())
    return MatchSummaryOut(
        slug=row.slug,
        version=row.version,
        game=row.game_id,
        title=game_label(row.game_id, row.options),
        options=row.options,
        control=row.control,
        rated=row.rated,
        private=row.is_private,
        begun=row.begun_at,
        changed=row.changed_at,
        ended=row.ended_at,
        **result_view(row.result),
        to_move=row.seat_to_move,
        deadline=row.deadline,
        seats=[person_out(seat.user) for seat in seats],
        own=[seat.number for seat in seats if user is not None and seat.user_id == user.pk],
    )


def match_page(
    rows: QuerySet[MatchRow], user: User | None, *, by: str, before: int | None, count: int
) -> MatchPageOut:
    """Return one page of matches, the latest first.

    Args:
        rows: all matches.
        user: the viewer.
        by: name of the time field that orders them.
        before: leave out matches at this time or later.
        count: the maximum number, unless more matches have the same time.
    """
    if before is not None:
        rows = rows.filter(**{f"{by}__lt": before})
    ordered = rows.prefetch_related(seated()).order_by(f"-{by}", "-pk")
    page = list(ordered[: count + 1])
    has_more = len(page) > count
    if has_more:
        # Rows of one time stay together: that of the last row is enough to request the next page.
        cut = getattr(page[-1], by)
        page = [row for row in page if getattr(row, by) != cut]
        if not page:
            page = list(ordered.filter(**{by: cut}))
            has_more = rows.filter(**{f"{by}__lt": cut}).exists()
    following = str(getattr(page[-1], by)) if has_more else None
    return MatchPageOut(matches=[match_summary(row, user) for row in page], next=following)

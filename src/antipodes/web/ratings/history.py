"""Queries for the history of a rating, by game and by month."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from antipodes.clocks import DAY
from antipodes.web.accounts.models import User
from antipodes.web.matches.access import visible_to
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.ratings.glicko import PROVISIONAL_DEVIATION
from antipodes.web.ratings.models import PoolRow, RatingChange

_LATEST = 20  # changes that are listed individually


class Point(NamedTuple):
    """A rating after a match.

    Attributes:
        at: end of the match, in milliseconds since 1970.
        value: the rating.
        deviation: its standard deviation.
        outcome: the user's outcome of the match.
    """

    at: int
    value: float
    deviation: float
    outcome: str

    @property
    def is_provisional(self) -> bool:
        return self.deviation > PROVISIONAL_DEVIATION

    @property
    def day(self) -> datetime:
        """End of the match."""
        return moment(self.at)


@dataclass(frozen=True, slots=True)
class Month:
    """A month with rated games.

    Attributes:
        first: first day of the month.
        games: number of rated games.
        last: the rating at the end of the month.
    """

    first: date
    games: int
    last: Point


@dataclass(frozen=True, slots=True)
class History:
    """The history of a user's rating in a pool.

    Attributes:
        points: the rating after each match, oldest first.
        months: months with rated games, latest first.
        counts: numbers of matches won, drawn and lost.
        best: the highest rating that was not provisional.
    """

    points: list[Point]
    months: list[Month]
    counts: dict[str, int]
    best: Point | None


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """The change of a rating by one match.

    Attributes:
        at: end of the match.
        slug: the match; empty if the viewer may not watch it.
        opponents: the other players; empty if the viewer may not watch the match.
        outcome: the user's outcome.
        value: the rating afterwards, rounded.
        gain: the difference, with a sign.
        is_provisional: whether the rating was provisional.
    """

    at: datetime
    slug: str
    opponents: tuple[User, ...]
    outcome: RatingChange.Outcome
    value: int
    gain: str
    is_provisional: bool


def moment(milliseconds: int) -> datetime:
    """Convert milliseconds since 1970 to a datetime."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def history(user: User, pool: PoolRow) -> History:
    """Return the history of a user's rating in a pool, with one query."""
    changes = RatingChange.objects.filter(user=user, pool=pool).order_by("at", "match")
    rows = changes.values_list("at", "value", "deviation", "outcome")
    points = [Point._make(row) for row in rows.iterator(chunk_size=5_000)]
    established = (point for point in points if not point.is_provisional)
    counts = Counter(point.outcome for point in points)
    return History(
        points=points,
        months=_months(points),
        counts={outcome.value: counts[outcome.value] for outcome in RatingChange.Outcome},
        best=max(established, key=lambda point: point.value, default=None),
    )


def _months(points: Sequence[Point]) -> list[Month]:
    months = []
    for first, of_month in groupby(points, key=lambda one: _month(one.at // DAY)):
        together = list(of_month)
        months.append(Month(first, len(together), together[-1]))
    return months[::-1]


@lru_cache(maxsize=20_000)
def _month(day: int) -> date:
    """Return the first day of the month of a day, counted from 1970."""
    return moment(day * DAY).date().replace(day=1)


def latest_changes(user: User, pool: PoolRow, viewer: User | None) -> list[ChangeLine]:
    """Return the changes of a rating by the last matches, with three queries."""
    changes = list(
        RatingChange.objects.filter(user=user, pool=pool).order_by("-at", "-match")[:_LATEST]
    )
    keys = [change.match_id for change in changes]
    visible = MatchRow.objects.filter(visible_to(viewer), pk__in=keys)
    matches = visible.prefetch_related(seated()).in_bulk()
    return [_change_line(change, matches.get(change.match_id)) for change in changes]


def _change_line(change: RatingChange, match: MatchRow | None) -> ChangeLine:
    seats = [] if match is None else list(match.seats.all())
    others = (seat.user for seat in seats if seat.user_id != change.user_id)
    return ChangeLine(
        at=moment(change.at),
        slug=match.slug if match else "",
        opponents=tuple(dict.fromkeys(others)),
        outcome=RatingChange.Outcome(change.outcome),
        value=round(change.value),
        gain=f"{round(change.value) - round(change.value_before):+d}",
        is_provisional=change.deviation > PROVISIONAL_DEVIATION,
    )

"""How a rating has changed: as numbers, month by month, and as a drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import groupby
from typing import NamedTuple

from antipodes.web.accounts.models import User
from antipodes.web.matches.access import visible_to
from antipodes.web.matches.models import MatchRow, seated
from antipodes.web.ratings.glicko import PROVISIONAL
from antipodes.web.ratings.models import PoolRow, RatingChange

_DAY = 86_400_000  # milliseconds
_LATEST = 20  # changes that are listed one by one


class Point(NamedTuple):
    """A rating after a match.

    Attributes:
        at: end of the match, in milliseconds since 1970.
        value: the rating.
        deviation: its standard deviation.
        outcome: how the match ended for the user.
    """

    at: int
    value: float
    deviation: float
    outcome: str

    @property
    def is_provisional(self) -> bool:
        """Whether too little was known to compare the player with others."""
        return self.deviation > PROVISIONAL

    @property
    def day(self) -> datetime:
        """When the match ended."""
        return moment(self.at)


@dataclass(frozen=True, slots=True)
class Month:
    """What became of a rating in a month.

    Attributes:
        first: its first day.
        games: how many rated games there were.
        last: the rating at its end.
    """

    first: date
    games: int
    last: Point


@dataclass(frozen=True, slots=True)
class History:
    """All that has become of somebody's rating in a pool.

    Attributes:
        points: after each rated match, the first one first.
        months: those with rated games, the last one first.
        counts: how many matches were won, drawn and lost.
        best: the highest rating that was not provisional.
    """

    points: list[Point]
    months: list[Month]
    counts: dict[str, int]
    best: Point | None


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """What one match made of a rating.

    Attributes:
        at: when the match ended.
        slug: address of the match; empty where whoever looks may not watch it.
        opponents: names of the others, or none where they may not be known.
        outcome: how it ended.
        value: the rating after it, as it is shown.
        gain: the points won, with a sign.
        is_provisional: whether too little was known of the player.
    """

    at: datetime
    slug: str
    opponents: tuple[User, ...]
    outcome: RatingChange.Outcome
    value: int
    gain: str
    is_provisional: bool


def moment(milliseconds: int) -> datetime:
    """Return an instant as Django knows it."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def history(user: User, pool: PoolRow) -> History:
    """Return what has become of somebody's rating in a pool; one query."""
    changes = RatingChange.objects.filter(user=user, pool=pool).order_by("at", "match")
    rows = changes.values_list("at", "value", "deviation", "outcome")
    points = [Point._make(row) for row in rows.iterator(chunk_size=5_000)]
    settled = (point for point in points if point.deviation <= PROVISIONAL)
    counts = Counter(point.outcome for point in points)
    return History(
        points=points,
        months=_months(points),
        counts={outcome.value: counts[outcome.value] for outcome in RatingChange.Outcome},
        best=max(settled, key=lambda point: point.value, default=None),
    )


def _months(points: Sequence[Point]) -> list[Month]:
    months = []
    for first, of_month in groupby(points, key=lambda one: _month(one.at // _DAY)):
        together = list(of_month)
        months.append(Month(first, len(together), together[-1]))
    return months[::-1]


@lru_cache(maxsize=20_000)
def _month(day: int) -> date:
    """Return the first day of the month of a day, counted from 1970."""
    return moment(day * _DAY).date().replace(day=1)


def latest_changes(user: User, pool: PoolRow, viewer: User | None) -> list[ChangeLine]:
    """Return what the last rated matches have made of a rating; three queries."""
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
        is_provisional=change.deviation > PROVISIONAL,
    )

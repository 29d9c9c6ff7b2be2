"""The history of a rating as lines and labels; a template makes SVG of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from antipodes.web.ratings.history import Point, moment

# In the units of the picture.
WIDTH, HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 12, 30
_MOST = 360  # points that are drawn: two steps of the picture for each
_LIKELY = 2  # deviations on both sides: where the strength is with 95 %
_STEPS = (10, 20, 25, 50, 100, 200, 250, 500, 1_000, 2_000)
_LINES = 6  # across, at most
_DATES = 5
_DAY = 86_400_000  # milliseconds
_A_YEAR = 365 * _DAY


@dataclass(frozen=True, slots=True)
class Label:
    """A label of an axis.

    Attributes:
        x: where it stands, across.
        y: where it stands, down.
        value: a rating.
        day: a date, instead.
    """

    x: float
    y: float
    value: int = 0
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Drawing:
    """What a picture of a history has.

    Attributes:
        band: outline of where the strength was with 95 %.
        line: the ratings.
        provisional: the part of them in which too little was known, before the rest.
        last: where the last point is.
        values: labels at the left.
        days: labels below.
        has_months: whether days need not be told.
    """

    band: str
    line: str
    provisional: str
    last: tuple[float, float]
    values: list[Label]
    days: list[Label]
    has_months: bool
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    bottom: int = HEIGHT - _BOTTOM


class _Scale:
    """Where instants and ratings lie in the picture."""

    def __init__(self, points: Sequence[Point]) -> None:
        spreads = [_LIKELY * point.deviation for point in points if not point.is_provisional]
        values = [point.value for point in points]
        spread = max(spreads, default=100.0)
        self.low, self.high = min(values) - spread, max(values) + spread
        self.first, self.last = points[0].at, points[-1].at
        self.is_short = self.last - self.first < _DAY
        if self.is_short:  # in the middle
            middle = (self.first + self.last) // 2
            self.first, self.last = middle - _DAY // 2, middle + _DAY // 2

    def x(self, at: float) -> float:
        """Return where an instant lies."""
        share = (at - self.first) / (self.last - self.first)
        return round(_LEFT + share * (WIDTH - _LEFT - _RIGHT), 1)

    def y(self, value: float) -> float:
        """Return where a rating lies; what is outside lies at the edge."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(HEIGHT - _BOTTOM - share * (HEIGHT - _TOP - _BOTTOM), 1)


def draw(points: Sequence[Point]) -> Drawing | None:
    """Return a drawing of ratings, or ``None`` if there are none."""
    if not points:
        return None
    scale = _Scale(points)
    shown = _thinned(points, scale)
    settled = [number for number, one in enumerate(shown) if not one.is_provisional]
    # The first settled point belongs to both lines, so that they meet.
    begins = settled[0] if settled else len(shown)
    upper = [(one.at, one.value + _LIKELY * one.deviation) for one in shown]
    lower = [(one.at, one.value - _LIKELY * one.deviation) for one in reversed(shown)]
    return Drawing(
        band=_line(upper + lower, scale),
        line=_line([(one.at, one.value) for one in shown[begins:]], scale),
        provisional=_line([(one.at, one.value) for one in shown[: begins + 1]], scale),
        last=(scale.x(shown[-1].at), scale.y(shown[-1].value)),
        values=_values(scale),
        days=_days(scale),
        has_months=scale.last - scale.first > _A_YEAR,
    )


def _thinned(points: Sequence[Point], scale: _Scale) -> list[Point]:
    """Return the last point of each step across; a first and a last one are always there."""
    if len(points) <= _MOST:
        return list(points)
    width = (scale.last - scale.first) / _MOST
    last_of = {int((point.at - scale.first) / width): point for point in points}
    return [points[0], *(point for point in last_of.values() if point is not points[0])]


def _line(places: Sequence[tuple[float, float]], scale: _Scale) -> str:
    return " ".join(f"{scale.x(at)},{scale.y(value)}" for at, value in places)


def _values(scale: _Scale) -> list[Label]:
    room = scale.high - scale.low
    step = next((one for one in _STEPS if room / one <= _LINES), _STEPS[-1])
    first = -int(-scale.low // step) * step
    return [
        Label(_LEFT, scale.y(value), value=value) for value in range(first, int(scale.high), step)
    ]


def _days(scale: _Scale) -> list[Label]:
    room = scale.last - scale.first
    if scale.is_short:
        middle = scale.first + room // 2
        return [Label(scale.x(middle), HEIGHT - _BOTTOM / 3, day=moment(middle).date())]
    instants = [scale.first + room * (2 * number + 1) / (2 * _DATES) for number in range(_DATES)]
    days = dict.fromkeys(_noon(at) for at in instants)
    return [
        Label(scale.x(at), HEIGHT - _BOTTOM / 3, day=moment(at).date())
        for at in days
        if scale.first <= at <= scale.last
    ]


def _noon(at: float) -> int:
    return int(at // _DAY * _DAY + _DAY // 2)

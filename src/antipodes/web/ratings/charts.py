"""The history of a rating as a chart; the style sheet of the page paints it."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from antipodes.notation.svg.charts import Plane, chart, label, ticks
from antipodes.notation.svg.elements import element, group
from antipodes.web.ratings.history import Point, moment

# In the units of the picture.
_WIDTH, _HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 12, 30
_MOST = 360  # points that are drawn: two units of the picture for each
_LIKELY = 2  # deviations on both sides: where the strength is with 95 %
_DATES = 5
_DAY = 86_400_000  # milliseconds
_A_YEAR = 365 * _DAY


def history_chart(points: Sequence[Point], title: str) -> SafeString:
    """Draw the ratings after each game with a band of two deviations.

    Args:
        points: at least one rating, in the order of the games.
        title: what screen readers call the chart.
    """
    plane = _plane(points)
    shown = _thinned(points, plane)
    settled = [number for number, one in enumerate(shown) if not one.is_provisional]
    # The first settled point belongs to both lines, so that they meet.
    begins = settled[0] if settled else len(shown)
    spots = [(one.at, one.value) for one in shown]
    ends = [
        (one.at, one.value - _LIKELY * one.deviation, one.value + _LIKELY * one.deviation)
        for one in shown
    ]
    values = ticks(*plane.y_axis, most=6, least=10)
    last = {"cx": f"{plane.x(shown[-1].at):g}", "cy": f"{plane.y(shown[-1].value):g}", "r": "4"}
    content = [
        group([plane.row(value) for value in values], class_="grid"),
        plane.band(ends, class_="band"),
        plane.line(spots[: begins + 1], class_="unsure"),
        plane.line(spots[begins:], class_="sure"),
        element("circle", class_="last", **last),
        group(label(f"{one}", _LEFT - 6, plane.y(one) + 4, anchor="end") for one in values),
        group(_days(plane), class_="days"),
    ]
    description = _(
        "It began with %(first)s after the first game and is %(last)s now."
        " The table below has a line for each month."
    ) % {"first": f"{points[0].value:.0f}", "last": f"{points[-1].value:.0f}"}
    drawn = chart(
        content, (_WIDTH, _HEIGHT), title=title, description=description, class_="history"
    )
    return mark_safe(drawn)  # noqa: S308 - the chart escapes all texts


def _plane(points: Sequence[Point]) -> Plane:
    spreads = [_LIKELY * point.deviation for point in points if not point.is_provisional]
    values = [point.value for point in points]
    spread = max(spreads, default=100.0)
    first, last = points[0].at, points[-1].at
    if last - first < _DAY:  # in the middle
        middle = (first + last) // 2
        first, last = middle - _DAY // 2, middle + _DAY // 2
    return Plane(
        left=_LEFT,
        top=_TOP,
        width=_WIDTH - _LEFT - _RIGHT,
        height=_HEIGHT - _TOP - _BOTTOM,
        x_axis=(first, last),
        y_axis=(min(values) - spread, max(values) + spread),
    )


def _thinned(points: Sequence[Point], plane: Plane) -> list[Point]:
    """Return the last point of each step across; the first and the last one are always there."""
    if len(points) <= _MOST:
        return list(points)
    last_of = {round(plane.x(point.at) / 2): point for point in points}
    return [points[0], *(point for point in last_of.values() if point is not points[0])]


def _days(plane: Plane) -> list[str]:
    first, last = plane.x_axis
    room = last - first
    if room <= _DAY:
        days = [first + room / 2]
    else:
        instants = (first + room * (2 * number + 1) / (2 * _DATES) for number in range(_DATES))
        noons = dict.fromkeys(at // _DAY * _DAY + _DAY // 2 for at in instants)
        days = [at for at in noons if first <= at <= last]
    form = "YEAR_MONTH_FORMAT" if room > _A_YEAR else "MONTH_DAY_FORMAT"
    y = plane.bottom + 20
    return [label(date_format(moment(int(at)), form), plane.x(at), y) for at in days]

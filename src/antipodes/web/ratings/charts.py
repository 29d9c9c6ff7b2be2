"""Chart of a rating history as SVG; colours come from the page's style sheet."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from antipodes.clocks import DAY
from antipodes.notation.svg.charts import Plane, chart, label, ticks
from antipodes.notation.svg.elements import element, group
from antipodes.web.ratings.history import Point, moment

# In units of the picture.
_WIDTH, _HEIGHT = 720, 260
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 12, 12, 30
_MOST_POINTS = 360  # one for two units of the picture
_BAND = 2  # deviations on both sides: the 95 % confidence interval
_DATES = 5
_YEAR = 365 * DAY


def history_chart(points: Sequence[Point], title: str) -> SafeString:
    """Draw the rating after each game, with a band of two deviations on both sides.

    Args:
        points: at least one rating, in the order of the games.
        title: title of the chart for screen readers.
    """
    plane = _plane(points)
    shown = _thinned(points, plane)
    established = [number for number, one in enumerate(shown) if not one.is_provisional]
    # The first established point belongs to both lines, so that they meet.
    first = established[0] if established else len(shown)
    spots = [(one.at, one.value) for one in shown]
    band = [
        (point.at, point.value - _BAND * point.deviation, point.value + _BAND * point.deviation)
        for point in shown
    ]
    values = ticks(*plane.y_axis, most=6, least=10)
    last = {"cx": f"{plane.x(shown[-1].at):g}", "cy": f"{plane.y(shown[-1].value):g}", "r": "4"}
    content = [
        group([plane.row(value) for value in values], class_="grid"),
        plane.band(band, class_="band"),
        plane.line(spots[: first + 1], class_="provisional"),
        plane.line(spots[first:], class_="established"),
        element("circle", class_="last", **last),
        group(label(f"{one}", _LEFT - 6, plane.y(one) + 4, anchor="end") for one in values),
        group(_dates(plane), class_="days"),
    ]
    description = _(
        "%(first)s after the first game, %(last)s now. The table below has a row for each month."
    ) % {"first": f"{points[0].value:.0f}", "last": f"{points[-1].value:.0f}"}
    svg = chart(content, (_WIDTH, _HEIGHT), title=title, description=description, class_="history")
    return mark_safe(svg)  # noqa: S308 - the chart escapes all texts


def _plane(points: Sequence[Point]) -> Plane:
    spreads = [_BAND * point.deviation for point in points if not point.is_provisional]
    values = [point.value for point in points]
    spread = max(spreads, default=100.0)
    first, last = points[0].at, points[-1].at
    if last - first < DAY:  # centre a single day
        middle = (first + last) // 2
        first, last = middle - DAY // 2, middle + DAY // 2
    return Plane(
        left=_LEFT,
        top=_TOP,
        width=_WIDTH - _LEFT - _RIGHT,
        height=_HEIGHT - _TOP - _BOTTOM,
        x_axis=(first, last),
        y_axis=(min(values) - spread, max(values) + spread),
    )


def _thinned(points: Sequence[Point], plane: Plane) -> list[Point]:
    """Return the last point of each step of the x-axis, and always the first and last point."""
    if len(points) <= _MOST_POINTS:
        return list(points)
    last_of = {round(plane.x(point.at) / 2): point for point in points}
    return [points[0], *(point for point in last_of.values() if point is not points[0])]


def _dates(plane: Plane) -> list[str]:
    first, last = plane.x_axis
    length = last - first
    if length <= DAY:
        days = [first + length / 2]
    else:
        times = (first + length * (2 * number + 1) / (2 * _DATES) for number in range(_DATES))
        noons = dict.fromkeys(at // DAY * DAY + DAY // 2 for at in times)
        days = [at for at in noons if first <= at <= last]
    form = "YEAR_MONTH_FORMAT" if length > _YEAR else "MONTH_DAY_FORMAT"
    y = plane.bottom + 20
    return [label(date_format(moment(int(at)), form), plane.x(at), y) for at in days]

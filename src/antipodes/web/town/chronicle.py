"""A chronicle of a run: how many people, games and mails each hour has, and how long pages take."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from statistics import quantiles

from antipodes.notation.svg.charts import Plane, chart, label, ticks
from antipodes.notation.svg.elements import element

_HOUR = 3_600.0
_WIDTH, _HEIGHT = 640.0, 520.0
_LEFT, _TOP, _ROW, _PLOT = 48.0, 30.0, 122.0, 84.0
_INK, _FAINT, _LINE, _BAND = "#24405f", "#c9c6bd", "#2f6f4f", "#cfe0d4"
_SMALL = {"font_size": "11", "font_family": "sans-serif", "fill": _INK}


@dataclass
class Hour:
    """An hour of the town.

    Attributes:
        people: numbers of those who did something.
        games: in progress at its beginning.
        mails: sent by people and to them.
        waits: milliseconds of the answers to requests.
    """

    games: int = 0
    people: set[int] = field(default_factory=set)
    mails: int = 0
    waits: list[float] = field(default_factory=list)


@dataclass
class Chronicle:
    """The hours of a run, by number."""

    hours: dict[int, Hour] = field(default_factory=dict)
    _mails: int = 0

    async def note(
        self,
        at: float,
        who: int,
        waits: Sequence[float],
        mails: int,
        games: Callable[[], Awaitable[int]],
    ) -> None:
        """Note an event.

        Args:
            at: seconds since the beginning.
            who: acted; negative for the world.
            waits: milliseconds of the answers.
            mails: until now.
            games: counts those in progress.
        """
        number = int(at // _HOUR)
        if number not in self.hours:
            self.hours[number] = Hour(games=await games())
        hour = self.hours[number]
        if who >= 0:
            hour.people.add(who)
        hour.waits += waits
        hour.mails += mails - self._mails
        self._mails = mails

    def picture(self) -> str:
        """Return four plots over the hours as SVG."""
        last = max(self.hours, default=0)
        hours = [self.hours.get(number, Hour()) for number in range(last + 1)]
        counts = {
            "People who did something in the hour": [len(hour.people) for hour in hours],
            "Games in progress": [hour.games for hour in hours],
            "Mails from people and to them": [hour.mails for hour in hours],
        }
        content = [element("rect", width="100%", height="100%", fill="#fff")]
        for number, (title, values) in enumerate(counts.items()):
            plane = _plane(number, last, max(values, default=0))
            content += _axes(plane, title, is_last=False)
            for x, value in enumerate(values):
                content.append(plane.bar((x + 0.1, x + 0.9), (0, value), fill=_LINE))
        content += _waits(hours, last)
        return chart(content, (_WIDTH, _HEIGHT), title="The hours of the town", **_ROOT)


_ROOT = {"xmlns": "http://www.w3.org/2000/svg", "width": f"{_WIDTH:g}", "height": f"{_HEIGHT:g}"}


def _waits(hours: Sequence[Hour], last: int) -> list[str]:
    """Draw the median of the answers of each hour, and a band up to the slowest twentieth."""
    shares = [
        (x + 0.5, *((cuts := quantiles(hour.waits, n=20))[9], cuts[18]))
        for x, hour in enumerate(hours)
        if len(hour.waits) > 1
    ]
    plane = _plane(3, last, max((high for _, _, high in shares), default=0))
    band = plane.band([(x, 0.0, high) for x, _, high in shares], fill=_BAND) if shares else ""
    line = plane.line([(x, middle) for x, middle, _ in shares], stroke=_LINE, fill="none")
    title = "Milliseconds of CPU for an answer: median, and 95 % of all (band)"
    return [*_axes(plane, title, is_last=True), band, line]


def _plane(number: int, last: int, most: float) -> Plane:
    return Plane(
        left=_LEFT,
        top=_TOP + number * _ROW,
        width=_WIDTH - _LEFT - 12,
        height=_PLOT,
        x_axis=(0, last + 1),
        y_axis=(0, max(1.0, most * 1.05)),
    )


def _axes(plane: Plane, title: str, *, is_last: bool) -> list[str]:
    """Draw title, grid and numbers of a plot; the hours below the last."""
    parts = [label(title, plane.left, plane.top - 8, anchor="start", **_SMALL)]
    for value in ticks(0, plane.y_axis[1], 4):
        parts.append(plane.row(value, stroke=_FAINT, fill="none"))
        parts.append(label(f"{value}", plane.left - 6, plane.y(value) + 4, anchor="end", **_SMALL))
    step = max(1, round(plane.x_axis[1] / 12 / 6) * 6) if plane.x_axis[1] > 24 else 2
    for hour in range(0, int(plane.x_axis[1]) + 1, step):
        text = f"{hour % 24}" if plane.x_axis[1] <= 48 else f"day {hour // 24}, {hour % 24}"
        parts.append(label(text, plane.x(hour), plane.bottom + 16, **_SMALL))
    if is_last:
        middle = plane.left + plane.width / 2
        parts.append(label("Hours since the beginning", middle, plane.bottom + 34, **_SMALL))
    return parts

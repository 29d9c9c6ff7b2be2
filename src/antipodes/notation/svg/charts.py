"""Charts as SVG text: grids, lines, bands, bars and error bars.

All functions take the colours as attributes of the elements: paints where the chart stands alone,
classes (``class_``) where the style sheet of a page paints it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2s
from itertools import count
from math import ceil, floor
from xml.sax.saxutils import escape

from antipodes.notation.svg.elements import element

_CAP = 5  # half the height of the strokes at both ends of an error bar


def ticks(low: float, high: float, most: int, least: int = 1) -> range:
    """Return the multiples of a round number from ``low`` to ``high``.

    Args:
        low: the lowest value of the axis.
        high: the highest one.
        most: how many steps the axis may have.
        least: the smallest step.
    """
    steps = (digit * 10**power for power in count() for digit in (1, 2, 5))
    step = next(one for one in steps if one >= least and (high - low) / one <= most)
    return range(ceil(low / step) * step, floor(high) + 1, step)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """The part of a chart between its axes; turns values into places.

    Values beyond the ends of an axis lie at its ends.

    Attributes:
        left: where it begins across, in units of the picture.
        top: where it begins down.
        width: its width.
        height: its height.
        x_axis: the values at the left and at the right end.
        y_axis: the values at the bottom and at the top.
    """

    left: float
    top: float
    width: float
    height: float
    x_axis: tuple[float, float]
    y_axis: tuple[float, float]

    @property
    def right(self) -> float:
        """Where it ends across."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Where it ends down."""
        return self.top + self.height

    def x(self, value: float) -> float:
        """Return where a value of the horizontal axis lies."""
        return round(self.left + self.width * _part(value, self.x_axis), 1)

    def y(self, value: float) -> float:
        """Return where a value of the vertical axis lies."""
        return round(self.bottom - self.height * _part(value, self.y_axis), 1)

    def row(self, value: float, **attributes: str) -> str:
        """Return a grid line from the left to the right."""
        data = f"M{self.left:g} {self.y(value):g}H{self.right:g}"
        return element("path", d=data, **attributes)

    def column(self, value: float, **attributes: str) -> str:
        """Return a grid line from the top to the bottom."""
        data = f"M{self.x(value):g} {self.top:g}V{self.bottom:g}"
        return element("path", d=data, **attributes)

    def line(self, points: Sequence[tuple[float, float]], **attributes: str) -> str:
        """Return a line through points; a single point becomes a dot, none an empty text."""
        if not points:
            return ""
        data = self._data(points) + ("h0" if len(points) == 1 else "")
        return element("path", d=data, **attributes)

    def band(self, points: Sequence[tuple[float, float, float]], **attributes: str) -> str:
        """Return the area between lower and upper values; points are ``(x, lower, upper)``."""
        upper = [(x, high) for x, _, high in points]
        lower = [(x, low) for x, low, _ in reversed(points)]
        return element("path", d=self._data([*upper, *lower]) + "Z", **attributes)

    def bar(
        self, x: tuple[float, float], y: tuple[float, float], title: str = "", **attributes: str
    ) -> str:
        """Return a rectangle between two values of each axis; ``title`` is its tooltip."""
        left, right = self.x(x[0]), self.x(x[1])
        bottom, top = self.y(y[0]), self.y(y[1])
        return element(
            "rect",
            element("title", escape(title)) if title else "",
            x=f"{left:g}",
            y=f"{top:g}",
            width=f"{right - left:.1f}",
            height=f"{bottom - top:.1f}",
            **attributes,
        )

    def error_bar(self, low: float, high: float, y: float, **attributes: str) -> str:
        """Return a horizontal error bar at a value of the vertical axis."""
        left, right, middle = self.x(low), self.x(high), self.y(y)
        caps = "".join(f"M{x:g} {middle - _CAP:g}v{2 * _CAP:g}" for x in (left, right))
        return element("path", d=f"M{left:g} {middle:g}H{right:g}{caps}", **attributes)

    def _data(self, points: Iterable[tuple[float, float]]) -> str:
        return "M" + "L".join(f"{self.x(x):g} {self.y(y):g}" for x, y in points)


def _part(value: float, axis: tuple[float, float]) -> float:
    first, last = axis
    return min(max((value - first) / (last - first), 0.0), 1.0)


def label(content: str, x: float, y: float, *, anchor: str = "middle", **attributes: str) -> str:
    """Return a text at a place of the picture."""
    place = {"x": f"{round(x, 1):g}", "y": f"{round(y, 1):g}"}
    return element("text", escape(content), text_anchor=anchor, **place, **attributes)


def chart(
    content: Iterable[str],
    size: tuple[float, float],
    *,
    title: str,
    description: str = "",
    **attributes: str,
) -> str:
    """Return a whole chart.

    Args:
        content: its elements.
        size: width and height of the picture in its own units.
        title: what the chart shows; screen readers say it.
        description: the content of the chart in sentences, which screen readers say too.
        attributes: further attributes of the root element.
    """
    lines = [line for line in content if line]
    name = "c" + blake2s(repr((title, lines)).encode(), digest_size=4).hexdigest()
    texts = [element("title", escape(title), id=f"{name}-title")]
    if description:
        texts.append(element("desc", escape(description), id=f"{name}-desc"))
        attributes["aria_labelledby"] = f"{name}-title {name}-desc"
    else:
        attributes["aria_labelledby"] = f"{name}-title"
    return element(
        "svg",
        "\n",
        "\n".join([*texts, *lines]),
        "\n",
        **attributes,
        viewBox=f"0 0 {size[0]:g} {size[1]:g}",
        role="img",
    )

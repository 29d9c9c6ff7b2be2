"""The values of all colours during a game as an SVG chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from antipodes.core import Color
from antipodes.notation.svg.charts import Plane, chart, label, ticks
from antipodes.notation.svg.elements import element, group
from antipodes.notation.svg.style import FAINT_INK, INK, LAST, PAGE, PAGE_EDGE, PAINTS

# Measures in the picture's own units.
_LEFT, _TOP, _HEIGHT, _STEP, _RIGHT, _BOTTOM = 64.0, 60.0, 240.0, 14.0, 96.0, 56.0
_LEAST = 320.0  # width of the plot of a short game
_MOST = 1200.0  # of a long one
_FAINT = {"fill": FAINT_INK, "stroke": "none"}
_DASHES = ("", "7 4", "2 3", "9 3 2 3")

Course = Sequence[tuple[float, float] | None]


def render_plot(title: str, courses: Mapping[Color, Course], marks: Mapping[int, str]) -> str:
    """Return the plot of a game as SVG text.

    Args:
        title: description for the caption and for screen readers.
        courses: colour -> its chances and their standard error after 0, 1, 2 moves and so on;
            ``None`` where nothing is known. Lines of different colours also differ in dashes, and
            bear their names.
        marks: number of a move -> what to write at it, such as a turning point.
    """
    turns = max(map(len, courses.values()))
    plane = Plane(
        left=_LEFT,
        top=_TOP,
        width=min(max(_LEAST, _STEP * turns), _MOST),
        height=_HEIGHT,
        x_axis=(0, max(turns - 1, 1)),
        y_axis=(0, 1),
    )
    width, height = plane.right + _RIGHT, plane.bottom + _BOTTOM
    page = {"x": "2", "y": "2", "width": f"{width - 4:g}", "height": f"{height - 4:g}"}
    content = [
        element("rect", rx="8", fill=PAGE, stroke=PAGE_EDGE, **page),
        _grid(plane),
        _bands(plane, courses),
        *_lines(plane, courses),
        _marks(plane, courses, marks),
        label(title, width / 2, 26, fill=INK, font_size="16"),
        label("moves", plane.left + plane.width / 2, height - 14, fill=FAINT_INK),
    ]
    return chart(
        content,
        (width, height),
        title=title,
        description=_description(courses, marks),
        xmlns="http://www.w3.org/2000/svg",
        width=f"{min(width, 900):g}",
        style="max-width:100%",
        font_family="sans-serif",
        font_size="13",
    )


def _grid(plane: Plane) -> str:
    lines = []
    for quarter in range(5):
        value = quarter / 4
        lines.append(plane.row(value, stroke_width="2" if quarter == 2 else "1"))
        percent, y = f"{25 * quarter} %", plane.y(value) + 4
        lines.append(label(percent, plane.left - 8, y, anchor="end", **_FAINT))
    lines += [
        label(str(turn), plane.x(turn), plane.bottom + 20, **_FAINT)
        for turn in ticks(*plane.x_axis, most=14)
    ]
    return group(lines, stroke=PAGE_EDGE, fill="none")


def _runs(course: Course) -> list[list[tuple[int, float, float]]]:
    """Return turns, values and errors in segments, split where values are missing."""
    runs: list[list[tuple[int, float, float]]] = [[]]
    for turn, point in enumerate(course):
        if point is None:
            runs.append([])
        else:
            runs[-1].append((turn, *point))
    return [run for run in runs if run]


def _bands(plane: Plane, courses: Mapping[Color, Course]) -> str:
    """Return bands of two standard errors on both sides."""
    lines = []
    for color, course in courses.items():
        for run in _runs(course):
            ends = [(turn, value - 2 * error, value + 2 * error) for turn, value, error in run]
            lines.append(plane.band(ends, fill=PAINTS[color].edge))
    return group(lines, fill_opacity="0.18", stroke="none")


def _lines(plane: Plane, courses: Mapping[Color, Course]) -> list[str]:
    lines = []
    ends: list[tuple[float, Color]] = []
    for (color, course), dashes in zip(courses.items(), _DASHES, strict=False):
        known = _runs(course)
        extra = {"stroke_dasharray": dashes} if dashes else {}
        for run in known:
            points = [(turn, value) for turn, value, _ in run]
            lines.append(plane.line(points, stroke=PAINTS[color].edge, **extra))
        if known:
            ends.append((plane.y(known[-1][-1][1]), color))
    x = plane.right + 8
    names = [label(color.title, x, y, anchor="start", fill=INK) for y, color in _apart(ends)]
    drawn = group(
        lines, fill="none", stroke_width="2.5", stroke_linejoin="round", stroke_linecap="round"
    )
    return [drawn, *names]


def _apart(ends: list[tuple[float, Color]]) -> list[tuple[float, Color]]:
    """Return the places of names, moved apart where they would overlap."""
    found = sorted(ends, key=lambda end: end[0])
    placed: list[tuple[float, Color]] = []
    for y, color in found:
        least = placed[-1][0] + 16 if placed else y
        placed.append((max(y + 4 if not placed else y, least), color))
    return placed


def _marks(plane: Plane, courses: Mapping[Color, Course], marks: Mapping[int, str]) -> str:
    """Return turning points: rings with labels on the first colour's line."""
    course = next(iter(courses.values()))
    lines = []
    for turn, text in sorted(marks.items()):
        point = course[turn] if turn < len(course) else None
        if point is None:
            continue
        x, y = plane.x(turn), plane.y(point[0])
        ring = {"cx": f"{x:g}", "cy": f"{y:g}", "r": "6", "fill": "none"}
        lines.append(element("circle", stroke=LAST, stroke_width="2.5", **ring))
        # On the side of the line that is free: above a peak, below a dip, if there is room.
        before = course[turn - 1] if turn else None
        is_dip = before is not None and before[0] > point[0] and y < plane.bottom - 24
        anchor = "end" if turn == plane.x_axis[1] else "middle"
        y += 22 if is_dip else -12
        lines.append(label(text, x, y, anchor=anchor, fill=INK, stroke=PAGE, font_size="12"))
    return group(lines, paint_order="stroke")


def _description(courses: Mapping[Color, Course], marks: Mapping[int, str]) -> str:
    sentences = []
    for color, course in courses.items():
        known = [point for point in course if point is not None]
        if not known:
            continue
        low, high = min(value for value, _ in known), max(value for value, _ in known)
        crossings = sum(
            1
            for (value, _), (next_value, _) in pairwise(known)
            if (value < 0.5) is not (next_value < 0.5)
        )
        sentences.append(
            f"{color.title}: from {known[0][0]:.0%} to {known[-1][0]:.0%}, lowest {low:.0%},"
            f" highest {high:.0%}, through one half {crossings} times."
        )
    if marks:
        listed = ", ".join(f"move {turn} ({label})" for turn, label in sorted(marks.items()))
        sentences.append(f"Turning points: {listed}.")
    return " ".join(sentences)

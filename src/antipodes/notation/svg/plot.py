"""The course of a game as an SVG picture: each colour's chances, move by move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2s
from itertools import pairwise
from xml.sax.saxutils import escape

from antipodes.core import Color
from antipodes.notation.svg.elements import element, group
from antipodes.notation.svg.style import FAINT_INK, INK, LAST, PAGE, PAGE_EDGE, PAINTS

# Measures in the picture's own units.
_LEFT, _TOP, _HEIGHT, _STEP, _RIGHT, _BOTTOM = 64.0, 60.0, 240.0, 14.0, 96.0, 56.0
_LEAST = 320.0  # width of the plot of a short game
_MOST = 1200.0  # of a long one
_DASHES = ("", "7 4", "2 3", "9 3 2 3")

Course = Sequence[tuple[float, float] | None]


def render_plot(title: str, courses: Mapping[Color, Course], marks: Mapping[int, str]) -> str:
    """Return the plot of a game as SVG text.

    Args:
        title: what is shown, for the caption and for people who do not see the picture.
        courses: colour -> its chances and their standard error after 0, 1, 2 moves and so on;
            ``None`` where nothing is known. Lines of different colours also differ in dashes, and
            bear their names.
        marks: number of a move -> what to write at it, such as a turning point.
    """
    turns = max(map(len, courses.values()))
    width = min(max(_LEAST, _STEP * turns), _MOST)
    frame = _Frame(width, max(turns - 1, 1))
    name = "p" + blake2s(repr((title, courses, marks)).encode(), digest_size=4).hexdigest()
    content = [
        element("title", escape(title), id=f"{name}-title"),
        element("desc", escape(_description(courses, marks)), id=f"{name}-desc"),
        _rectangle(2, 2, frame.whole_width - 4, frame.whole_height - 4, PAGE, PAGE_EDGE),
        *_grid(frame),
        *_bands(frame, courses),
        *_lines(frame, courses),
        *_marks(frame, courses, marks),
        _text(title, frame.whole_width / 2, 26, INK, size=16),
        _text("moves", _LEFT + width / 2, frame.whole_height - 14, FAINT_INK),
    ]
    return element(
        "svg",
        "\n",
        "\n".join(line for line in content if line),
        "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {frame.whole_width:g} {frame.whole_height:g}",
        width=f"{min(frame.whole_width, 900):g}",
        style="max-width:100%",
        role="img",
        aria_labelledby=f"{name}-title {name}-desc",
        font_family="sans-serif",
        font_size="13",
    )


class _Frame:
    """Where numbers stand in the picture."""

    def __init__(self, width: float, turns: int) -> None:
        self.width, self.turns = width, turns
        self.whole_width = _LEFT + width + _RIGHT
        self.whole_height = _TOP + _HEIGHT + _BOTTOM

    def x(self, turn: float) -> float:
        return round(_LEFT + self.width * turn / self.turns, 1)

    def y(self, value: float) -> float:
        return round(_TOP + _HEIGHT * (1 - value), 1)


def _rectangle(x: float, y: float, width: float, height: float, fill: str, edge: str) -> str:
    sides = {"x": x, "y": y, "width": width, "height": height}
    return element(
        "rect", rx="8", fill=fill, stroke=edge, **{k: f"{v:g}" for k, v in sides.items()}
    )


def _text(
    content: str,
    x: float,
    y: float,
    fill: str,
    *,
    anchor: str = "middle",
    size: int = 13,
    halo: str = "none",
) -> str:
    return element(
        "text",
        escape(content),
        x=f"{x:g}",
        y=f"{y:g}",
        fill=fill,
        text_anchor=anchor,
        font_size=str(size),
        stroke=halo,
    )


def _grid(frame: _Frame) -> list[str]:
    lines = []
    for quarter in range(5):
        y = frame.y(quarter / 4)
        line = f"M{_LEFT:g} {y:g}H{_LEFT + frame.width:g}"
        lines.append(element("path", d=line, stroke_width="2" if quarter == 2 else "1"))
        lines.append(_text(f"{25 * quarter} %", _LEFT - 8, y + 4, FAINT_INK, anchor="end"))
    # About a dozen numbers fit below a plot of any length.
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if frame.turns / s <= 14)
    lines += [
        _text(str(turn), frame.x(turn), _TOP + _HEIGHT + 20, FAINT_INK)
        for turn in range(0, frame.turns + 1, step)
    ]
    return [group(lines, stroke=PAGE_EDGE, fill="none")]


def _runs(course: Course) -> list[list[tuple[int, float, float]]]:
    """Cut a course where nothing is known; return turns, values and errors."""
    runs: list[list[tuple[int, float, float]]] = [[]]
    for turn, point in enumerate(course):
        if point is None:
            runs.append([])
        else:
            runs[-1].append((turn, *point))
    return [run for run in runs if run]


def _bands(frame: _Frame, courses: Mapping[Color, Course]) -> list[str]:
    """Return the bands of two standard errors to both sides."""
    lines = []
    for color, course in courses.items():
        for run in _runs(course):
            upper = [(turn, min(1.0, value + 2 * error)) for turn, value, error in run]
            lower = [(turn, max(0.0, value - 2 * error)) for turn, value, error in reversed(run)]
            data = "L".join(f"{frame.x(t):g} {frame.y(v):g}" for t, v in (*upper, *lower))
            lines.append(element("path", d=f"M{data}Z", fill=PAINTS[color].edge))
    return [group(lines, fill_opacity="0.18", stroke="none")]


def _lines(frame: _Frame, courses: Mapping[Color, Course]) -> list[str]:
    lines = []
    ends: list[tuple[float, Color]] = []
    for (color, course), dashes in zip(courses.items(), _DASHES, strict=False):
        for run in _runs(course):
            data = "L".join(f"{frame.x(turn):g} {frame.y(value):g}" for turn, value, _ in run)
            extra = {"stroke_dasharray": dashes} if dashes else {}
            # A line of one point is drawn as a dot.
            data += "h0" if len(run) == 1 else ""
            lines.append(element("path", d=f"M{data}", stroke=PAINTS[color].edge, **extra))
        known = _runs(course)
        if known:
            ends.append((frame.y(known[-1][-1][1]), color))
    x = _LEFT + frame.width + 8
    names = [_text(color.title, x, y, INK, anchor="start") for y, color in _apart(ends)]
    drawn = group(
        lines, fill="none", stroke_width="2.5", stroke_linejoin="round", stroke_linecap="round"
    )
    return [drawn, *names]


def _apart(ends: list[tuple[float, Color]]) -> list[tuple[float, Color]]:
    """Move names apart that would stand upon each other."""
    found = sorted(ends, key=lambda end: end[0])
    placed: list[tuple[float, Color]] = []
    for y, color in found:
        least = placed[-1][0] + 16 if placed else y
        placed.append((max(y + 4 if not placed else y, least), color))
    return placed


def _marks(frame: _Frame, courses: Mapping[Color, Course], marks: Mapping[int, str]) -> list[str]:
    """Return turning points: a ring on the first colour's line and what is written at it."""
    course = next(iter(courses.values()))
    lines = []
    for turn, label in sorted(marks.items()):
        point = course[turn] if turn < len(course) else None
        if point is None:
            continue
        x, y = frame.x(turn), frame.y(point[0])
        ring = {"cx": f"{x:g}", "cy": f"{y:g}", "r": "6", "fill": "none"}
        lines.append(element("circle", stroke=LAST, stroke_width="2.5", **ring))
        # On the side of the line that is free: above a peak, below a dip, if there is room.
        before = course[turn - 1] if turn else None
        is_dip = before is not None and before[0] > point[0] and y < frame.y(0) - 24
        anchor = "end" if turn == frame.turns else "middle"
        y += 22 if is_dip else -12
        lines.append(_text(label, x, y, INK, anchor=anchor, size=12, halo=PAGE))
    return [group(lines, paint_order="stroke")]


def _description(courses: Mapping[Color, Course], marks: Mapping[int, str]) -> str:
    sentences = []
    for color, course in courses.items():
        known = [point for point in course if point is not None]
        if not known:
            continue
        low, high = min(value for value, _ in known), max(value for value, _ in known)
        crossings = sum(
            1 for (one, _), (two, _) in pairwise(known) if (one < 0.5) is not (two < 0.5)
        )
        sentences.append(
            f"{color.title}: from {known[0][0]:.0%} to {known[-1][0]:.0%}, lowest {low:.0%},"
            f" highest {high:.0%}, through one half {crossings} times."
        )
    if marks:
        listed = ", ".join(f"move {turn} ({label})" for turn, label in sorted(marks.items()))
        sentences.append(f"Turning points: {listed}.")
    return " ".join(sentences)

"""Sections of a report: a title, paragraphs, and a table of shares that can be plotted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from antipodes.errors import Phrase
from antipodes.lab.intervals import GOAL, Estimate
from antipodes.notation.svg.charts import Plane, chart, label

Cell = str | Phrase
Say = Callable[[Cell], str]

# Of a plot, in its own units: its width, that of phones; the height above its rows; a row.
_WIDTH, _TOP, _ROW = 360.0, 44.0, 36.0
_INK, _FAINT, _BAND = "#24405f", "#c9c6bd", "#e4ebe0"


@dataclass(frozen=True, slots=True)
class Table:
    """A table of measurements.

    Attributes:
        head: titles of the columns.
        rows: cells.
        shares: the share of each row, for a plot; none if empty.
        labels: how many of the first columns name a row.
    """

    head: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    shares: tuple[Estimate, ...] = ()
    labels: int = 0


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report, such as a question with its answer.

    Attributes:
        key: names it in addresses and in the docs.
        title: the question or heading.
        brief: the answer in one sentence, or an empty text.
        paragraphs: the text.
        table: the measurements, or ``None``.
        game: id of the game that it is about, or an empty text.
        code: commands or a file, shown as they are.
    """

    key: str
    title: Cell
    paragraphs: tuple[Cell, ...] = ()
    table: Table | None = None
    game: str = ""
    code: str = ""
    brief: Cell = ""

    def phrases(self) -> Iterator[Phrase]:
        """Yield all texts, for translation."""
        table = self.table or Table((), ())
        cells = (cell for row in table.rows for cell in row)
        for text in (self.title, self.brief, *self.paragraphs, *table.head, *cells):
            if isinstance(text, Phrase):
                yield text


def percent(share: float) -> str:
    """Return a share in per cent."""
    return f"{round(100 * share)}\u00a0%"


def interval(one: Estimate) -> str:
    """Return a share with its 95 % interval in per cent."""
    return f"{percent(one.value)} ({round(100 * one.low)}–{round(100 * one.high)})"


def share_plot(table: Table, title: str, say: Say = str, **attributes: str) -> str:
    """Draw the shares of a table with their intervals, each below its name; ``GOAL`` is a band.

    Args:
        table: has shares.
        title: what the plot shows; screen readers say it.
        say: translates texts.
        attributes: further attributes of the root element.
    """
    names = [" · ".join(map(say, row[: table.labels])) for row in table.rows]
    heading = " · ".join(map(say, table.head[: table.labels]))
    axes = {"x_axis": (0.0, 1.0), "y_axis": (float(len(names)), 0.0)}
    plane = Plane(left=16, top=_TOP, width=_WIDTH - 40, height=_ROW * len(names), **axes)
    low, high = GOAL
    lines = [
        plane.bar((low, high), (len(names), 0), class_="goal", fill=_BAND),
        label(heading, plane.left, _TOP - 28, anchor="start", class_="faint", fill="#555"),
    ]
    for quarter in (0.0, 0.25, 0.5, 0.75, 1.0):
        lines += [
            plane.column(quarter, class_="grid", stroke=_FAINT),
            label(percent(quarter), plane.x(quarter), _TOP - 8, class_="faint", fill="#555"),
        ]
    for number, (name, share) in enumerate(zip(names, table.shares, strict=True)):
        middle = number + 0.75
        dot = plane.line(
            [(share.value, middle)],
            class_="dot",
            stroke=_INK,
            stroke_width="9",
            stroke_linecap="round",
        )
        bar = plane.error_bar(
            share.low, share.high, middle, class_="whisker", stroke=_INK, stroke_width="2"
        )
        words = label(name, plane.left, plane.y(number) + 16, anchor="start", class_="ink")
        lines += [words, bar, dot]
    return chart(
        lines,
        (_WIDTH, plane.bottom + 6),
        title=title,
        font_family="sans-serif",
        font_size="14",
        **attributes,
    )

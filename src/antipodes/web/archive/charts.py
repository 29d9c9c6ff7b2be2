"""Charts of statistics: wins with intervals, lengths of games, and a map of first moves.

The first two are inline SVG with colours from the page's style sheet. Each chart has a table with
the same data next to it.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from antipodes.games.position import Game
from antipodes.notation.scene import Overlay, Scene
from antipodes.notation.svg.charts import Plane, chart, label
from antipodes.web.archive.labels import color_label
from antipodes.web.archive.statistics import FirstMove, Lengths, Share, Summary
from antipodes.web.platform.translations import translate

_WIDTH = 640.0  # of the charts, in their own units
_ROW = 34.0  # height of a bar's row


def wins_chart(summary: Summary) -> SafeString:
    """Draw the shares of wins by colour, with Wilson's intervals as error bars."""
    rows = [(color_label(color.value), share) for color, share in summary.wins.items()]
    if summary.draws.games:
        rows.append((_("Draws"), summary.draws))
    plane = Plane(
        left=120,
        top=0,
        width=_WIDTH - 184,
        height=_ROW * len(rows),
        x_axis=(0, 1),
        y_axis=(len(rows), 0),
    )
    height = plane.bottom + 24
    lines = []
    for quarter in range(5):
        lines.append(plane.column(quarter / 4, class_="grid"))
        lines.append(label(f"{25 * quarter} %", plane.x(quarter / 4), height - 6, class_="faint"))
    for number, (name, share) in enumerate(rows):
        middle = plane.y(number + 0.5)
        percent = "" if share.percent is None else f"{share.percent:.1f} %"
        lines += [
            label(name, plane.left - 8, middle + 5, anchor="end", class_="ink"),
            plane.bar((0, share.share or 0.0), (number + 0.8, number + 0.2), class_="bar"),
            plane.error_bar(*share.interval, number + 0.5, class_="whisker"),
            label(percent, _WIDTH - 4, middle + 5, anchor="end", class_="ink"),
        ]
    return _picture(_("Wins by colour"), (_WIDTH, height), lines)


def lengths_chart(lengths: Lengths) -> SafeString:
    """Draw a histogram of the lengths of games; a line marks the median."""
    bars = lengths.bars()
    if not bars:
        return SafeString("")
    most = max(games for _low, _high, games in bars)
    plane = Plane(
        left=44, top=8, width=_WIDTH - 56, height=172, x_axis=(0, len(bars)), y_axis=(0, most)
    )
    lines = [
        label(f"{most}", plane.left - 6, 14, anchor="end", class_="faint"),
        plane.row(0, class_="grid"),
    ]
    every = max(1, math.ceil(len(bars) / 10))
    for number, (low, high, games) in enumerate(bars):
        sides = (number + 0.08, number + 0.92)
        lines.append(plane.bar(sides, (0, games), _bar_label(low, high, games), class_="bar"))
        if number % every == 0:
            lines.append(label(f"{low}", plane.x(number + 0.5), plane.bottom + 18, class_="faint"))
    width = bars[0][1] - bars[0][0] + 1
    median = ((lengths.median or 0) - bars[0][0] + 0.5) / width
    lines.append(plane.column(median, class_="median"))
    middle = plane.left + plane.width / 2
    lines.append(label(_("moves"), middle, plane.bottom + 38, class_="faint"))
    return _picture(_("Lengths of games"), (_WIDTH, plane.bottom + 46), lines)


def _bar_label(low: int, high: int, games: int) -> str:
    if low == high:
        return _("%(moves)d moves: %(games)d games") % {"moves": low, "games": games}
    values = {"low": low, "high": high, "games": games}
    return _("%(low)d to %(high)d moves: %(games)d games") % values


def _picture(title: str, size: tuple[float, float], lines: Sequence[str]) -> SafeString:
    return mark_safe(chart(lines, size, title=title, class_="chart"))  # noqa: S308 - it escapes texts


def first_moves_map(game: Game, moves: Sequence[FirstMove], number: str) -> Scene:
    """Return a map of first moves on the board.

    Args:
        game: the game with its options.
        moves: the first moves.
        number: numbers on the cells, in per cent: ``wins``, ``swaps`` or ``games``.
    """

    def shares(one: FirstMove) -> Share:
        return one.swaps if number == "swaps" else one.wins

    total = sum(one.games for one in moves)
    games: dict[int, int] = defaultdict(int)
    won: dict[int, float] = defaultdict(float)
    for one in moves:
        for cell in one.cells:
            # Symmetric cells share their games.
            games[cell] += one.games
            won[cell] += shares(one).games
    most = max(games.values(), default=1)
    marks = {
        cell: f"{100 * won[cell] / count:.0f}"
        if number != "games"
        else f"{100 * count / total:.0f}"
        for cell, count in games.items()
    }
    legend = {
        "wins": _("Numbers: games won by the owner of this first move, in per cent."),
        "swaps": _("Numbers: games in which this first move was swapped, in per cent."),
        "games": _("Numbers: share of all games that begin here, in per cent."),
    }[number]
    overlay = Overlay(
        marks=marks,
        weights={cell: math.sqrt(count / most) for cell, count in games.items()},
        words=(legend, _("More dots mean that the move is played more often.")),
    )
    title = _("First moves of %(game)s") % {"game": translate(game.title)}
    return replace(game.initial().scene(), title=title, overlay=overlay)

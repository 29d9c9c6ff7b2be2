"""Pictures of what is counted: bars with intervals, lengths, and first moves on the board.

The first two are parts of a page and take their colours from its style sheet; tables beside them
say the same.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from xml.sax.saxutils import escape

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from antipodes.games.base import BoardGame
from antipodes.notation.scene import Overlay
from antipodes.notation.svg import render_svg
from antipodes.notation.svg.elements import element
from antipodes.web.archive.counts import FirstMove, Lengths, Share, Summary
from antipodes.web.archive.words import color_words
from antipodes.web.languages.library import said

# Measures in the pictures' own units.
_WIDTH, _LABEL, _ROW, _BAR = 640.0, 120.0, 34.0, 20.0
_RIGHT, _FOOT = 64.0, 24.0
_HIGH, _SIDE = 180.0, 44.0


def wins_chart(summary: Summary) -> SafeString:
    """Draw what each colour has won, with Wilson's intervals as whiskers."""
    rows = [(color_words(color.value), share) for color, share in summary.wins.items()]
    if summary.draws.games:
        rows.append((_("Draws"), summary.draws))
    height = _ROW * len(rows) + _FOOT
    span = _WIDTH - _LABEL - _RIGHT
    lines = _percents(span, height)
    for number, (label, share) in enumerate(rows):
        lines += _bar(label, share, number * _ROW, span)
    return _picture(_("Wins by colour"), _WIDTH, height, lines)


def _percents(span: float, height: float) -> list[str]:
    lines = []
    for quarter in range(5):
        x = _LABEL + span * quarter / 4
        foot = height - _FOOT
        lines.append(element("path", d=f"M{x:g} 0V{foot:g}", class_="grid"))
        lines.append(_text(f"{25 * quarter} %", x, height - 6, "faint", "middle"))
    return lines


def _bar(label: str, share: Share, top: float, span: float) -> list[str]:
    low, high = (_LABEL + span * part for part in share.interval)
    end = _LABEL + span * (share.share or 0.0)
    middle = top + _ROW / 2
    whisker = f"M{low:.1f} {middle:g}H{high:.1f}"
    whisker += f"M{low:.1f} {middle - 5:g}v10M{high:.1f} {middle - 5:g}v10"
    return [
        _text(label, _LABEL - 8, middle + 5, "ink", "end"),
        element(
            "rect",
            x=f"{_LABEL:g}",
            y=f"{middle - _BAR / 2:g}",
            width=f"{end - _LABEL:.1f}",
            height=f"{_BAR:g}",
            class_="bar",
        ),
        element("path", d=whisker, class_="whisker"),
        _text(_percent(share), _WIDTH - 4, middle + 5, "ink", "end"),
    ]


def _percent(share: Share) -> str:
    return "" if share.percent is None else f"{share.percent:.1f} %"


def lengths_chart(lengths: Lengths) -> SafeString:
    """Draw how many moves games have; a line marks the median."""
    bars = lengths.bars()
    if not bars:
        return SafeString("")
    most = max(games for _low, _high, games in bars)
    span = _WIDTH - _SIDE - 12
    step = span / len(bars)
    lines = [_text(f"{most}", _SIDE - 6, 14, "faint", "end")]
    lines.append(element("path", d=f"M{_SIDE:g} {_HIGH:g}h{span:g}", class_="grid"))
    every = max(1, math.ceil(len(bars) / 10))
    for number, (low, high, games) in enumerate(bars):
        x, tall = _SIDE + number * step, (_HIGH - 8) * games / most
        lines.append(
            element(
                "rect",
                element("title", escape(_bar_words(low, high, games))),
                x=f"{x + step * 0.08:.1f}",
                y=f"{_HIGH - tall:.1f}",
                width=f"{step * 0.84:.1f}",
                height=f"{tall:.1f}",
                class_="bar",
            )
        )
        if number % every == 0:
            lines.append(_text(f"{low}", x + step / 2, _HIGH + 18, "faint", "middle"))
    width = bars[0][1] - bars[0][0] + 1
    middle = _SIDE + step * ((lengths.median or 0) - bars[0][0] + 0.5) / width
    lines.append(element("path", d=f"M{middle:.1f} 0V{_HIGH:g}", class_="median"))
    lines.append(_text(_("moves"), _SIDE + span / 2, _HIGH + 38, "faint", "middle"))
    return _picture(_("Lengths of games"), _WIDTH, _HIGH + 46, lines)


def _bar_words(low: int, high: int, games: int) -> str:
    if low == high:
        return _("%(moves)d moves: %(games)d games") % {"moves": low, "games": games}
    values = {"low": low, "high": high, "games": games}
    return _("%(low)d to %(high)d moves: %(games)d games") % values


def _text(content: str, x: float, y: float, class_: str, anchor: str) -> str:
    return element(
        "text", escape(content), x=f"{x:.1f}", y=f"{y:g}", class_=class_, text_anchor=anchor
    )


def _picture(title: str, width: float, height: float, lines: Sequence[str]) -> SafeString:
    """Put a picture together; all texts in it were escaped where they came in."""
    drawn = element(
        "svg",
        "\n".join(lines),
        viewBox=f"0 0 {width:g} {height:g}",
        class_="chart",
        role="img",
        aria_label=title,
    )
    return mark_safe(drawn)  # noqa: S308 - see above


def first_moves_map(game: BoardGame[Any, Any], moves: Sequence[FirstMove], number: str) -> str:
    """Draw first moves on the board as SVG text.

    Args:
        game: the rules with their options.
        moves: the first moves.
        number: what is written on cells: ``wins`` or ``swaps`` in per cent, or ``games``.
    """

    def shares(one: FirstMove) -> Share:
        return one.swaps if number == "swaps" else one.wins

    total = sum(one.games for one in moves)
    games: dict[int, int] = defaultdict(int)
    won: dict[int, float] = defaultdict(float)
    for one in moves:
        for cell in one.cells:
            # Cells that are the same by a symmetry share their games.
            games[cell] += one.games
            won[cell] += shares(one).games
    most = max(games.values(), default=1)
    marks = {
        cell: f"{100 * won[cell] / count:.0f}"
        if number != "games"
        else f"{100 * count / total:.0f}"
        for cell, count in games.items()
    }
    words = {
        "wins": _("Numbers: per cent of the games with this first move that its owner won."),
        "swaps": _("Numbers: per cent of the games in which this first move was swapped."),
        "games": _("Numbers: per cent of all games that begin here."),
    }[number]
    overlay = Overlay(
        marks=marks,
        weights={cell: math.sqrt(count / most) for cell, count in games.items()},
        words=(words, _("The more dots, the more often it is played.")),
    )
    title = _("First moves of %(game)s") % {"game": said(game.title)}
    return render_svg(replace(game.initial().scene(), title=title, overlay=overlay))

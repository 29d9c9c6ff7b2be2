"""Pages of statistics, their charts, and downloads as JSON and CSV."""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from antipodes.errors import UnknownGameError
from antipodes.games.position import Game
from antipodes.games.registry import game_class
from antipodes.notation.scene import Overlay, Scene
from antipodes.notation.svg import render_svg
from antipodes.notation.svg.charts import Plane, chart, label
from antipodes.web.archive import statistics
from antipodes.web.archive.labels import color_label, option_set_label
from antipodes.web.archive.models import OptionSetRow
from antipodes.web.archive.queries import USUAL
from antipodes.web.archive.statistics import FirstMove, Lengths, Scope, Share, Summary
from antipodes.web.platform.pictures import board_picture
from antipodes.web.platform.templatetags.picture_sizes import scene_size
from antipodes.web.platform.translations import translate
from antipodes.web.ratings.classes import RatingBand, Speed

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


def first_moves_scene(game: Game, moves: Sequence[FirstMove], number: str) -> Scene:
    """Return a map of first moves on the board.

    Args:
        game: the game with its options.
        moves: the first moves.
        number: numbers on the cells, in per cent: ``wins``, ``swaps`` or ``games``.
    """

    def shares(first_move: FirstMove) -> Share:
        return first_move.swaps if number == "swaps" else first_move.wins

    total = sum(one.games for one in moves)
    games: dict[int, int] = defaultdict(int)
    won: dict[int, float] = defaultdict(float)
    for first_move in moves:
        for cell in first_move.cells:
            # Symmetric cells share their games.
            games[cell] += first_move.games
            won[cell] += shares(first_move).games
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


TABLES = ("option-sets", "lengths", "first-moves")
_MAPS = ("wins", "swaps", "games")
_CACHE_CONTROL = "public, max-age=60"
_ANY = ("", pgettext_lazy("search", "any"))
_YES_NO = {"yes": True, "no": False}


class ScopeForm(forms.Form):
    """Filter of the games counted."""

    speed = forms.ChoiceField(
        label=gettext_lazy("Speed"),
        required=False,
        choices=[_ANY, *((one.value, one.label) for one in Speed)],
    )
    rated = forms.ChoiceField(
        label=gettext_lazy("Rated"),
        required=False,
        choices=[_ANY, ("yes", gettext_lazy("rated")), ("no", gettext_lazy("casual"))],
    )
    computer = forms.ChoiceField(
        label=gettext_lazy("Kind of players"),
        required=False,
        choices=[
            _ANY,
            ("no", gettext_lazy("people only")),
            ("yes", gettext_lazy("with the computer")),
        ],
    )

    band = forms.ChoiceField(
        label=gettext_lazy("Mean rating"),
        required=False,
        choices=[_ANY, *((one.value, one.label) for one in RatingBand)],
    )

    def scope(self) -> Scope:
        """Return the filter; invalid values are ignored."""
        self.is_valid()
        data = self.cleaned_data
        return Scope(
            speed=data.get("speed", ""),
            rated=_YES_NO.get(data.get("rated", "")),
            with_computer=_YES_NO.get(data.get("computer", "")),
            band=data.get("band", ""),
        )


@require_safe
def overview(request: HttpRequest) -> HttpResponse:
    """Show the results of every game."""
    form = ScopeForm(request.GET)
    games = [
        {"game": game_class(game_id), "summary": summary, "wins": _wins(summary)}
        for game_id, summary in statistics.overview(form.scope())
    ]
    context = {"form": form, "games": games, "filter": urlencode(_filter(request))}
    return render(request, "archive/statistics.html", context)


@require_safe
def of_game(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the option sets of a game, and details of one of them."""
    game = _game(game_id)
    form = ScopeForm(request.GET)
    scope = form.scope()
    sets = statistics.option_sets(game.id, scope)
    chosen = _chosen(request, sets)
    filters = _filter(request)
    context: dict[str, Any] = {
        "game": game,
        "form": form,
        "sets": [_set_line(one, filters) for one in sets],
        "filter": urlencode(filters),
        "chosen": chosen,
    }
    if chosen is not None:
        assert chosen.option_set is not None
        context |= _details(chosen, chosen.option_set, scope, filters)
    return render(request, "archive/game_statistics.html", context)


def _details(
    summary: Summary, option_set: OptionSetRow, scope: Scope, filters: Mapping[str, str]
) -> dict[str, Any]:
    lengths = statistics.lengths(option_set, scope)
    moves = statistics.first_moves(option_set, scope)
    key = option_set.key or USUAL
    has_swaps = any(one.swaps.games for one in moves)
    return {
        "title": option_set_label(option_set),
        "key": key,
        "wins": _wins(summary),
        "wins_chart": wins_chart(summary),
        "lengths": lengths,
        "bars": lengths.bars(),
        "lengths_chart": lengths_chart(lengths),
        "first_moves": moves,
        "has_swaps": has_swaps,
        "swaps": Share(sum(one.swaps.games for one in moves), sum(one.games for one in moves)),
        "map_sizes": {
            number: scene_size(first_moves_scene(option_set.game, moves, number))
            for number in _MAPS
        },
        "of_set": urlencode({**filters, "options": key}),
        "search": urlencode({"game": option_set.game_id, "options": key}),
    }


@require_safe
def first_moves_map(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return a map of the first moves on the board as SVG."""
    number = request.GET.get("map", _MAPS[0])
    if number not in _MAPS:
        raise Http404(f"unknown map {number[:40]}")
    chosen, scope = _chosen_set(request, game_id)
    moves = statistics.first_moves(chosen, scope)
    picture = render_svg(first_moves_scene(chosen.game, moves, number))
    return board_picture(request, picture, _CACHE_CONTROL)


@require_safe
def as_json(request: HttpRequest, game_id: str) -> JsonResponse:
    """Return the statistics of the page as JSON."""
    game = _game(game_id)
    scope = ScopeForm(request.GET).scope()
    sets = statistics.option_sets(game.id, scope)
    chosen = _chosen(request, sets)
    data: dict[str, Any] = {"game": game.id, "option_sets": [_summary_data(one) for one in sets]}
    if chosen is not None and chosen.option_set is not None:
        lengths = statistics.lengths(chosen.option_set, scope)
        moves = statistics.first_moves(chosen.option_set, scope)
        data["chosen"] = {
            "options": chosen.option_set.key or USUAL,
            "lengths": {str(length): games for length, games in lengths.counts.items()},
            "median": lengths.median,
            "mean": lengths.mean,
            "first_moves": [_move_data(one) for one in moves],
        }
    return JsonResponse(data)


@require_safe
def as_csv(request: HttpRequest, game_id: str, table: str) -> HttpResponse:
    if table not in TABLES:
        raise Http404(f"unknown table {table[:40]}")
    if table == "option-sets":
        sets = statistics.option_sets(_game(game_id).id, ScopeForm(request.GET).scope())
        rows = _csv_of_sets(sets)
    else:
        chosen, scope = _chosen_set(request, game_id)
        if table == "lengths":
            rows = _csv_of_lengths(statistics.lengths(chosen, scope))
        else:
            rows = _csv_of_moves(statistics.first_moves(chosen, scope))
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    answer = HttpResponse(text.getvalue(), content_type="text/csv; charset=utf-8")
    name = f"{game_id}-{table}.csv"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


# Helpers of the views.


def _game(game_id: str) -> Any:
    try:
        return game_class(game_id)
    except UnknownGameError as error:
        raise Http404(str(error)) from None


def _filter(request: HttpRequest) -> dict[str, str]:
    """Return the query parameters of the filter."""
    values = {name: request.GET.get(name, "") for name in ScopeForm.base_fields}
    return {name: value for name, value in values.items() if value}


def _chosen(request: HttpRequest, sets: list[Summary]) -> Summary | None:
    """Return the chosen option set, or the most played one."""
    chosen = request.GET.get("options")
    if not chosen:
        return sets[0] if sets else None
    key = "" if chosen == USUAL else chosen
    return next((one for one in sets if one.option_set and one.option_set.key == key), None)


def _chosen_set(request: HttpRequest, game_id: str) -> tuple[OptionSetRow, Scope]:
    scope = ScopeForm(request.GET).scope()
    chosen = _chosen(request, statistics.option_sets(_game(game_id).id, scope))
    if chosen is None or chosen.option_set is None:
        raise Http404("no games were played with these options")
    return chosen.option_set, scope


def _wins(summary: Summary) -> list[tuple[str, Share]]:
    return [(color_label(color.value), share) for color, share in summary.wins.items()]


def _set_line(summary: Summary, filters: Mapping[str, str]) -> dict[str, Any]:
    row = summary.option_set
    assert row is not None
    return {
        "summary": summary,
        "title": option_set_label(row),
        "first": next(iter(_wins(summary)), None),
        "query": urlencode({**filters, "options": row.key or USUAL}),
    }


def _summary_data(summary: Summary) -> dict[str, Any]:
    row = summary.option_set
    return {
        "options": USUAL if row is None else row.key or USUAL,
        "games": summary.games,
        "wins": {color.value: share.as_dict() for color, share in summary.wins.items()},
        "draws": summary.draws.as_dict(),
        "endings": {ending.value: games for ending, games in summary.endings.items()},
    }


def _move_data(one: FirstMove) -> dict[str, Any]:
    return {
        "move": one.text,
        "games": one.games,
        "wins": one.wins.as_dict(),
        "swaps": one.swaps.as_dict(),
    }


def _csv_of_sets(sets: list[Summary]) -> Iterable[tuple[object, ...]]:
    yield "options", "outcome", "games", "of", "share", "low", "high"
    for summary in sets:
        data = _summary_data(summary)
        for outcome, share in (*data["wins"].items(), ("draw", data["draws"])):
            yield data["options"], outcome, *share.values()


def _csv_of_lengths(lengths: Lengths) -> Iterable[tuple[object, ...]]:
    yield "moves", "games"
    yield from lengths.counts.items()


def _csv_of_moves(moves: list[FirstMove]) -> Iterable[tuple[object, ...]]:
    yield "move", "games", "won", "share", "low", "high", "swapped", "swap_share"
    for first_move in moves:
        won, swaps = first_move.wins.as_dict(), first_move.swaps.as_dict()
        yield (
            first_move.text,
            first_move.games,
            *(won[name] for name in ("games", "share", "low", "high")),
            swaps["games"],
            swaps["share"],
        )

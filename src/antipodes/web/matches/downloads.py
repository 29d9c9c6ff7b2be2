"""Downloads of a match: its record, and images of its positions."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

import antipodes
from antipodes.core.numbers import read_number
from antipodes.errors import InvalidRecordError
from antipodes.games.position import Position
from antipodes.notation.svg.themes import DEFAULT_THEME, THEMES, in_theme
from antipodes.records import write_record
from antipodes.records.hexworld import to_hexworld
from antipodes.records.json_format import setup_data
from antipodes.web.matches.access import match_for
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.records import record_of
from antipodes.web.matches.snapshots import MatchSnapshot, shown
from antipodes.web.platform.pictures import picture_response

_TYPES = {"json": "application/json", "sgf": "application/x-go-sgf"}
_A_DAY = "max-age=86400"  # no longer, because later versions may draw better images


@require_safe
def record(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Return the record of a match as a file in one of the formats."""
    snapshot = _snapshot_or_404(request, slug)
    text = write_record(record_of(snapshot, request.build_absolute_uri(f"/m/{slug}/")), kind)
    answer = HttpResponse(text, content_type=f"{_TYPES[kind]}; charset=utf-8")
    name = f"{snapshot.row.game_id}-{slug}.{kind}"
    answer.headers["Content-Disposition"] = f'inline; filename="{name}"'
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@require_safe
def hexworld(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the board of hexworld.org with the moves of a match of Hex."""
    snapshot = _snapshot_or_404(request, slug)
    try:
        return redirect(to_hexworld(record_of(snapshot, "")))
    except InvalidRecordError as error:
        raise Http404(str(error)) from None


@require_safe
def picture_svg(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Return an SVG image of the position after ``ply`` moves, by default of the last one."""
    return _picture(request, slug, "svg")


@require_safe
def picture_png(request: HttpRequest, slug: str) -> HttpResponseBase:
    return _picture(request, slug, "png")


def _picture(request: HttpRequest, slug: str, kind: str) -> HttpResponseBase:
    snapshot = _snapshot_or_404(request, slug)
    asked = _asked(snapshot, request)
    who = "private" if snapshot.row.is_private else "public"
    caching = "no-cache" if snapshot.match.result is None else f"{who}, {_A_DAY}"
    name = f"{snapshot.row.game_id}-{slug}"
    return picture_response(request, asked.key, kind, asked.svg, name=name, caching=caching)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A requested image: a position, whether its moves are numbered, and the board's theme."""

    start: Position
    moves: tuple[int, ...]
    with_numbers: bool
    theme: str

    @property
    def key(self) -> str:
        """Cache key of this image as this version draws it."""
        game = self.start.game
        options, start = dict(game.options.changed()), setup_data(self.start.to_setup())
        shows = [game.id, options, start, self.moves, self.with_numbers, self.theme]
        text = json.dumps([antipodes.__version__, *shows], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def svg(self) -> str:
        """Draw the image as SVG."""
        position = self.start
        numbers: dict[int, int] = {}
        for number, move in enumerate(self.moves, start=1):
            position = position.play(move)
            if position.last_cell is not None:
                numbers[position.last_cell] = number
        return in_theme(position.to_svg(numbers if self.with_numbers else {}), self.theme)


def _asked(snapshot: MatchSnapshot, request: HttpRequest) -> _Asked:
    """Return the requested image.

    In the query, ``numbers`` numbers the moves, and ``theme`` is one of the board's themes.
    """
    moves = snapshot.match.moves
    text = request.GET.get("ply", str(len(moves)))
    ply = read_number(text, len(moves))
    if ply is None:
        raise Http404(f"there is no position after {text[:20]} moves")
    made = tuple(int(made.move) for made in moves[:ply])
    theme = request.GET.get("theme", DEFAULT_THEME)
    if theme not in THEMES:
        raise Http404(f"there is no board theme {theme[:20]}; there are {', '.join(THEMES)}")
    return _Asked(snapshot.match.terms.origin, made, "numbers" in request.GET, theme)


def _snapshot_or_404(request: HttpRequest, slug: str) -> MatchSnapshot:
    return shown(match_for(request, slug, MatchRow.objects.select_related("series")))

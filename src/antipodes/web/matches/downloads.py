"""Matches to take along: records, and pictures of any of their positions."""

from __future__ import annotations

from typing import Any

import resvg_py
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from antipodes.games.position import BoardPosition
from antipodes.records import write_record
from antipodes.web.matches.access import match_for
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.recording import record_of
from antipodes.web.matches.standings import Standing, standing_of

_TYPES = {"json": "application/json", "sgf": "application/x-go-sgf"}
_WIDTH = 1_200  # pixels of a picture


@require_safe
def record(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Return the record of a match as a file, in one of the formats."""
    standing = _standing_or_404(request, slug)
    text = write_record(record_of(standing, request.build_absolute_uri(f"/m/{slug}/")), kind)
    answer = HttpResponse(text, content_type=f"{_TYPES[kind]}; charset=utf-8")
    return _as_file(answer, f"{standing.row.game_id}-{slug}.{kind}")


@require_safe
def picture_svg(request: HttpRequest, slug: str) -> HttpResponse:
    """Return a picture of a position, the last one if ``ply`` does not say which."""
    standing = _standing_or_404(request, slug)
    picture = _picture(standing, request)
    answer = HttpResponse(picture, content_type="image/svg+xml")
    return _as_file(answer, f"{standing.row.game_id}-{slug}.svg")


@require_safe
def picture_png(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the same picture as pixels."""
    standing = _standing_or_404(request, slug)
    pixels = resvg_py.svg_to_bytes(svg_string=_picture(standing, request), width=_WIDTH)
    answer = HttpResponse(bytes(pixels), content_type="image/png")
    return _as_file(answer, f"{standing.row.game_id}-{slug}.png")


def _standing_or_404(request: HttpRequest, slug: str) -> Standing:
    return standing_of(match_for(request, slug, MatchRow.objects.select_related("series")))


def _picture(standing: Standing, request: HttpRequest) -> str:
    """Return the picture that a request asks for; ``numbers`` numbers the moves in it."""
    moves = standing.match.moves
    text = request.GET.get("ply", str(len(moves)))
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) <= len(moves)):
        raise Http404(f"there is no position after {text[:20]} moves")
    position: BoardPosition[Any] = standing.match.terms.game.initial()
    numbers: dict[int, int] = {}
    for number, made in enumerate(moves[: int(text)], start=1):
        position = position.play(made.move)
        if position.last_cell is not None:
            numbers[position.last_cell] = number
    return position.to_svg(numbers if "numbers" in request.GET else {})


def _as_file(answer: HttpResponse, name: str) -> HttpResponse:
    """Let browsers save an answer under a name; it says more than the address does."""
    answer.headers["Content-Disposition"] = f'inline; filename="{name}"'
    answer.headers["Cache-Control"] = "no-cache"
    return answer

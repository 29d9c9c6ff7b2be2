"""Pictures of puzzles: the position to solve, as SVG and PNG."""

from __future__ import annotations

from collections.abc import Callable

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

import antipodes
from antipodes.notation.svg import render_svg
from antipodes.puzzles.model import Puzzle
from antipodes.web.matches.downloads import PICTURES
from antipodes.web.platform.limits import BusyError, take_for_address
from antipodes.web.platform.rasterizer import RasterizerBusyError, draw_png_soon
from antipodes.web.puzzles import catalogue

_WIDTH = 1_200  # pixels
_COST = {"svg": 1, "png": 4}
_TYPES = {"svg": "image/svg+xml", "png": "image/png"}
_RETRY_AFTER = 3  # seconds until a client may try again while the rasterizer is busy
_A_WEEK = "public, max-age=604800"


@require_safe
def picture_svg(request: HttpRequest, puzzle_id: str) -> HttpResponseBase:
    """Return an SVG image of the position to solve, on any ground."""
    return _picture(request, puzzle_id, "svg", lambda svg: svg.encode())


@require_safe
def picture_png(request: HttpRequest, puzzle_id: str) -> HttpResponseBase:
    """Return an image with a caption as PNG, for previews of links."""
    return _picture(request, puzzle_id, "png", _png)


def _png(svg: str) -> bytes:
    try:
        return draw_png_soon(svg, _WIDTH)
    except RasterizerBusyError:
        raise BusyError(_RETRY_AFTER) from None


def _picture(
    request: HttpRequest, puzzle_id: str, kind: str, convert: Callable[[str], bytes]
) -> HttpResponseBase:
    puzzle = catalogue.get(puzzle_id)
    if puzzle is None:
        raise Http404(f"there is no puzzle {puzzle_id}")
    key = f"puzzle-{kind}-{antipodes.__version__}-{puzzle.id}"
    if unchanged := get_conditional_response(request, etag=f'"{key}"'):
        return unchanged
    pictures = caches["pictures"]
    picture = pictures.get(key)
    if picture is None:
        take_for_address(PICTURES, request, cost=_COST[kind])
        picture = convert(svg_of(puzzle, bare=kind == "svg"))
        pictures.set(key, picture)
    answer = HttpResponse(picture, content_type=_TYPES[kind])
    answer.headers["Content-Disposition"] = f'inline; filename="puzzle-{puzzle.id}.{kind}"'
    answer.headers["ETag"] = f'"{key}"'
    answer.headers["Cache-Control"] = _A_WEEK
    return answer


def svg_of(puzzle: Puzzle, *, bare: bool = True) -> str:
    """Draw the position to solve, for small pictures or with page and caption."""
    position = puzzle.position
    return render_svg(position.seen_from(position.seat_to_move), bare=bare)

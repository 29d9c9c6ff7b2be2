"""Pictures of puzzles: the position to solve, as SVG and PNG."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

import antipodes
from antipodes.errors import InputError
from antipodes.notation.svg import render_svg
from antipodes.notation.svg.themes import DEFAULT_THEME, on_any_page
from antipodes.puzzles.model import Puzzle
from antipodes.web.platform.pictures import board_picture, board_theme, picture_response
from antipodes.web.puzzles import catalogue
from antipodes.web.puzzles.judgements import position_after, read_moves
from antipodes.web.puzzles.plain_answers import read

_A_WEEK = "public, max-age=604800"


@require_safe
def picture_svg(request: HttpRequest, puzzle_id: str) -> HttpResponseBase:
    """Return an SVG image of the position to solve, or of that after ``moves``, on any ground."""
    moves = request.GET.get("moves", "")
    if moves:
        return moves_picture(request, _find(puzzle_id), moves)
    picture = _picture(request, _find(puzzle_id), "svg", board_theme(request))
    patch_vary_headers(picture, ["Cookie"])
    return picture


def moves_picture(request: HttpRequest, puzzle: Puzzle, moves: str) -> HttpResponse:
    """Return a picture of the position after moves, for pages without JavaScript.

    Raises:
        Http404: a move is not legal.
    """
    try:
        position = position_after(puzzle, read_moves(puzzle, read(moves)))
    except InputError as error:
        raise Http404(str(error)) from None
    svg = render_svg(position.seen_from(puzzle.position.seat_to_move), bare=True)
    return board_picture(request, svg, _A_WEEK)


@require_safe
def picture_png(request: HttpRequest, puzzle_id: str) -> HttpResponseBase:
    """Return an image with a caption as PNG, for previews of links."""
    return _picture(request, _find(puzzle_id), "png", DEFAULT_THEME)


def _find(puzzle_id: str) -> Puzzle:
    puzzle = catalogue.get(puzzle_id)
    if puzzle is None:
        raise Http404(f"there is no puzzle {puzzle_id}")
    return puzzle


def _picture(request: HttpRequest, puzzle: Puzzle, kind: str, theme: str) -> HttpResponseBase:
    key = f"puzzle-{antipodes.__version__}-{puzzle.id}-{theme}"

    def draw() -> str:
        svg = svg_of(puzzle, bare=kind == "svg")
        return on_any_page(svg, theme) if kind == "svg" else svg

    name = f"puzzle-{puzzle.id}"
    return picture_response(request, key, kind, draw, name=name, caching=_A_WEEK)


def svg_of(puzzle: Puzzle, *, bare: bool = True) -> str:
    """Draw the position to solve, for small pictures or with page and caption."""
    position = puzzle.position
    return render_svg(position.seen_from(position.seat_to_move), bare=bare)

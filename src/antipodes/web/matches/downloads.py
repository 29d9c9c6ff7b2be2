"""Downloads of a match: its record, and images of its positions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

import antipodes
from antipodes.core.numbers import read_number
from antipodes.games.position import Position
from antipodes.records import write_record
from antipodes.records.json_format import setup_data
from antipodes.web.matches.access import match_for
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.records import record_of
from antipodes.web.matches.snapshots import MatchSnapshot, shown
from antipodes.web.platform.limits import BusyError, rate_limit, take_for_address
from antipodes.web.platform.rasterizer import RasterizerBusyError, draw_png_soon

PICTURES = rate_limit(
    "pictures", "240/minute", per="address", what="images drawn; a PNG counts as four"
)

_TYPES = {"json": "application/json", "sgf": "application/x-go-sgf"}
_WIDTH = 1_200  # pixels of an image
_COST = {"svg": 1, "png": 4}
_RETRY_AFTER = 3  # seconds until a client may try again while the rasterizer is busy
_A_DAY = "max-age=86400"  # no longer, because later versions may draw better images


@require_safe
def record(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Return the record of a match as a file in one of the formats."""
    snapshot = _snapshot_or_404(request, slug)
    text = write_record(record_of(snapshot, request.build_absolute_uri(f"/m/{slug}/")), kind)
    answer = HttpResponse(text, content_type=f"{_TYPES[kind]}; charset=utf-8")
    return _as_file(answer, f"{snapshot.row.game_id}-{slug}.{kind}")


@require_safe
def picture_svg(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Return an SVG image of the position after ``ply`` moves, by default of the last one."""
    return _picture(request, slug, "svg", lambda asked: asked.svg().encode(), "image/svg+xml")


@require_safe
def picture_png(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Return the image as PNG."""
    return _picture(request, slug, "png", lambda asked: _png(asked.svg()), "image/png")


def _png(svg: str) -> bytes:
    try:
        return draw_png_soon(svg, _WIDTH)
    except RasterizerBusyError:
        raise BusyError(_RETRY_AFTER) from None


def _picture(
    request: HttpRequest,
    slug: str,
    kind: str,
    draw: Callable[[_Asked], bytes],
    content_type: str,
) -> HttpResponseBase:
    """Return an image from the cache or draw it, or answer 304 if the client has it."""
    snapshot = _snapshot_or_404(request, slug)
    asked = _asked(snapshot, request)
    key = f"{kind}-{asked.key}"
    if unchanged := get_conditional_response(request, etag=f'"{key}"'):
        return unchanged
    pictures = caches["pictures"]
    picture = pictures.get(key)
    if picture is None:
        take_for_address(PICTURES, request, cost=_COST[kind])
        picture = draw(asked)
        pictures.set(key, picture)
    answer = HttpResponse(picture, content_type=content_type)
    _as_file(answer, f"{snapshot.row.game_id}-{slug}.{kind}")
    answer.headers["ETag"] = f'"{key}"'
    if snapshot.match.result is not None:
        who = "private" if snapshot.row.is_private else "public"
        answer.headers["Cache-Control"] = f"{who}, {_A_DAY}"
    return answer


@dataclass(frozen=True, slots=True)
class _Asked:
    """A requested image: a position, and whether its moves are numbered."""

    start: Position
    moves: tuple[int, ...]
    with_numbers: bool

    @property
    def key(self) -> str:
        """Cache key of this image as this version draws it."""
        game = self.start.game
        options, start = dict(game.options.changed()), setup_data(self.start.to_setup())
        shows = [game.id, options, start, self.moves, self.with_numbers]
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
        return position.to_svg(numbers if self.with_numbers else {})


def _asked(snapshot: MatchSnapshot, request: HttpRequest) -> _Asked:
    """Return the requested image; ``numbers`` in the query numbers the moves."""
    moves = snapshot.match.moves
    text = request.GET.get("ply", str(len(moves)))
    ply = read_number(text, len(moves))
    if ply is None:
        raise Http404(f"there is no position after {text[:20]} moves")
    made = tuple(int(made.move) for made in moves[:ply])
    return _Asked(snapshot.match.terms.origin, made, "numbers" in request.GET)


def _snapshot_or_404(request: HttpRequest, slug: str) -> MatchSnapshot:
    return shown(match_for(request, slug, MatchRow.objects.select_related("series")))


def _as_file(answer: HttpResponse, name: str) -> HttpResponse:
    """Set the file name under which browsers save a response."""
    answer.headers["Content-Disposition"] = f'inline; filename="{name}"'
    answer.headers["Cache-Control"] = "no-cache"
    return answer

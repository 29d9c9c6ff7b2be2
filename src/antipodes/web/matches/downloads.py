"""Matches to take along: records, and pictures of any of their positions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

import antipodes
from antipodes.games.position import BoardPosition
from antipodes.records import write_record
from antipodes.web.matches.access import match_for
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.records import record_of
from antipodes.web.matches.snapshots import MatchSnapshot, shown
from antipodes.web.platform.limits import BusyError, rate_limit, take_for_address
from antipodes.web.platform.rasterizer import RasterizerBusyError, draw_png_soon

PICTURES = rate_limit(
    "pictures", "240/minute", per="address", what="pictures drawn; a PNG counts as four"
)

_TYPES = {"json": "application/json", "sgf": "application/x-go-sgf"}
_WIDTH = 1_200  # pixels of a picture
_COST = {"svg": 1, "png": 4}
_RETRY_AFTER = 3  # seconds until a picture that waits to be drawn is done
_A_DAY = "max-age=86400"  # the moves of a finished match stay, but pictures may become prettier


@require_safe
def record(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Return the record of a match as a file, in one of the formats."""
    standing = _standing_or_404(request, slug)
    text = write_record(record_of(standing, request.build_absolute_uri(f"/m/{slug}/")), kind)
    answer = HttpResponse(text, content_type=f"{_TYPES[kind]}; charset=utf-8")
    return _as_file(answer, f"{standing.row.game_id}-{slug}.{kind}")


@require_safe
def picture_svg(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Return a picture of a position, the last one if ``ply`` does not say which."""
    return _picture(request, slug, "svg", lambda asked: asked.svg().encode(), "image/svg+xml")


@require_safe
def picture_png(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Return the same picture as pixels."""
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
    """Answer with a picture that is drawn once, whoever asks for the position, or with 304."""
    standing = _standing_or_404(request, slug)
    asked = _asked(standing, request)
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
    _as_file(answer, f"{standing.row.game_id}-{slug}.{kind}")
    answer.headers["ETag"] = f'"{key}"'
    if standing.match.result is not None:
        who = "private" if standing.row.is_private else "public"
        answer.headers["Cache-Control"] = f"{who}, {_A_DAY}"
    return answer


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a picture shows: a position, with the numbers of its moves if they are wanted."""

    start: BoardPosition[Any]
    moves: tuple[int, ...]
    with_numbers: bool

    @property
    def key(self) -> str:
        """A name of exactly this picture, as this version draws it."""
        game = self.start.game
        shows = [game.id, dict(game.options.changed()), self.moves, self.with_numbers]
        text = json.dumps([antipodes.__version__, *shows], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    def svg(self) -> str:
        """Draw it."""
        position = self.start
        numbers: dict[int, int] = {}
        for number, move in enumerate(self.moves, start=1):
            position = position.play(move)
            if position.last_cell is not None:
                numbers[position.last_cell] = number
        return position.to_svg(numbers if self.with_numbers else {})


def _asked(standing: MatchSnapshot, request: HttpRequest) -> _Asked:
    """Return which picture a request asks for; ``numbers`` numbers the moves in it."""
    moves = standing.match.moves
    text = request.GET.get("ply", str(len(moves)))
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) <= len(moves)):
        raise Http404(f"there is no position after {text[:20]} moves")
    made = tuple(int(made.move) for made in moves[: int(text)])
    return _Asked(standing.match.terms.game.initial(), made, "numbers" in request.GET)


def _standing_or_404(request: HttpRequest, slug: str) -> MatchSnapshot:
    return shown(match_for(request, slug, MatchRow.objects.select_related("series")))


def _as_file(answer: HttpResponse, name: str) -> HttpResponse:
    """Let browsers save an answer under a name; it says more than the address does."""
    answer.headers["Content-Disposition"] = f'inline; filename="{name}"'
    answer.headers["Cache-Control"] = "no-cache"
    return answer

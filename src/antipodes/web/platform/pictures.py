"""Responses that are pictures of positions: SVG or PNG, drawn once and cached."""

from __future__ import annotations

from collections.abc import Callable

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers

from antipodes.notation.svg.themes import DEFAULT_THEME, THEMES, on_any_page
from antipodes.web.platform.limits import rate_limit, take_for_address
from antipodes.web.platform.rasterizer import draw_png_soon

PICTURES = rate_limit(
    "pictures", "240/minute", per="address", what="images drawn; a PNG counts as four"
)

_WIDTH = 1_200  # pixels of a PNG
_COST = {"svg": 1, "png": 4}
_TYPES = {"svg": "image/svg+xml", "png": "image/png"}


def board_theme(request: HttpRequest) -> str:
    """Return the board theme of the viewer; the browser stores it in a cookie."""
    theme = request.COOKIES.get("board", DEFAULT_THEME)
    return theme if theme in THEMES else DEFAULT_THEME


def board_picture(request: HttpRequest, svg: str, caching: str) -> HttpResponse:
    """Return a picture of a board for the site's own pages, in the viewer's board theme.

    It is dark in dark pages.

    Args:
        request: the request.
        svg: the picture in the default theme.
        caching: the header ``Cache-Control``; caches keep a picture for each theme.
    """
    response = HttpResponse(on_any_page(svg, board_theme(request)), content_type=_TYPES["svg"])
    response.headers["Cache-Control"] = caching
    patch_vary_headers(response, ["Cookie"])
    return response


def picture_response(
    request: HttpRequest,
    key: str,
    kind: str,
    draw: Callable[[], str],
    *,
    name: str,
    caching: str,
) -> HttpResponseBase:
    """Return a picture from the cache or draw it, or answer 304 if the client has it.

    Args:
        request: the request; drawing counts in the limit of its address.
        key: tells pictures apart; it changes when the picture would.
        kind: ``svg`` or ``png``.
        draw: returns the picture as SVG.
        name: under which browsers save the picture, without extension.
        caching: the header ``Cache-Control``.

    Raises:
        TooManyError: the address has had too many pictures drawn, or the rasterizer is busy.
    """
    tag = f'"{kind}-{key}"'
    if unchanged := get_conditional_response(request, etag=tag):
        return unchanged
    pictures = caches["pictures"]
    picture = pictures.get(f"{kind}-{key}")
    if picture is None:
        take_for_address(PICTURES, request, cost=_COST[kind])
        svg = draw()
        picture = draw_png_soon(svg, _WIDTH) if kind == "png" else svg.encode()
        pictures.set(f"{kind}-{key}", picture)
    response = HttpResponse(picture, content_type=_TYPES[kind])
    response.headers["Content-Disposition"] = f'inline; filename="{name}.{kind}"'
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = caching
    return response

"""Answers about positions, and the pages where they are tried out."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from antipodes.errors import InputError
from antipodes.web.study import presenters
from antipodes.web.study.queries import read_game, read_line, read_since

_FOR_EVER = "public, max-age=31536000, immutable"
_FOR_NOW = "public, max-age=60"


def refusal(error: InputError) -> JsonResponse:
    """Return the answer to what cannot be carried out."""
    return JsonResponse({"code": error.code, "message": str(error)}, status=400)


@require_GET
def board(request: HttpRequest) -> HttpResponse:
    """Return the board of a game."""
    try:
        found = presenters.board_of(read_game(request.GET.dict()))
    except InputError as error:
        return refusal(error)
    response = HttpResponse(found.text, content_type="application/json")
    known = request.GET.get("v") == found.version
    response.headers["Cache-Control"] = _FOR_EVER if known else _FOR_NOW
    return response


@require_GET
def position(request: HttpRequest) -> JsonResponse:
    """Return a position of a game, the way to it, and the moves that are legal there.

    With ``preview`` only what the last move changes is told, so that one sees it before playing.
    """
    query = request.GET.dict()
    try:
        line, since = read_line(query), read_since(query)
    except InputError as error:
        return refusal(error)
    if "preview" in query:
        return JsonResponse(presenters.effect_view(line, max(0, len(line.moves) - 1)))
    return JsonResponse(presenters.position_view(line, since))


@require_GET
def analysis(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the page on which a position is tried out and analysed."""
    try:
        line = read_line({**request.GET.dict(), "game": game_id})
    except InputError as error:
        return render(request, "refused.html", {"reason": str(error)}, status=400)
    context = {
        "game": line.game,
        "options": urlencode(line.game.options.changed()),
        "moves": ",".join(map(str, line.moves)),
    }
    return render(request, "study/analysis.html", context)

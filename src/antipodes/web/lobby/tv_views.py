"""The TV page, which shows the best live game and then the next one."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from antipodes.games.registry import game_class, game_ids
from antipodes.web.lobby.tv import game_on_tv, game_or_computer


@require_GET
def tv(request: HttpRequest, game_id: str = "") -> HttpResponse:
    """Show the best live game, of all games or of one."""
    row = game_on_tv(_known(game_id))
    context = {
        "slug": "" if row is None else row.slug,
        "game_id": game_id,
        "games": [game_class(one) for one in game_ids()],
    }
    return render(request, "lobby/tv.html", context)


@require_GET
def tv_now(request: HttpRequest) -> JsonResponse:
    """Return the slug of the game to show after the ``current`` one, or ``null``."""
    row = game_on_tv(_known(request.GET.get("game", "")), request.GET.get("current", ""))
    return JsonResponse({"slug": None if row is None else row.slug})


@require_POST
def tv_computer(request: HttpRequest) -> JsonResponse:
    """Begin a game of the computer against itself if there is nothing to show."""
    row = game_or_computer(_known(request.POST.get("game", "")))
    return JsonResponse({"slug": row.slug})


def _known(game_id: str) -> str:
    """Return the id of a game, or an empty text.

    Raises:
        Http404: there is no such game.
    """
    if game_id and game_id not in game_ids():
        raise Http404("there is no such game")
    return game_id

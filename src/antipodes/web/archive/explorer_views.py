"""The opening explorer as data for the pages of analyses."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from antipodes.core.numbers import read_number
from antipodes.errors import Fault, InputError
from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.notation.text import shorten
from antipodes.web.archive.explorer import Continuation, Explored, explore
from antipodes.web.archive.openings import LONGEST, opening_text
from antipodes.web.archive.queries import USUAL, Query
from antipodes.web.archive.selectors import games_page
from antipodes.web.platform.error_views import json_error
from antipodes.web.platform.limits import POSITIONS, take_for_address

_MOST_GAMES = 4  # that are listed
_MOST_MOVES = 20
_OWN = ("game", "moves")
_CACHE_CONTROL = "private, max-age=60"


@require_safe
def explorer(request: HttpRequest) -> JsonResponse:
    """Return how games went on after the first moves of the query."""
    try:
        take_for_address(POSITIONS, request)
        options = {name: value for name, value in request.GET.items() if name not in _OWN}
        game = make_game(request.GET.get("game", ""), options)
        moves = _read_moves(request.GET.get("moves", ""))
        found = explore(game, moves)
    except InputError as error:
        return json_error(error)
    response = JsonResponse(_explored_view(game, found))
    response.headers["Cache-Control"] = _CACHE_CONTROL
    return response


def _read_moves(text: str) -> list[int]:
    """Read the numbers of moves, separated by commas.

    Raises:
        InputError: they are no numbers, or too many.
    """
    items = [item for item in text.split(",") if item]
    moves = [move for item in items if (move := read_number(item)) is not None]
    if len(moves) < len(items) or len(moves) > LONGEST:
        fault = Fault.of(
            "archive/opening",
            "moves is {text}, but must be up to {most} numbers",
            text=shorten(text),
            most=LONGEST,
        )
        raise InputError([fault])
    return moves


def _explored_view(game: Game, found: Explored) -> dict[str, Any]:
    return {
        "games": found.games,
        "isSample": found.is_sample,
        "moves": [_view(one) for one in found.continuations[:_MOST_MOVES]],
        "colors": [color.value for color in game.colors],
        "latest": _latest(game, found),
        "search": _search_address(game, found) if found.games else None,
    }


def _view(one: Continuation) -> dict[str, Any]:
    return {
        "move": one.moves[0],
        "text": one.text,
        "same": len(one.moves) - 1,
        "cells": one.cells,
        "games": one.games,
        "wins": dict(one.wins),
        "value": one.value,
        "proven": one.proven,
        "isFair": one.is_fair,
    }


def _latest(game: Game, found: Explored) -> list[dict[str, Any]]:
    """Return the latest public games that went on from the position."""
    if not found.games:
        return []
    query = Query(game_id=game.id, option_set=found.option_set, opening=found.opening)
    page = games_page(query, None, most=_MOST_GAMES)
    return [
        {
            "address": reverse("match", args=[line.row.match.slug]),
            "players": [player.user.name for player in line.players],
            "result": line.result,
            "date": line.ended.date().isoformat(),
        }
        for line in page.lines
    ]


def _search_address(game: Game, found: Explored) -> str:
    fields = {
        "game": game.id,
        "options": (found.option_set and found.option_set.key) or USUAL,
        "opening": opening_text(game, found.opening),
    }
    return f"{reverse('games')}?{urlencode(fields)}"

"""The position editor."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from antipodes.errors import InputError
from antipodes.games.registry import closest_game, game_class, game_ids
from antipodes.web.analysis import presenters
from antipodes.web.analysis.editor import Judgement, cells_of, judge, kinds_of, read_edited
from antipodes.web.analysis.position_queries import Line, read_line
from antipodes.web.matches.presenters import pieces
from antipodes.web.platform.error_views import json_error, refused
from antipodes.web.platform.limits import POSITIONS, take_for_address
from antipodes.web.platform.translations import (
    caption_text,
    color_name,
    fault_message,
)


@require_GET
def editor_page(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the editor with the position at the end of a line."""
    try:
        if "HX-Request" in request.headers:
            line = Line.of(closest_game(game_id, request.GET.dict()))
        else:
            take_for_address(POSITIONS, request)
            line = read_line({**request.GET.dict(), "game": game_id})
    except InputError as error:
        return refused(request, error)
    position = line.position
    setup = position.to_setup()
    context = {
        "game": line.game,
        "options": urlencode(line.game.options.changed()),
        "line": line,
        "option_fields": presenters.option_fields(line.game),
        "games": [game_class(one) for one in game_ids()],
        "editor": {
            "board": presenters.board_address(line.game),
            "kinds": kinds_of(line.game),
            "start": pieces(line.game.initial()),
            "pieces": pieces(position),
            # Where the pieces tell whose turn it is, it changes with them.
            "turn": position.to_move.value if setup.composed else "",
            "swapped": position.swapped,
            "phase": position.phase,
            "plies": setup.phase_two_plies,
        },
        "color_names": [color_name(color).lower() for color in line.game.colors],
        "has_phases": bool(line.game.supply()),
    }
    return render(request, "analysis/editor.html", context)


@require_GET
def edited_position(request: HttpRequest, game_id: str) -> JsonResponse:
    """Return what the rules say of the pieces in the query."""
    try:
        take_for_address(POSITIONS, request)
        game, setup = read_edited({**request.GET.dict(), "game": game_id})
    except InputError as error:
        return json_error(error)
    return JsonResponse(_judgement_view(judge(game, setup)))


def _judgement_view(judged: Judgement) -> dict[str, object]:
    faults = judged.faults or judged.remarks
    view: dict[str, object] = {
        "verdict": "refused" if judged.line is None else "composed" if faults else "regular",
        "faults": [{"code": fault.code, "message": fault_message(fault)} for fault in faults],
        "cells": [cell for fault in faults for cell in cells_of(judged.game, fault)],
    }
    if judged.line is None:
        return view
    position = judged.line.position
    return {
        **view,
        "setup": judged.line.setup_text,
        "toMove": position.to_move.value,
        "phase": position.phase,
        "caption": caption_text(position),
        "isOver": position.outcome is not None,
        "chain": list(position.winning_chain()),
    }

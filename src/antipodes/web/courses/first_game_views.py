"""Your first game: a page with a coached game against the lowest level."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.core import Color
from antipodes.errors import InputError, UnknownGameError
from antipodes.games.position import Game, Position
from antipodes.games.registry import game_class
from antipodes.learn.first_game import first_game_of
from antipodes.learn.move_words import move_in_words
from antipodes.notation.svg import render_svg
from antipodes.web.analysis.presenters import board_address
from antipodes.web.courses import coaching, presenters
from antipodes.web.courses.judging import read_state, write_state
from antipodes.web.courses.limits import count_answer, must_wait
from antipodes.web.courses.progress import store_solved
from antipodes.web.courses.schemas import FirstGameOut
from antipodes.web.courses.views import svg
from antipodes.web.matches.presenters import board_position
from antipodes.web.platform.error_views import json_error
from antipodes.web.platform.limits import status_of
from antipodes.web.platform.translations import (
    caption_text,
    color_name,
    error_message,
    phrase_text,
    translate,
)

_HINT = "hint"  # value of the field "ask"


@require_http_methods(["GET", "POST"])
@never_cache
@ensure_csrf_cookie
def first_game(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the game; without JavaScript, moves are posted here too."""
    game = _game(game_id)
    told: FirstGameOut | None = None
    status, refused = 200, ""
    try:
        told = _played(request, game) if request.method == "POST" else _begun(game)
    except InputError as error:
        if must_wait(request, error):
            raise  # the middleware answers with Retry-After
        status, refused = status_of(error), error_message(error)
    state = request.POST.get("state", "") if told is None else told["state"]
    context = {**_context(game, state, told), "refused": refused}
    return render(request, "courses/first_game.html", context, status=status)


@require_POST
def answer(request: HttpRequest, game_id: str) -> JsonResponse:
    """Play a move, or give a hint; return the game as JSON."""
    try:
        return JsonResponse(_played(request, _game(game_id)))
    except InputError as error:
        return json_error(error)


@require_GET
def picture(request: HttpRequest, game_id: str) -> HttpResponse:
    """Return a picture of the game after the moves of ``state``, or of the empty board."""
    game = _game(game_id)
    state = request.GET.get("state", "")
    try:
        position = _position(game, state) if state else coaching.start_of(game.id)
    except InputError as error:
        raise Http404(str(error)) from None
    return svg(request, render_svg(position.scene(), bare=True))


def _game(game_id: str) -> type[Game]:
    try:
        game = game_class(game_id)
    except UnknownGameError as error:
        raise Http404(str(error)) from None
    if game.first_game is None:
        raise Http404(f"there is no first game of {game.id}")
    return game


def _place(game: type[Game]) -> tuple[str, str]:
    return coaching.PLACE, game.id


def _position(game: type[Game], state: str) -> Position:
    """Return the position of a signed state, or the first one."""
    moves = read_state(state, _place(game))
    return coaching.resume(game.id, moves).position


def _begun(game: type[Game]) -> FirstGameOut:
    return _view(game, coaching.begin(game.id), asked=False)


def _played(request: HttpRequest, game: type[Game]) -> FirstGameOut:
    """Play the posted move, or give a hint.

    Raises:
        InputError: the move is not legal, or the state cannot be read.
        TooManyError: there were too many moves.
    """
    count_answer(request)
    moves = read_state(request.POST.get("state", ""), _place(game)) or coaching.begin(game.id).moves
    if request.POST.get("ask") == _HINT:
        position = coaching.resume(game.id, moves).position
        return _view(game, coaching.Turn(moves, (), (), position), asked=True)
    played = coaching.play(game.id, moves, request.POST.get("answer", ""))
    if played.position.outcome is not None:
        store_solved(request, *_place(game))
    return _view(game, played, asked=False)


def _view(game: type[Game], turn: coaching.Turn, *, asked: bool) -> FirstGameOut:
    """Return the game as data for its page."""
    position = turn.position
    is_over = position.outcome is not None
    advised = () if is_over else coaching.advice(game.id, turn.moves, asked=asked)
    return {
        "board": board_address(position.game),
        "position": board_position(position, is_open=not is_over),
        "moves": list(turn.shown),
        "words": [phrase_text(phrase) for phrase in turn.words],
        "advice": [position.format_move(move) for move in advised],
        "adviceWords": [
            phrase_text(move_in_words(position, move, is_advice=True)) for move in advised
        ],
        "cells": [presenters.marked_cells(position, move) for move in advised],
        "isOver": is_over,
        "result": _result(position) if is_over else "",
        "state": write_state(_place(game), turn.moves),
    }


def _learner(position: Position) -> Color:
    return position.color_of(first_game_of(position.game.id).seat)


def _result(position: Position) -> str:
    assert position.outcome is not None
    if position.outcome.winner is None:
        return _("A draw.")
    won = position.outcome.winner is _learner(position)
    return _("You have won!") if won else _("The computer has won.")


def _context(game: type[Game], state: str, told: FirstGameOut | None) -> dict[str, Any]:
    try:
        position = _position(game, state)
    except InputError:
        state, position = "", coaching.start_of(game.id)
    learner = _learner(position)
    return {
        "game": game,
        "side": learner.value,
        "side_name": color_name(learner),
        "goal": translate(position.game.goals_in_words[learner]),
        "board_game": position.game,
        "caption": caption_text(position),
        "told": told,
        "state": state,
    }

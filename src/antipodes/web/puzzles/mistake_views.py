"""Pages of a player's own mistakes as exercises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.errors import InputError
from antipodes.games.registry import game_class
from antipodes.puzzles.model import Puzzle
from antipodes.search.chances import chance_percent
from antipodes.web.accounts.decorators import user_required
from antipodes.web.accounts.models import User
from antipodes.web.analysis.engine_kits import REFUTES
from antipodes.web.platform.client_addresses import address_of
from antipodes.web.platform.error_views import json_error
from antipodes.web.platform.pictures import board_picture
from antipodes.web.platform.translations import color_name
from antipodes.web.puzzles import labels, mistakes, presenters, services
from antipodes.web.puzzles.judgements import Asker
from antipodes.web.puzzles.models import MistakeRow
from antipodes.web.puzzles.pictures import moves_picture, svg_of
from antipodes.web.puzzles.plain_answers import WAIT, Actions, read, respond
from antipodes.web.puzzles.services import Answer, AnswerVerdict


@require_http_methods(["GET", "POST"])
@never_cache
@user_required
def index(request: HttpRequest, user: User) -> HttpResponse:
    """List the user's exercises; when posted, look for mistakes in further matches.

    Those of one match come first if the page, or the review of the match, asks for that.
    """
    if request.method == "POST":
        first = request.POST.get("match", "")
        mistakes.search(user, first)
        query = f"?{urlencode({'match': first})}" if first else ""
        return redirect(reverse("mistakes") + query)
    first = request.GET.get("match", "")
    rows = mistakes.exercises(user, first)
    context = {
        "first": first,
        "is_reviewing": mistakes.is_reviewing(user, first),
        "cards": [(row, game_class(row.game_id), task_of(row)) for row in rows],
        "open": sum(row.solved_at is None for row in rows),
        "waiting": mistakes.waiting(user),
    }
    return render(request, "puzzles/mistakes.html", context)


def task_of(row: MistakeRow) -> str:
    """Return what to do."""
    values = {"color": color_name(mistakes.puzzle_of(row).solver)}
    if row.is_proven:
        return _("%(color)s to move: find the win that you missed") % values
    return _("%(color)s to move: find the move that you missed") % values


def _find_or_404(user: User, key: int) -> MistakeRow:
    row = mistakes.find(user, key)
    if row is None:
        raise Http404(f"there is no exercise {key}")
    return row


@require_http_methods(["GET", "POST"])
@never_cache
@ensure_csrf_cookie
@user_required
def mistake(request: HttpRequest, user: User, key: int) -> HttpResponse:
    """Show an exercise; without JavaScript, answers are posted here too."""
    row = _find_or_404(user, key)
    plain: dict[str, Any] = {}
    if request.method == "POST":
        plain = respond(request, mistakes.puzzle_of(row), _actions(request, row, wait=WAIT))
    context = {**_context(user, row), "plain": plain}
    return render(request, "puzzles/mistake.html", context, status=plain.get("status", 200))


def _actions(request: HttpRequest, row: MistakeRow, *, wait: float = 0.0) -> Actions:
    """Return the actions of the player of an exercise."""
    puzzle, address = mistakes.puzzle_of(row), address_of(request)

    def judged(moves: Sequence[str], move: str) -> Answer:
        services.take_answer(row.user, address)
        refutes = REFUTES in request.POST
        return mistakes.answer(row, moves, move, wait=wait, address=address, refutes=refutes)

    def hinted(moves: Sequence[str]) -> str:
        services.take_answer(row.user, address)
        return services.right_move(puzzle, moves, Asker(row.user, address))

    return Actions(judged, hinted, lambda: puzzle.line)


def _context(user: User, row: MistakeRow) -> dict[str, Any]:
    exercises = mistakes.exercises(user, row.match.slug)
    others = (one for one in exercises if one.solved_at is None and one != row)
    following = next(others, None)
    puzzle = mistakes.puzzle_of(row)
    return {
        "row": row,
        "game": game_class(row.game_id),
        "board_game": puzzle.game,
        "task": task_of(row),
        **labels.role_of(puzzle),
        "position_query": presenters.position_query(puzzle),
        "before": _percent(puzzle, row.before),
        "after": _percent(puzzle, row.after),
        "next_url": reverse("mistake", args=[following.pk]) if following else reverse("mistakes"),
    }


def _percent(puzzle: Puzzle, value: float) -> int:
    """Return the chance of the player to move with a value of the search, in percent."""
    return chance_percent(puzzle.game, puzzle.position.to_move, value)


@require_GET
@user_required
def position(request: HttpRequest, user: User, key: int) -> JsonResponse:  # noqa: ARG001
    """Return the position of an exercise, without the move to find."""
    return JsonResponse(presenters.start_view(mistakes.puzzle_of(_find_or_404(user, key))))


@require_GET
@user_required
def picture(request: HttpRequest, user: User, key: int) -> HttpResponse:
    """Return a picture of the position of an exercise, or of that after ``moves``."""
    puzzle = mistakes.puzzle_of(_find_or_404(user, key))
    moves = request.GET.get("moves", "")
    if moves:
        return moves_picture(request, puzzle, moves)
    return board_picture(request, svg_of(puzzle), "private, max-age=86400")


@require_POST
@user_required
def answer(request: HttpRequest, user: User, key: int) -> JsonResponse:
    row = _find_or_404(user, key)
    try:
        moves = read(request.POST.get("moves", ""))
        found = _actions(request, row).answer(moves, request.POST.get("move", ""))
    except InputError as error:
        return json_error(error)
    return _answered(row, found)


@require_GET
@never_cache
@user_required
def judgement(request: HttpRequest, user: User, key: int) -> JsonResponse:
    """Return the judgement of a move without recording it, as late refutations do."""
    row = _find_or_404(user, key)
    try:
        services.take_answer(user, address_of(request))
        moves = read(request.GET.get("moves", ""))
        found = mistakes.judged(row, moves, address=address_of(request))
    except InputError as error:
        return json_error(error)
    return _answered(row, found)


def _answered(row: MistakeRow, judged: Answer) -> JsonResponse:
    """Return an answer as JSON, in words for one's own game."""
    told = presenters.answer_view(mistakes.puzzle_of(row), judged)
    first = len(judged.moves) == 1
    if judged.verdict is AnswerVerdict.SOLVED:
        told["message"] = _("That is the move!") if first else _("That wins. Solved!")
    elif judged.verdict is AnswerVerdict.WRONG:
        was_played = first and judged.moves[0] == row.played
        if "search" in told:
            told["search"]["proves"] = row.is_proven
        told["message"] = (
            _("That is what you played in the game.") if was_played else _("That is not the move.")
        )
    return JsonResponse(told, status=202 if judged.verdict is AnswerVerdict.WAITING else 200)


@require_POST
@user_required
def hint(request: HttpRequest, user: User, key: int) -> JsonResponse:
    """Return a few cells of which one begins a right move."""
    row = _find_or_404(user, key)
    try:
        moves = read(request.POST.get("moves", ""))
        found = _actions(request, row).hint(moves)
    except InputError as error:
        return json_error(error)
    return JsonResponse(presenters.hint_view(mistakes.puzzle_of(row), moves, found))


@require_POST
@user_required
def solution(request: HttpRequest, user: User, key: int) -> JsonResponse:  # noqa: ARG001
    """Return the moves to find."""
    puzzle = mistakes.puzzle_of(_find_or_404(user, key))
    return JsonResponse(presenters.line_view(puzzle, puzzle.line))


@require_GET
@never_cache
@user_required
def result(request: HttpRequest, user: User, key: int) -> HttpResponse:
    """Return what the page tells after a try, as HTML."""
    return render(request, "puzzles/mistake_result.html", _context(user, _find_or_404(user, key)))

"""Answers to the moves of a solver, hints, solutions, votes and reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.errors import Fault, InputError
from antipodes.puzzles.model import Puzzle
from antipodes.web.platform.error_views import json_error
from antipodes.web.platform.limits import status_of
from antipodes.web.platform.translations import error_message
from antipodes.web.puzzles import presenters, services
from antipodes.web.puzzles.models import TryRow
from antipodes.web.puzzles.plain_answers import WAIT, Actions, read, respond
from antipodes.web.puzzles.services import Answer, Verdict
from antipodes.web.puzzles.solvers import Solver
from antipodes.web.puzzles.views import find_or_404, page_context, result_context

Outcome = TryRow.Outcome
_VOTES = {"up": True, "down": False, "none": None}


@require_GET
def position(request: HttpRequest, puzzle_id: str) -> JsonResponse:  # noqa: ARG001
    """Return the position to solve; it has nothing about the solution."""
    return JsonResponse(presenters.start_view(find_or_404(puzzle_id)))


@require_POST
def answer(request: HttpRequest, puzzle_id: str) -> JsonResponse:
    """Judge a move; record and rate the try when it ends."""
    puzzle = find_or_404(puzzle_id)
    try:
        moves, move = read(request.POST.get("moves", "")), request.POST.get("move", "")
        return answered(puzzle, actions(request, puzzle).answer(moves, move))
    except InputError as error:
        return json_error(error)


def actions(request: HttpRequest, puzzle: Puzzle, *, wait: float = 0.0) -> Actions:
    """Return the actions of the solver of a request; tries are recorded.

    Args:
        request: the request.
        puzzle: the puzzle.
        wait: seconds to wait for a search.
    """
    solver = Solver.of(request)

    def judged(moves: Sequence[str], move: str) -> Answer:
        address = solver.address
        found = services.answer(solver.user, puzzle, moves, move, wait=wait, address=address)
        if found.verdict in (Verdict.SOLVED, Verdict.WRONG):
            is_solved = found.verdict is Verdict.SOLVED
            solver.note(puzzle, Outcome.SOLVED if is_solved else Outcome.FAILED)
        return found

    def hinted(moves: Sequence[str]) -> str:
        services.take_answer(solver.user, solver.address)
        found = services.hint(solver.user, puzzle, moves)
        solver.note(puzzle, Outcome.HINTED)
        return found

    def solved() -> Sequence[str]:
        services.take_answer(solver.user, solver.address)
        line = services.solution(solver.user, puzzle)
        solver.note(puzzle, Outcome.FAILED)
        return line

    return Actions(judged, hinted, solved)


@require_http_methods(["GET", "POST"])
@ensure_csrf_cookie
def puzzle_page(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Show a puzzle; without JavaScript, answers are posted here too."""
    puzzle = find_or_404(puzzle_id)
    plain: dict[str, Any] = {}
    if request.method == "POST":
        plain = respond(request, puzzle, actions(request, puzzle, wait=WAIT))
    context = {**page_context(request, puzzle), "plain": plain}
    return render(request, "puzzles/puzzle.html", context, status=plain.get("status", 200))


@require_GET
@never_cache
def judgement(request: HttpRequest, puzzle_id: str) -> JsonResponse:
    """Return what is known about a move without recording it, as frames and late refutations do."""
    puzzle = find_or_404(puzzle_id)
    solver = Solver.of(request)
    try:
        services.take_answer(solver.user, solver.address)
        moves = read(request.GET.get("moves", ""))
        found = services.refutation(solver.user, puzzle, moves, address=solver.address)
    except InputError as error:
        return json_error(error)
    return answered(puzzle, found)


def answered(puzzle: Puzzle, found: Answer) -> JsonResponse:
    """Return an answer as JSON."""
    status = 202 if found.verdict is Verdict.WAITING else 200
    return JsonResponse(presenters.answer_view(puzzle, found), status=status)


@require_POST
def hint(request: HttpRequest, puzzle_id: str) -> JsonResponse:
    """Return a hint; the try is no longer rated."""
    puzzle = find_or_404(puzzle_id)
    try:
        moves = read(request.POST.get("moves", ""))
        found = actions(request, puzzle).hint(moves)
    except InputError as error:
        return json_error(error)
    return JsonResponse(presenters.hint_view(puzzle, moves, found))


@require_POST
def solution(request: HttpRequest, puzzle_id: str) -> JsonResponse:
    """Return the solution; a try that has not ended counts as failed."""
    puzzle = find_or_404(puzzle_id)
    try:
        line = actions(request, puzzle).solution()
    except InputError as error:
        return json_error(error)
    return JsonResponse(presenters.line_view(puzzle, line))


@require_GET
@never_cache
def result(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Return what the page tells after the first try, as HTML."""
    context = result_context(request, find_or_404(puzzle_id))
    return render(request, "puzzles/result.html", context)


@require_POST
def vote(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Vote for or against a puzzle."""
    puzzle = find_or_404(puzzle_id)
    solver = Solver.of(request)
    chosen = request.POST.get("vote", "")
    try:
        if chosen not in _VOTES:
            raise InputError([Fault("puzzle/vote", _("Choose a vote."))])
        services.vote(solver.account, puzzle, is_up=_VOTES[chosen])
    except InputError as error:
        return _refused(request, error)
    return _after_form(request, puzzle, "")


@require_POST
def report(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Report a puzzle to the moderators."""
    puzzle = find_or_404(puzzle_id)
    solver = Solver.of(request)
    reason, text = request.POST.get("reason", ""), request.POST.get("text", "")
    try:
        services.report(solver.account, puzzle, reason, text)
    except InputError as error:
        return _refused(request, error)
    return _after_form(request, puzzle, _("Thank you. A moderator will look at the puzzle."))


def _after_form(request: HttpRequest, puzzle: Puzzle, told: str) -> HttpResponse:
    """Answer a form: with its part of the page, or without scripts with the page again."""
    if "HX-Request" in request.headers:
        context: dict[str, Any] = {**result_context(request, puzzle), "told": told}
        return render(request, "puzzles/result.html", context)
    if told:
        messages.success(request, told)
    return redirect("puzzle", puzzle_id=puzzle.id)


def _refused(request: HttpRequest, error: InputError) -> HttpResponse:
    context = {"reason": error_message(error)}
    return render(request, "refused.html", context, status=status_of(error))

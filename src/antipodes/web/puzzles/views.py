"""Pages of puzzles and of themes, the history, a frame for other sites, and answers to solvers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.errors import Fault, InputError
from antipodes.games.registry import game_class, game_ids
from antipodes.puzzles.model import HARDEST, Puzzle
from antipodes.web.accounts.decorators import user_required
from antipodes.web.accounts.models import User
from antipodes.web.analysis.engine_kits import REFUTES
from antipodes.web.platform.error_views import json_error
from antipodes.web.platform.limits import status_of
from antipodes.web.platform.security_headers import frames_allowed
from antipodes.web.platform.translations import error_message, translate
from antipodes.web.puzzles import catalogue, labels, presenters, selectors, services
from antipodes.web.puzzles.catalogue import categories, category_of
from antipodes.web.puzzles.daily import dailies, daily, today
from antipodes.web.puzzles.judgements import Asker
from antipodes.web.puzzles.models import PuzzleReportRow, TryRow, VoteRow
from antipodes.web.puzzles.plain_answers import WAIT, Actions, read, respond
from antipodes.web.puzzles.presenters import cards_of, daily_card
from antipodes.web.puzzles.services import Answer, AnswerVerdict
from antipodes.web.puzzles.solvers import Solver
from antipodes.web.ratings.charts import history_chart

_SHOWN = 12  # puzzles of a theme with pictures
_DAILIES = 8  # earlier puzzles of the day
_ONCE = "once"  # field of tries without a network, which pages send again if an answer was lost


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    """Show the puzzle of the day, games and themes, and the solver's streak and ratings."""
    solver = Solver.of(request)
    counts = catalogue.counts()
    ratings = selectors.own_ratings(solver.account) if solver.account else []
    by_game = {one.game_id: one for one in ratings}
    earlier = dailies(today() - timedelta(days=1), _DAILIES)
    cards = cards_of([one for _, one in earlier], solver)
    context = {
        "daily": daily_card(solver),
        "earlier": [(day, card) for (day, _), card in zip(earlier, cards, strict=True)],
        "streak": solver.streak,
        "is_account": solver.account is not None,
        "categories": [
            (category, counts.categories[category.name], by_game.get(category.game.id))
            for category in categories().values()
        ],
        "themes": [(one, counts.themes.get(one.name, 0)) for one in labels.all_themes()],
        "difficulties": range(1, HARDEST + 1),
    }
    return render(request, "puzzles/index.html", context)


@require_GET
def theme(request: HttpRequest, name: str) -> HttpResponse:
    """Show a theme: what it means, its puzzles by game, and some of them."""
    chosen_theme = labels.theme(name)
    if chosen_theme is None:
        raise Http404(f"there is no theme {name}")
    solver = Solver.of(request)
    offered = catalogue.offered(theme=name)
    counts = Counter(category_of(one).name for one in offered)
    context = {
        "theme": chosen_theme,
        "categories": [
            (category, counts[category.name])
            for category in categories().values()
            if counts[category.name]
        ],
        "cards": cards_of(_spread(offered), solver),
        "count": len(offered),
    }
    return render(request, "puzzles/theme.html", context)


def _spread(offered: list[Puzzle]) -> list[Puzzle]:
    """Return a few of the puzzles of which this theme is the first, over all difficulties."""
    ordered = sorted(offered, key=lambda one: (one.difficulty, one.id))
    step = max(1, len(ordered) // _SHOWN)
    return ordered[::step][:_SHOWN]


@require_GET
def next_puzzle(request: HttpRequest) -> HttpResponse:
    """Redirect to a puzzle that the solver has not tried, of a game, theme or difficulty."""
    solver = Solver.of(request)
    chosen = chosen_filter(request)
    puzzle = selectors.next_puzzle(
        solver.user,
        chosen.get("game"),
        chosen.get("theme"),
        int(chosen["difficulty"]) if "difficulty" in chosen else None,
        tried=solver.tried,
    )
    if puzzle is None:
        return render(request, "puzzles/none_left.html", {"chosen": chosen})
    query = f"?{urlencode(chosen)}" if chosen else ""
    return redirect(reverse("puzzle", args=[puzzle.id]) + query)


def chosen_filter(request: HttpRequest) -> dict[str, str]:
    """Return the valid filters of a query: ``game``, ``theme`` and ``difficulty``."""
    valid = {
        "game": (*game_ids(), *categories()),
        "theme": tuple(one.name for one in labels.all_themes()),
        "difficulty": tuple(str(number) for number in range(1, HARDEST + 1)),
    }
    given = ((name, request.GET.get(name, "")) for name in valid)
    return {name: value for name, value in given if value in valid[name]}


@require_GET
def daily_puzzle(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Redirect to the puzzle of the day."""
    puzzle = daily(today())
    if puzzle is None:
        raise Http404("there are no puzzles")
    return redirect("puzzle", puzzle_id=puzzle.id)


def find_or_404(puzzle_id: str) -> Puzzle:
    """Return the puzzle with an id.

    Raises:
        Http404: there is none.
    """
    puzzle = catalogue.get(puzzle_id)
    if puzzle is None:
        raise Http404(_("There is no puzzle %(id)s.") % {"id": puzzle_id[:40]})
    return puzzle


def page_context(request: HttpRequest, puzzle: Puzzle) -> dict[str, Any]:
    """Return the values that the page of a puzzle shows."""
    chosen = chosen_filter(request)
    page_url = reverse("puzzle", args=[puzzle.id])
    return {
        **result_context(request, puzzle),
        "game": game_class(puzzle.game_id),
        "category": category_of(puzzle),
        "task": labels.task_of(puzzle),
        **labels.role_of(puzzle),
        "is_daily": daily(today()) == puzzle,
        "next_url": next_url(chosen),
        "page_url": request.build_absolute_uri(page_url),
        "picture_url": request.build_absolute_uri(reverse("puzzle-picture-png", args=[puzzle.id])),
        "frame": _frame(request, puzzle),
    }


def _frame(request: HttpRequest, found: Puzzle) -> str:
    """Return the HTML that shows a puzzle on another site."""
    address = request.build_absolute_uri(reverse("puzzle-embed", args=[found.id]))
    title = escape(labels.task_of(found))
    return f'<iframe src="{escape(address)}" width="480" height="600" title="{title}"></iframe>'


def next_url(chosen: dict[str, str]) -> str:
    """Return the URL of the next puzzle with the same filters."""
    return reverse("next-puzzle") + (f"?{urlencode(chosen)}" if chosen else "")


def result_context(request: HttpRequest, puzzle: Puzzle) -> dict[str, Any]:
    """Return what a page tells about a puzzle once its first try is over, else nothing."""
    solver = Solver.of(request)
    outcome = solver.outcome(puzzle)
    if outcome is None:
        return {"puzzle": puzzle, "outcome": None, "is_account": solver.account is not None}
    row = catalogue.row_of(puzzle) if solver.account else None
    votes = VoteRow.objects.filter(user=solver.account, puzzle=row) if row else None
    return {
        "puzzle": puzzle,
        "game": game_class(puzzle.game_id),
        "outcome": outcome,
        "first_try": selectors.first_try(solver.account, puzzle),
        "is_account": solver.account is not None,
        "rating": catalogue.rating_of(puzzle).value,
        "themes": labels.themes_of(puzzle),
        "vote": votes.first() if votes is not None else None,
        "row": row,
        "reasons": PuzzleReportRow.Reason.choices,
        "position_query": presenters.position_query(puzzle),
        "streak": solver.streak,
        "next_url": next_url(chosen_filter(request)),
    }


@require_GET
@user_required
def history(request: HttpRequest, user: User) -> HttpResponse:
    """Show the tries of an account, and its rating in the puzzles of a game as a graph."""
    if user.is_guest:
        return redirect("account_signup")
    ratings = selectors.own_ratings(user)
    asked = request.GET.get("game", "")
    game_id = asked if asked in game_ids() else (ratings[0].game_id if ratings else game_ids()[0])
    points = selectors.rating_points(user, game_id)
    game = game_class(game_id)
    title = _("Rating in puzzles of %(game)s") % {"game": translate(game.title)}
    context = {
        "ratings": [(game_class(one.game_id), one) for one in ratings],
        "game": game,
        "title": title,
        "chart": history_chart(points, title) if points else None,
        "lines": selectors.latest_tries(user, game_id),
        "streak": selectors.streak(user, today()),
        "counts": selectors.outcome_counts(user),
    }
    return render(request, "puzzles/history.html", context)


@require_GET
@xframe_options_exempt
@frames_allowed
def embed(request: HttpRequest, puzzle_id: str) -> HttpResponse:
    """Show a puzzle in a frame of another site; nothing is recorded."""
    puzzle = find_or_404(puzzle_id)
    context = {
        "puzzle": puzzle,
        "game": game_class(puzzle.game_id),
        "category": category_of(puzzle),
        "task": labels.task_of(puzzle),
        **labels.role_of(puzzle),
        "page_url": request.build_absolute_uri(reverse("puzzle", args=[puzzle.id])),
    }
    return render(request, "puzzles/embed.html", context)


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
        asker = Asker(solver.user, solver.address, REFUTES in request.POST)
        once = _ONCE in request.POST
        found = services.answer(solver.user, puzzle, moves, move, wait=wait, asker=asker, once=once)
        if found.verdict in (AnswerVerdict.SOLVED, AnswerVerdict.WRONG):
            is_solved = found.verdict is AnswerVerdict.SOLVED
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
        asker = Asker(solver.user, solver.address, REFUTES in request.GET)
        judged = services.refutation(asker, puzzle, moves)
    except InputError as error:
        return json_error(error)
    return answered(puzzle, judged)


def answered(puzzle: Puzzle, found: Answer) -> JsonResponse:
    status = 202 if found.verdict is AnswerVerdict.WAITING else 200
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

"""Views of positions, analyses, hints and reviews, and the analysis page."""

from __future__ import annotations

from contextlib import nullcontext
from threading import Lock
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from antipodes.errors import InputError
from antipodes.games.registry import closest_game, game_class, game_ids
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import ensure_user
from antipodes.web.analysis import engine_kits, hints, presenters, reviews, services
from antipodes.web.analysis.effort import DEFAULT_EFFORT, EFFORTS, HINT, find_effort
from antipodes.web.analysis.engine_kits import Purpose
from antipodes.web.analysis.models import AnalysisRow
from antipodes.web.analysis.position_queries import (
    Line,
    read_game,
    read_line,
    read_since,
    read_steps,
)
from antipodes.web.matches import page_moves
from antipodes.web.matches.access import match_for
from antipodes.web.matches.snapshots import shown
from antipodes.web.platform.error_views import json_error
from antipodes.web.platform.limits import POSITIONS, take_for_address
from antipodes.web.platform.translations import error_message, fault_message

_FOR_EVER = "public, max-age=31536000, immutable"
_FOR_NOW = "public, max-age=60"
_MOVES_OF_ONE = 50  # moves to play or to tell that count as one more position

# Long lines are played through one after another: several at once would keep all other requests
# waiting for the interpreter's lock.
_long_line = Lock()


@require_GET
def board(request: HttpRequest) -> HttpResponse:
    try:
        take_for_address(POSITIONS, request)
        board_piece = presenters.board_of(read_game(request.GET.dict()))
    except InputError as error:
        return json_error(error)
    response = HttpResponse(board_piece.text, content_type="application/json")
    return _cached(response, request, board_piece.version)


def _cached(response: HttpResponse, request: HttpRequest, version: str) -> HttpResponse:
    """Let browsers keep a response for ever if the address has the version of its content."""
    known = request.GET.get("v") == version
    response.headers["Cache-Control"] = _FOR_EVER if known else _FOR_NOW
    return response


@require_GET
def engine_kit(request: HttpRequest) -> HttpResponse:
    """Return the kit of the engine in pages for a game."""
    try:
        take_for_address(POSITIONS, request)
        kit = engine_kits.kit_of(read_line(request.GET.dict()).game, _purpose_in(request))
    except InputError as error:
        return json_error(error)
    response = HttpResponse(kit.content, content_type="application/octet-stream")
    return _cached(response, request, kit.version)


@require_GET
def page_engine(request: HttpRequest) -> JsonResponse:
    """Return the engine in pages for a game and a setup, or why there is none."""
    try:
        take_for_address(POSITIONS, request)
        line, purpose = read_line(request.GET.dict()), _purpose_in(request)
    except InputError as error:
        return json_error(error)
    reason = engine_kits.why_not(line.game, purpose)
    if reason is not None:
        return JsonResponse({"engine": None, "reason": fault_message(reason)})
    return JsonResponse({"engine": engine_kits.engine_of(line, purpose), "reason": None})


def _purpose_in(request: HttpRequest) -> Purpose:
    return engine_kits.read_purpose(request.GET.get(engine_kits.FIELD, Purpose.PLAY))


@require_GET
def position(request: HttpRequest) -> JsonResponse:
    """Return a position of a game with its moves and the legal moves.

    With ``words`` the response has only a sentence about the last move; with ``since`` too, the
    moves after that many and a sentence about each. With ``preview`` it has only the changes by the
    last move; with ``steps`` too, only those by the first steps of one more.
    """
    query = request.GET.dict()
    try:
        take_for_address(POSITIONS, request)
        line, since, steps = read_line(query), read_since(query), read_steps(query)
        is_told = "words" in query and "since" in query
        is_short = "preview" in query or ("words" in query and not is_told)
        work = line.played + (1 if is_short else max(0, len(line.moves) - since))
        if work > _MOVES_OF_ONE:
            take_for_address(POSITIONS, request, cost=work // _MOVES_OF_ONE)
    except InputError as error:
        return json_error(error)
    with _long_line if work > _MOVES_OF_ONE else nullcontext():
        if is_told:
            return JsonResponse(presenters.told_view(line, since))
        if "words" in query:
            return JsonResponse(presenters.advice_view(line))
        if "preview" in query and steps:
            return JsonResponse(presenters.begun_view(line, steps))
        if "preview" in query:
            return JsonResponse(presenters.effect_view(line, max(0, len(line.moves) - 1)))
        return JsonResponse(presenters.position_view(line, since))


@require_GET
@ensure_csrf_cookie
def analysis_page(request: HttpRequest, game_id: str) -> HttpResponse:
    try:
        if "HX-Request" in request.headers:
            # The form asks for the choices that go with what was chosen in it.
            game = closest_game(game_id, request.GET.dict())
            line = Line.of(game)
        else:
            line = read_line({**request.GET.dict(), "game": game_id})
    except InputError as error:
        return render(request, "refused.html", {"reason": error_message(error)}, status=400)
    context = {
        "game": line.game,
        "options": urlencode(line.game.options.changed()),
        "setup": line.setup_text,
        "moves": ",".join(map(str, line.moves)),
        "option_fields": presenters.option_fields(line.game),
        "games": [game_class(one) for one in game_ids()],
        "efforts": EFFORTS,
        "usual_effort": DEFAULT_EFFORT,
    }
    return render(request, "analysis/analysis.html", context)


@require_POST
def ask_analysis(request: HttpRequest) -> JsonResponse:
    """Request an analysis of a position; the response has the slug by which to poll for it."""
    query = request.POST.dict()
    query.pop("csrfmiddlewaretoken", None)
    try:
        line, effort = read_line(query), find_effort(query.get("effort", DEFAULT_EFFORT.name))
        row = services.ask(ensure_user(request), line, effort)
    except InputError as error:
        return json_error(error)
    return JsonResponse(presenters.asked_view(row), status=202)


@require_http_methods(["GET", "DELETE"])
def analysis(request: HttpRequest, slug: str) -> JsonResponse:
    """Return the state and results of an analysis; or stop it, if it is the user's own."""
    row = get_object_or_404(AnalysisRow, slug=slug)
    if request.method == "DELETE":
        if row.user_id == request.user.pk:
            services.end_all_of(row.user, hints=row.is_hint)
    else:
        services.note_seen(row)
    return JsonResponse(presenters.asked_view(row))


@require_http_methods(["GET", "POST"])
@ensure_csrf_cookie
def hint(request: HttpRequest, slug: str) -> JsonResponse:
    """Return whether hints are allowed in a match; or request one."""
    row = match_for(request, slug)
    user = request.user if isinstance(request.user, User) else None
    if request.method == "GET":
        reason = hints.why_no_hints(row, user)
        why_not = reason and fault_message(reason)
        return JsonResponse({"allowed": reason is None, "reason": why_not, "seconds": HINT.seconds})
    try:
        return JsonResponse(presenters.asked_view(hints.ask_hint(row, user)), status=202)
    except InputError as error:
        return json_error(error)


@require_GET
def match_engine(request: HttpRequest, slug: str) -> JsonResponse:
    """Return the engine with which the user's page may make the computer's moves in a match."""
    row = match_for(request, slug)
    snapshot = shown(row)
    reason = page_moves.why_not(snapshot, request.user.pk)
    if reason is not None:
        return JsonResponse({"engine": None, "reason": fault_message(reason)})
    line = Line.of(snapshot.match.terms.game, snapshot.match.terms.setup)
    # Games with a network have two seats, so there is one level.
    [purpose] = {
        Purpose.of_level(line.game, level) for level in page_moves.levels_of(snapshot) if level
    }
    return JsonResponse({"engine": engine_kits.engine_of(line, purpose), "reason": None})


@require_http_methods(["GET", "POST"])
@ensure_csrf_cookie
def review(request: HttpRequest, slug: str) -> JsonResponse:
    """Return the review of a finished match, as far as it is done; or ask for it."""
    row = match_for(request, slug)
    if request.method == "POST":
        try:
            reviews.ask(row, request.user if isinstance(request.user, User) else None)
        except InputError as error:
            return json_error(error)
    return JsonResponse(reviews.review_view(row))

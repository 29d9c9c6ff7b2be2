"""Views of matches."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from antipodes.errors import Fault, InputError
from antipodes.games import pairing_strategy
from antipodes.games.position import Game
from antipodes.web.accounts.models import User
from antipodes.web.accounts.services import current_user, ensure_user
from antipodes.web.matches import presenters, viewer_state
from antipodes.web.matches.access import match_for
from antipodes.web.matches.embeds import preview_of
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.odds import odds_of
from antipodes.web.matches.selectors import waiting_matches
from antipodes.web.matches.snapshots import match_json, shown
from antipodes.web.matches.viewpoints import reads_own_side
from antipodes.web.platform.client_json import read_body
from antipodes.web.platform.clock import now
from antipodes.web.platform.error_views import json_error


@require_safe
def match_page(request: HttpRequest, slug: str) -> HttpResponse:
    row, user = match_for(request, slug), current_user(request)
    is_paired = pairing_strategy.is_for(type(row.game))
    is_paired = is_paired and row.seats.filter(user__computer=pairing_strategy.PLAYER).exists()
    context = {
        "row": row,
        "why": str(pairing_strategy.WHY) if is_paired else "",
        "odds": "" if row.start else odds_of(row.game, is_rated=row.rated),
        "side": _usual_side(request, row.game),
        "preview": preview_of(request, row),
        "waiting": 0 if user is None else waiting_matches(user).exclude(pk=row.pk).count(),
    }
    return render(request, "matches/match.html", context)


@require_safe
def next_match(request: HttpRequest) -> HttpResponse:
    """Redirect to a match in which it is the user's turn, or to the lobby.

    ``after`` in the query names the match that the user comes from, which is left out.
    """
    user = current_user(request)
    rows = MatchRow.objects.none() if user is None else waiting_matches(user)
    row = rows.exclude(slug=request.GET.get("after", "")).first()
    return redirect("lobby") if row is None else redirect("match", slug=row.slug)


def _usual_side(request: HttpRequest, game: Game) -> str:
    """Return the default viewpoint of the board, which a browser's own choice overrides.

    It is empty where all seats use the same names.
    """
    user = request.user if isinstance(request.user, User) else None
    if user is None or not game.has_sides:
        return ""
    return "own" if reads_own_side(user) else "first"


@require_safe
def board_data(request: HttpRequest, slug: str) -> JsonResponse:
    """Return the board of a match, which never changes."""
    row = match_for(request, slug)
    response = JsonResponse(presenters.board_view(row.game.initial()))
    who = "private, " if row.is_private else ""
    response.headers["Cache-Control"] = f"{who}max-age=31536000, immutable"
    return response


@require_safe
def match_data(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the present state of a match."""
    row = match_for(request, slug, MatchRow.objects.select_related("series"))
    user = request.user if isinstance(request.user, User) else None
    snapshot = shown(row)
    is_seated = user is not None and bool(snapshot.seats_of(user.pk))
    seen = viewer_state.seen_by(row, user) if is_seated else None
    text = match_json(snapshot, user.pk if user else None, now=now(), seen=seen)
    return HttpResponse(text, content_type="application/json")


@require_http_methods(["GET", "POST"])
def notes(request: HttpRequest, slug: str) -> JsonResponse:
    """Return the user's private notes on a match, or replace them with ``text``."""
    row = match_for(request, slug)
    if request.method == "GET":
        user = request.user if isinstance(request.user, User) else None
        return JsonResponse({"text": viewer_state.notes_of(row, user)})
    try:
        viewer_state.write_notes(row, ensure_user(request), _text_of(request))
    except InputError as error:
        return json_error(error)
    return JsonResponse({})


def _text_of(request: HttpRequest) -> str:
    """Return the text of a form or of JSON."""
    if request.content_type != "application/json":
        return request.POST.get("text", "")
    text = read_body(request, "match/message").get("text", "")
    if not isinstance(text, str):
        raise InputError([Fault("match/message", "the text of notes must be text")])
    return text

"""Pages of matches."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from antipodes.games.registry import game_class, game_ids
from antipodes.match import Terms
from antipodes.web.matches import presenters
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.services import begin_match
from antipodes.web.people.models import User
from antipodes.web.people.services import computer, ensure_user


def home(request: HttpRequest) -> HttpResponse:
    """Show what can be played."""
    return render(request, "home.html", {"games": [game_class(one) for one in game_ids()]})


@require_POST
def play_computer(request: HttpRequest, game_id: str) -> HttpResponse:
    """Begin a match against the computer at once."""
    user = ensure_user(request)
    game = game_class(game_id)()
    users = [user, computer(request.POST.get("level", "3"))][: game.seats]
    users += [users[-1]] * (game.seats - len(users))
    row = begin_match(Terms(game=game, players=tuple(str(one.pk) for one in users)), users)
    return redirect("match", slug=row.slug)


def match_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a match."""
    row = get_object_or_404(MatchRow, slug=slug)
    return render(request, "matches/match.html", {"row": row})


def board_data(request: HttpRequest, slug: str) -> JsonResponse:  # noqa: ARG001
    """Return the board of a match; it never changes."""
    row = get_object_or_404(MatchRow, slug=slug)
    response = JsonResponse(presenters.board_view(row.game.initial()))
    response.headers["Cache-Control"] = "max-age=31536000, immutable"
    return response


def match_data(request: HttpRequest, slug: str) -> JsonResponse:
    """Return how a match stands."""
    row = get_object_or_404(MatchRow, slug=slug)
    viewer = request.user if isinstance(request.user, User) else None
    return JsonResponse(presenters.match_view(row, row.match(), viewer))

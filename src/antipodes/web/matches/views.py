"""Pages of matches."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render

from antipodes.web.matches import presenters
from antipodes.web.matches.models import MatchRow
from antipodes.web.people.models import User


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

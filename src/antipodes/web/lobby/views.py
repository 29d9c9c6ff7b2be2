"""Pages of the lobby."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from antipodes.clocks import UNLIMITED
from antipodes.errors import MatchError, UnknownGameError
from antipodes.games.registry import game_class, game_ids
from antipodes.search.levels import DEFAULT_LEVEL
from antipodes.web.lobby import services
from antipodes.web.lobby.forms import GameForm
from antipodes.web.matches.models import ChallengeRow, MatchRow
from antipodes.web.people.models import User
from antipodes.web.people.services import computer, ensure_user

_LISTED = 50


def home(request: HttpRequest) -> HttpResponse:
    """Show what can be played, open challenges and one's own matches."""
    user = request.user if isinstance(request.user, User) else None
    open_now = ChallengeRow.objects.filter(is_listed=True, match=None).select_related("by")
    return render(
        request,
        "lobby/home.html",
        {
            "games": [game_class(one) for one in game_ids()],
            "challenges": open_now.order_by("-made_at")[:_LISTED],
            "own": [] if user is None else own_matches(user),
        },
    )


def own_matches(user: User) -> list[MatchRow]:
    """Return a user's matches that go on, those first in which it is their turn."""
    rows = (
        MatchRow.objects.filter(seats__user=user, ended_at=None)
        .prefetch_related("seats__user")
        .order_by("-begun_at")
        .distinct()
    )
    turn = {row.pk: _is_turn_of(row, user) for row in rows}
    for row in rows:
        row.is_my_turn = turn[row.pk]  # type: ignore[attr-defined]  # for the page alone
    return sorted(rows, key=lambda row: not turn[row.pk])


def _is_turn_of(row: MatchRow, user: User) -> bool:
    return any(s.number == row.seat_to_move and s.user_id == user.pk for s in row.seats.all())


def new_game(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the form for a game; with a filled one begin a match or post a challenge."""
    try:
        form = GameForm(game_id, request.POST or None)
    except UnknownGameError as error:
        raise Http404(str(error)) from None
    if request.method != "POST" or not form.is_valid():
        return render(request, "lobby/new.html", {"form": form, "game": form.game_type})
    user = ensure_user(request)
    chosen = form.cleaned_data
    seat, control = chosen["wanted_seat"], chosen["time_control"]
    if chosen["opponent"] == "computer":
        opponents = [computer(chosen["level"])] * (form.game.seats - 1)
        row = services.play_at_once(form.game, user, opponents, control=control, seat=seat)
        return redirect("match", slug=row.slug)
    challenge = services.post_challenge(
        user, form.game, control=control, seat=seat, is_listed=chosen["opponent"] == "anybody"
    )
    return redirect("challenge", slug=challenge.slug)


@require_POST
def play_now(request: HttpRequest, game_id: str) -> HttpResponse:
    """Begin a match with the usual options against the computer, without any question."""
    try:
        game = game_class(game_id)()
    except UnknownGameError as error:
        raise Http404(str(error)) from None
    opponents = [computer(str(DEFAULT_LEVEL))] * (game.seats - 1)
    row = services.play_at_once(game, ensure_user(request), opponents, control=UNLIMITED, seat=0)
    return redirect("match", slug=row.slug)


def challenge(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a challenge and who has joined; its owner waits here until the match begins."""
    row = get_object_or_404(ChallengeRow.objects.select_related("by", "match"), slug=slug)
    if row.match is not None:
        return redirect("match", slug=row.match.slug)
    seats = [row.by, *(one.user for one in row.joins.select_related("user"))]
    context = {
        "row": row,
        "seated": seats,
        "free": row.game.seats - len(seats),
        "is_in": request.user in seats,
        "link": request.build_absolute_uri(),
    }
    return render(request, "lobby/challenge.html", context)


@require_POST
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """Join a challenge."""
    get_object_or_404(ChallengeRow, slug=slug)
    try:
        row = services.join(slug, ensure_user(request))
    except MatchError as error:
        return render(request, "refused.html", {"reason": str(error)}, status=409)
    if row is None:
        return redirect("challenge", slug=slug)
    return redirect("match", slug=row.slug)

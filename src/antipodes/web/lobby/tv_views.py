"""The TV page, which shows the best live game and then the next one.

There is at most one game of the computer against itself. It begins only while a TV page is open,
and makes a move every few seconds, while no player waits for the engine.
"""

from __future__ import annotations

import secrets

from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from antipodes.games.registry import game_class, game_ids, make_game
from antipodes.match import Terms
from antipodes.search.levels import DEFAULT_LEVEL
from antipodes.web.accounts.services import computer
from antipodes.web.lobby.selectors import live_matches
from antipodes.web.matches.models import MatchRow, SeatRow
from antipodes.web.matches.services import begin_match
from antipodes.web.platform.limits import rate_limit, take
from antipodes.web.ratings.classes import board_class_of, speed_of_text
from antipodes.web.ratings.selectors import UNRATED, CurrentRating, ratings_in_pools

COMPUTER_GAMES = rate_limit(
    "tv-games", "1/10 seconds;60/hour", per="site", what="games of the computer against itself"
)

_MOST = 60  # live games, the latest ones, among which the best is chosen

Ratings = dict[tuple[int, str, str, str], CurrentRating]


def game_on_tv(game_id: str = "", current: str = "") -> MatchRow | None:
    """Return the game to show, or ``None`` if neither players nor the computer play.

    Args:
        game_id: the game of the channel; empty for all games.
        current: slug of the game that is shown; a game of players is shown until it ends.
    """
    rows = [row for row in live_matches(None, _MOST, game_id) if not _has_computer(row)]
    shown = next((row for row in rows if row.slug == current), None)
    if shown is not None:
        return shown
    ratings = ratings_in_pools(seat.user_id for row in rows for seat in row.seats.all())
    best = max(rows, key=lambda row: (_strength(row, ratings), row.begun_at), default=None)
    return best or _computer_game()


def game_or_computer(game_id: str = "") -> MatchRow:
    """Return the game to show; if there is none, the computer begins one against itself.

    Raises:
        TooManyError: the computer has begun too many games.
    """
    match = game_on_tv(game_id)
    if match is not None:
        return match
    take(COMPUTER_GAMES, "site")
    game = make_game(game_id or secrets.choice(game_ids()), {})
    users = [computer(str(DEFAULT_LEVEL))] * game.seats
    players = tuple(str(user.pk) for user in users)
    return begin_match(Terms(game=game, players=players), users)


def _computer_game() -> MatchRow | None:
    """Return the game that the computer plays against itself."""
    people = SeatRow.objects.filter(match=OuterRef("pk"), user__computer="")
    rows = MatchRow.objects.filter(~Exists(people), ended_at=None, is_private=False)
    return rows.order_by("-begun_at").first()


def _has_computer(row: MatchRow) -> bool:
    return any(seat.user.is_computer for seat in row.seats.all())


def _strength(row: MatchRow, ratings: Ratings) -> float:
    """Return the mean rating of the players of a match."""
    pool = row.game_id, str(speed_of_text(row.control)), str(board_class_of(row.game))
    values = [ratings.get((seat.user_id, *pool), UNRATED).value for seat in row.seats.all()]
    return sum(values) / len(values)


@require_GET
def tv(request: HttpRequest, game_id: str = "") -> HttpResponse:
    """Show the best live game, of all games or of one."""
    row = game_on_tv(_known(game_id))
    context = {
        "slug": "" if row is None else row.slug,
        "game_id": game_id,
        "games": [game_class(one) for one in game_ids()],
    }
    return render(request, "lobby/tv.html", context)


@require_GET
def tv_now(request: HttpRequest) -> JsonResponse:
    """Return the slug of the game to show after the ``current`` one, or ``null``."""
    row = game_on_tv(_known(request.GET.get("game", "")), request.GET.get("current", ""))
    return JsonResponse({"slug": None if row is None else row.slug})


@require_POST
def tv_computer(request: HttpRequest) -> JsonResponse:
    """Begin a game of the computer against itself if there is nothing to show."""
    row = game_or_computer(_known(request.POST.get("game", "")))
    return JsonResponse({"slug": row.slug})


def _known(game_id: str) -> str:
    """Return the id of a game, or an empty text.

    Raises:
        Http404: there is no such game.
    """
    if game_id and game_id not in game_ids():
        raise Http404("there is no such game")
    return game_id

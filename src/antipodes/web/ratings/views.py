"""Pages of leaderboards, and the ratings of a match as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from antipodes.core.numbers import read_number
from antipodes.errors import UnknownGameError
from antipodes.games.position import Game
from antipodes.games.registry import game_class, game_ids
from antipodes.web.accounts.services import current_user
from antipodes.web.matches.access import may_watch
from antipodes.web.matches.models import MatchRow
from antipodes.web.ratings import selectors
from antipodes.web.ratings.classes import BoardClass, Speed, board_classes
from antipodes.web.ratings.match_ratings import ratings_at
from antipodes.web.ratings.selectors import Include
from antipodes.web.ratings.services import rate_at_once

_TOP = 5  # players of each game on the overview page
_INCLUDE_LABELS = {
    Include.PROVISIONAL: _("provisional ratings"),
    Include.BOTS: _("bots"),
}


@dataclass(frozen=True, slots=True)
class LeaderboardQuery:
    """Query parameters of a leaderboard; invalid values are replaced by defaults.

    Attributes:
        speed: the speed.
        board_class: the class of boards.
        include: players listed on request only.
    """

    speed: Speed
    board_class: BoardClass
    include: frozenset[Include] = frozenset()

    @classmethod
    def read(cls, request: HttpRequest, boards: tuple[BoardClass, ...]) -> LeaderboardQuery:
        """Read the query parameters of a page that offers some classes of boards."""
        speed = request.GET.get("speed", "")
        board = request.GET.get("board", "")
        return cls(
            speed=Speed(speed) if speed in list(Speed) else Speed.RAPID,
            board_class=BoardClass(board) if board in boards else BoardClass.STANDARD,
            include=frozenset(one for one in Include if request.GET.get(one) == "1"),
        )

    def url(self, **changes: object) -> str:
        """Return the query string with some values changed."""
        values: dict[str, object] = {
            "speed": self.speed,
            "board": self.board_class,
            **{one.value: int(one in self.include) for one in Include},
            **changes,
        }
        return "?" + urlencode({name: value for name, value in values.items() if value})


@dataclass(frozen=True, slots=True)
class Choice:
    """A link to the same page with another query.

    Attributes:
        label: the text of the link.
        url: its query string.
        is_chosen: whether it is the current choice.
    """

    label: Any
    url: str
    is_chosen: bool


def _speeds(query: LeaderboardQuery) -> list[Choice]:
    return [Choice(one.label, query.url(speed=one), one is query.speed) for one in Speed]


@require_GET
def leaderboards(request: HttpRequest) -> HttpResponse:
    """Show the best players of each game on its standard board."""
    query = LeaderboardQuery.read(request, ())
    tops = [(game_class(game_id), _top(game_id, query)) for game_id in game_ids()]
    context = {"query": query, "speeds": _speeds(query), "tops": tops}
    return render(request, "ratings/leaderboards.html", context)


def _top(game_id: str, query: LeaderboardQuery) -> list[selectors.LeaderLine]:
    return selectors.leaderboard(game_id, query.speed, query.board_class).lines[:_TOP]


@require_GET
def leaderboard(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show the leaderboard of a game, speed and class of boards."""
    game = _game(game_id)
    boards = board_classes(game.id)
    query = LeaderboardQuery.read(request, boards)
    viewer = current_user(request)
    board = selectors.leaderboard(
        game.id,
        query.speed,
        query.board_class,
        viewer=viewer,
        include=query.include,
        page=_page(request),
    )
    context = {
        "game": game,
        "games": [game_class(one) for one in game_ids()],
        "query": query,
        "speeds": _speeds(query),
        "boards": [
            Choice(
                board_class.label, query.url(board=board_class), board_class is query.board_class
            )
            for board_class in boards
        ],
        "leaderboard": board,
        "own_rating": None
        if viewer is None or viewer.is_guest or board.own is not None
        else selectors.rating_of(viewer, game.id, query.speed, query.board_class),
        "includes": [
            Choice(
                label,
                query.url(**{group.value: int(group not in query.include)}),
                group in query.include,
            )
            for group, label in _INCLUDE_LABELS.items()
        ],
        "own_page": query.url(page=board.own_page) if board.own_page else "",
        "previous": query.url(page=board.page - 1) if board.page > 1 else "",
        "next": query.url(page=board.page + 1) if board.page < board.pages else "",
    }
    return render(request, "ratings/leaderboard.html", context)


def _game(game_id: str) -> type[Game]:
    try:
        return game_class(game_id)
    except UnknownGameError as error:
        raise Http404(str(error)) from None


def _page(request: HttpRequest) -> int:
    return read_number(request.GET.get("page", "")) or 1


@require_GET
def match_ratings(request: HttpRequest, slug: str) -> JsonResponse:
    """Return the ratings of a match's players, and their changes by the match."""
    row = get_object_or_404(MatchRow, slug=slug)
    if not may_watch(row, current_user(request)):
        raise Http404(f"there is no match {slug}")
    rate_at_once(row)
    return JsonResponse(ratings_at(row))

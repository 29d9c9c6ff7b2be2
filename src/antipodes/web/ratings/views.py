"""Pages of leaderboards, and the ratings at a match as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_GET

from antipodes.errors import UnknownGameError
from antipodes.games.base import BoardGame
from antipodes.games.registry import game_class, game_ids
from antipodes.web.accounts.services import current_user
from antipodes.web.matches.access import may_watch
from antipodes.web.matches.models import MatchRow
from antipodes.web.ratings import selectors
from antipodes.web.ratings.classes import BoardClass, Speed, board_classes
from antipodes.web.ratings.match_ratings import ratings_at
from antipodes.web.ratings.selectors import Also

_BEST = 5  # of each game, on the first page
_ALSO = {
    Also.PROVISIONAL: _("provisional ratings too"),
    Also.BOTS: _("programs too"),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which ratings a page compares, as its address says; what it says wrongly is left out.

    Attributes:
        speed: how fast the games are played.
        board_class: on how large boards.
        also: who else is listed.
    """

    speed: Speed
    board_class: BoardClass
    also: frozenset[Also] = frozenset()

    @classmethod
    def read(cls, request: HttpRequest, boards: tuple[BoardClass, ...]) -> Wanted:
        """Read the address of a page that compares one of these classes of boards."""
        given = request.GET
        speed = given.get("speed", "")
        board = given.get("board", "")
        return cls(
            speed=Speed(speed) if speed in list(Speed) else Speed.RAPID,
            board_class=BoardClass(board) if board in boards else BoardClass.STANDARD,
            also=frozenset(one for one in Also if given.get(one) == "1"),
        )

    def address(self, **changes: object) -> str:
        """Return the end of an address that says the same, but for some changes."""
        values: dict[str, object] = {
            "speed": self.speed,
            "board": self.board_class,
            **{one.value: int(one in self.also) for one in Also},
            **changes,
        }
        return "?" + urlencode({name: value for name, value in values.items() if value})


@dataclass(frozen=True, slots=True)
class Choice:
    """A link to the same page with something else.

    Attributes:
        words: what is there.
        address: its end.
        is_chosen: whether it is what the page shows.
    """

    words: Any
    address: str
    is_chosen: bool


def _speeds(wanted: Wanted) -> list[Choice]:
    return [Choice(one.words, wanted.address(speed=one), one is wanted.speed) for one in Speed]


@require_GET
def leaderboards(request: HttpRequest) -> HttpResponse:
    """Show the best of each game, on its usual board."""
    wanted = Wanted.read(request, ())
    tops = [(game_class(game_id), _top(game_id, wanted)) for game_id in game_ids()]
    context = {"wanted": wanted, "speeds": _speeds(wanted), "tops": tops}
    return render(request, "ratings/leaderboards.html", context)


def _top(game_id: str, wanted: Wanted) -> list[selectors.LeaderLine]:
    return selectors.leaderboard(game_id, wanted.speed, wanted.board_class).lines[:_BEST]


@require_GET
def leaderboard(request: HttpRequest, game_id: str) -> HttpResponse:
    """Show who is strongest in a game, at a speed, on a class of boards."""
    game = _game(game_id)
    boards = board_classes(game.id)
    wanted = Wanted.read(request, boards)
    viewer = current_user(request)
    found = selectors.leaderboard(
        game.id,
        wanted.speed,
        wanted.board_class,
        viewer=viewer,
        also=wanted.also,
        page=_page(request),
    )
    context = {
        "game": game,
        "games": [game_class(one) for one in game_ids()],
        "wanted": wanted,
        "speeds": _speeds(wanted),
        "boards": [
            Choice(one.words, wanted.address(board=one), one is wanted.board_class)
            for one in boards
        ],
        "found": found,
        "own_standing": None
        if viewer is None or viewer.is_guest or found.own is not None
        else selectors.rating_of(viewer, game.id, wanted.speed, wanted.board_class),
        "others": [
            Choice(
                words,
                wanted.address(**{one.value: int(one not in wanted.also)}),
                one in wanted.also,
            )
            for one, words in _ALSO.items()
        ],
        "own_page": wanted.address(page=found.own_page) if found.own_page else "",
        "before": wanted.address(page=found.page - 1) if found.page > 1 else "",
        "after": wanted.address(page=found.page + 1) if found.page < found.pages else "",
    }
    return render(request, "ratings/leaderboard.html", context)


def _game(game_id: str) -> type[BoardGame[Any, Any]]:
    try:
        return game_class(game_id)
    except UnknownGameError as error:
        raise Http404(str(error)) from None


def _page(request: HttpRequest) -> int:
    given = request.GET.get("page", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 8 else 1


@require_GET
def match_ratings(request: HttpRequest, slug: str) -> JsonResponse:
    """Return how strong the players of a match are, and what it has made of their ratings."""
    row = get_object_or_404(MatchRow, slug=slug)
    if not may_watch(row, current_user(request)):
        raise Http404(f"there is no match {slug}")
    return JsonResponse(ratings_at(row))

"""Operations on games: their options, and levels of the computer."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Path, Router

from antipodes.errors import UnknownGameError
from antipodes.games.position import Game
from antipodes.games.registry import game_class
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.games import GameOut, LevelOut, all_games, all_levels, game_out

router = Router(tags=["games"])

GameId = Annotated[str, Path(min_length=1, max_length=40, description="such as hex")]


def find_game(game_id: str) -> type[Game]:
    """Return the class of a game.

    Raises:
        ApiError: there is no such game.
    """
    try:
        return game_class(game_id)
    except UnknownGameError as error:
        raise not_found(str(error)) from None


@operation(router, "GET", "/games", PUBLIC, list[GameOut])
def list_games(request: HttpRequest) -> list[GameOut]:  # noqa: ARG001
    """List all games with their options."""
    return all_games()


@operation(router, "GET", "/games/{game_id}", PUBLIC, GameOut, errors=(404,))
def get_game(request: HttpRequest, game_id: GameId) -> GameOut:  # noqa: ARG001
    """Return a game with its options."""
    return game_out(find_game(game_id))


@operation(router, "GET", "/levels", PUBLIC, list[LevelOut])
def list_levels(request: HttpRequest) -> list[LevelOut]:  # noqa: ARG001
    """List the levels of the computer, the weakest first."""
    return all_levels()

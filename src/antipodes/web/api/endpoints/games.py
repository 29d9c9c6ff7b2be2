"""What can be played: games, their options, levels of the computer."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest
from ninja import Path, Router

from antipodes.errors import UnknownGameError
from antipodes.games.registry import game_class
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.games import GameShape, LevelShape, all_games, all_levels, game_shape

router = Router(tags=["games"])

GameId = Annotated[str, Path(min_length=1, max_length=40, description="such as hex")]


@operation(router, "GET", "/games", PUBLIC, list[GameShape])
def list_games(request: HttpRequest) -> list[GameShape]:  # noqa: ARG001
    """List all games with their options."""
    return all_games()


@operation(router, "GET", "/games/{game_id}", PUBLIC, GameShape, errors=(404,))
def get_game(request: HttpRequest, game_id: GameId) -> GameShape:  # noqa: ARG001
    """Describe a game and its options."""
    try:
        return game_shape(game_class(game_id))
    except UnknownGameError as error:
        raise not_found(str(error)) from None


@operation(router, "GET", "/levels", PUBLIC, list[LevelShape])
def list_levels(request: HttpRequest) -> list[LevelShape]:  # noqa: ARG001
    """List the levels of the computer, the weakest first."""
    return all_levels()

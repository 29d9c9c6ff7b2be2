"""Finished games: searched, and counted."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Query, Router

from antipodes.errors import UnknownGameError
from antipodes.games.registry import game_class
from antipodes.web.api.auth import caller
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.problems import not_found
from antipodes.web.api.schemas.community import FoundGames, GameSearch
from antipodes.web.archive import statistics_views
from antipodes.web.archive.queries import read_query
from antipodes.web.archive.search import read_key, write_key
from antipodes.web.archive.selectors import game_data, games_page

router = Router(tags=["archive"])


@operation(router, "GET", "/games-played", PUBLIC, FoundGames)
def search_games(request: HttpRequest, asked: Annotated[GameSearch, Query()]) -> FoundGames:
    """Find finished games by player, game, options, result and opening, the latest first.

    What is asked is written as in the addresses of the page of finished games.
    """
    fields = asked.model_dump(exclude={"after", "count"})
    query = read_query({name: value for name, value in fields.items() if value})
    key = read_key(asked.after) if asked.after else None
    found = games_page(query, caller(request).viewer, after=key, most=asked.count)
    return FoundGames(
        games=[game_data(line.row) for line in found.lines],
        count=found.count,
        after=None if found.after is None else write_key(found.after),
    )


@operation(router, "GET", "/statistics/{game_id}", PUBLIC, dict[str, Any], errors=(404,))
def get_statistics(
    request: HttpRequest,
    game_id: Annotated[str, Path(min_length=1, max_length=40, description="such as hex")],
) -> Any:
    """Count the finished games of a game: wins by colour with intervals, endings, by options."""
    try:
        game_class(game_id)
    except UnknownGameError as error:
        raise not_found(str(error)) from None
    return statistics_views.as_json(request, game_class(game_id).id)

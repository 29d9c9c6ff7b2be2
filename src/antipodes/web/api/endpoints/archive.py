"""Operations on finished games: search and statistics."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import BaseModel, Field

from antipodes.web.api.auth import caller
from antipodes.web.api.endpoints.games import GameId, find_game
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.archive import statistics_views
from antipodes.web.archive.queries import read_query
from antipodes.web.archive.search import read_cursor, write_cursor
from antipodes.web.archive.selectors import game_data, games_page
from antipodes.web.platform.schemas import ResponseSchema

_Text = Annotated[str, Field(max_length=150, pattern=r"^[^\x00]*$")]


class GameQuery(BaseModel):
    """A search for finished games; empty fields do not restrict it."""

    player: _Text = ""
    opponent: _Text = ""
    game: _Text = ""
    options: _Text = ""
    speed: _Text = ""
    board: _Text = ""
    rated: Literal["", "yes", "no"] = ""
    result: _Text = ""
    ending: _Text = ""
    opening: _Text = ""
    since: _Text = ""
    until: _Text = ""
    after: _Text = ""
    count: Annotated[int, Field(ge=1, le=100, description="maximum number of games")] = 50


class GamePageOut(ResponseSchema):
    """A page of finished games, the latest first; ``after`` requests the next page."""

    games: list[dict[str, Any]]
    count: int | None
    after: str | None


router = Router(tags=["archive"])


@operation(router, "GET", "/games-played", PUBLIC, GamePageOut)
def search_games(request: HttpRequest, query: Annotated[GameQuery, Query()]) -> GamePageOut:
    """Search finished games by player, game, options, result and opening, the latest first.

    The values are those of the addresses of the page of finished games.
    """
    fields = query.model_dump(exclude={"after", "count"})
    search = read_query({name: value for name, value in fields.items() if value})
    key = read_cursor(query.after) if query.after else None
    page = games_page(search, caller(request).viewer, after=key, most=query.count)
    return GamePageOut(
        games=[game_data(line.row) for line in page.lines],
        count=page.count,
        after=None if page.after is None else write_cursor(page.after),
    )


@operation(router, "GET", "/statistics/{game_id}", PUBLIC, dict[str, Any], errors=(404,))
def get_statistics(request: HttpRequest, game_id: GameId) -> Any:
    """Return statistics of a game: wins by colour with intervals, endings, by options."""
    return statistics_views.as_json(request, find_game(game_id).id)

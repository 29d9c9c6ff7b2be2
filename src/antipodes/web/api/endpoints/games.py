"""Operations on games: their options, and levels of the computer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

from django.http import HttpRequest
from ninja import Path, Router
from pydantic import Field

from antipodes.errors import UnknownGameError
from antipodes.games.options import OptionInfo
from antipodes.games.position import Game
from antipodes.games.registry import by_ruleset, game_class, game_ids
from antipodes.search.levels import Level, levels
from antipodes.web.api.operations import PUBLIC, operation
from antipodes.web.api.problems import not_found
from antipodes.web.matches.schemas import Options, OptionValue
from antipodes.web.platform.schemas import ResponseSchema, Whole

_MOST_LISTED = 100  # values of an option


class OptionValuesOut(ResponseSchema):
    """The values of an option together with others; of a range of numbers only its ends."""

    beside: Options
    values: list[OptionValue]


class OptionOut(ResponseSchema):
    """An option of a game: a choice of words or a range of numbers."""

    name: str
    help: str
    default: OptionValue | None = Field(description="null if it depends on other options")
    values: list[str] = Field(description="the allowed words; empty for a number")
    low: int
    high: int
    choices: list[OptionValuesOut] = Field(
        description="the values with each ruleset, in games between people"
    )


class GameOut(ResponseSchema):
    """A game with all its options."""

    id: str
    title: str
    summary: str
    seats: Whole
    options: list[OptionOut]


class LevelOut(ResponseSchema):
    """A level of the computer, with its ratings in the games where they were measured."""

    number: int
    name: str
    description: str
    ratings: dict[str, int]


def _option_out(info: OptionInfo, games: Mapping[str, Game]) -> OptionOut:
    choices = [
        OptionValuesOut(
            beside={"ruleset": ruleset} if ruleset else {},
            values=_ends(game.options.offered(info.name)),
        )
        for ruleset, game in games.items()
    ]
    return OptionOut(
        name=info.name,
        help=info.help,
        default=info.default,
        values=list(info.values),
        low=info.offered_low,
        high=info.high,
        choices=choices,
    )


def _ends(values: Sequence[OptionValue]) -> list[OptionValue]:
    """Return the values, or only the ends if there are many."""
    return list(values) if len(values) <= _MOST_LISTED else [values[0], values[-1]]


def game_out(kind: type[Game]) -> GameOut:
    """Return a game as response data."""
    return GameOut(
        id=kind.id,
        title=kind.title,
        summary=kind.summary,
        seats=kind().seats,
        options=[_option_out(info, by_ruleset(kind.id)) for info in kind.option_table()],
    )


def all_games() -> list[GameOut]:
    """Return all games as response data."""
    return [game_out(game_class(game_id)) for game_id in game_ids()]


def level_out(level: Level) -> LevelOut:
    """Return a level of the computer as response data."""
    ratings = {game_id: level.rating(game_id) for game_id in game_ids()}
    return LevelOut(
        number=level.number,
        name=level.name,
        description=level.description,
        ratings={game_id: one for game_id, one in ratings.items() if one is not None},
    )


def all_levels() -> list[LevelOut]:
    """Return all levels as response data, the weakest first."""
    return [level_out(level) for level in levels()]


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

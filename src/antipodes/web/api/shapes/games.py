"""Shapes of games, their options, and the levels of the computer."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from antipodes.games.base import BoardGame
from antipodes.games.options import OptionInfo
from antipodes.games.registry import game_class, game_ids
from antipodes.search.levels import Level, levels
from antipodes.web.api.shapes.base import Shape, Whole

OptionValue = int | str
Options = Annotated[
    dict[str, OptionValue],
    Field(max_length=30, description="options that are not the usual ones, by their names"),
]


class OptionShape(Shape):
    """An option of a game: one of some words, or a number between two others."""

    name: str
    help: str
    default: OptionValue | None = Field(description="null if it follows from other options")
    values: list[str] = Field(description="the words that are allowed; empty for a number")
    low: int
    high: int


class GameShape(Shape):
    """A game with all its options."""

    id: str
    title: str
    summary: str
    seats: Whole
    options: list[OptionShape]


class LevelShape(Shape):
    """A level of the computer, with its rating in each game where that was measured."""

    number: int
    name: str
    description: str
    ratings: dict[str, int]


def _option_shape(info: OptionInfo) -> OptionShape:
    return OptionShape(
        name=info.name,
        help=info.help,
        default=info.default,
        values=list(info.values),
        low=info.low,
        high=info.high,
    )


def game_shape(kind: type[BoardGame]) -> GameShape:  # type: ignore[type-arg]  # of any options
    """Return the shape of a game."""
    return GameShape(
        id=kind.id,
        title=kind.title,
        summary=kind.summary,
        seats=kind().seats,
        options=[_option_shape(info) for info in kind.option_table()],
    )


def all_games() -> list[GameShape]:
    """Return the shapes of all games."""
    return [game_shape(game_class(game_id)) for game_id in game_ids()]


def level_shape(level: Level) -> LevelShape:
    """Return the shape of a level."""
    ratings = {game_id: level.rating(game_id) for game_id in game_ids()}
    return LevelShape(
        number=level.number,
        name=level.name,
        description=level.description,
        ratings={game_id: one for game_id, one in ratings.items() if one is not None},
    )


def all_levels() -> list[LevelShape]:
    """Return the shapes of all levels."""
    return [level_shape(level) for level in levels()]

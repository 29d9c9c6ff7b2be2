"""Shapes of games, their options, and the levels of the computer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from antipodes.games.base import BoardGame
from antipodes.games.options import OptionInfo
from antipodes.games.registry import by_ruleset, game_class, game_ids
from antipodes.search.levels import Level, levels
from antipodes.web.api.schemas.base import Shape, Whole

AnyGame = BoardGame[Any, Any]
OptionValue = int | str
Options = Annotated[
    dict[str, OptionValue],
    Field(max_length=30, description="options that are not the usual ones, by their names"),
]


_MOST_LISTED = 100  # values of an option


class OptionChoices(Shape):
    """The values that an option can have beside others; a range of numbers has only its ends."""

    beside: Options
    values: list[OptionValue]


class OptionShape(Shape):
    """An option of a game: one of some words, or a number between two others."""

    name: str
    help: str
    default: OptionValue | None = Field(description="null if it follows from other options")
    values: list[str] = Field(description="the words that are allowed; empty for a number")
    low: int
    high: int
    choices: list[OptionChoices] = Field(
        description="the values that go together with a ruleset, in games between people"
    )


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


def _option_shape(info: OptionInfo, games: Mapping[str, AnyGame]) -> OptionShape:
    choices = [
        OptionChoices(
            beside={"ruleset": ruleset} if ruleset else {},
            values=_ends(game.options.offered(info.name)),
        )
        for ruleset, game in games.items()
    ]
    return OptionShape(
        name=info.name,
        help=info.help,
        default=info.default,
        values=list(info.values),
        low=info.offered_low,
        high=info.high,
        choices=choices,
    )


def _ends(values: Sequence[OptionValue]) -> list[OptionValue]:
    """Return the values, or the ends of a range that has too many."""
    return list(values) if len(values) <= _MOST_LISTED else [values[0], values[-1]]


def game_shape(kind: type[BoardGame]) -> GameShape:  # type: ignore[type-arg]  # of any options
    """Return the shape of a game."""
    return GameShape(
        id=kind.id,
        title=kind.title,
        summary=kind.summary,
        seats=kind().seats,
        options=[_option_shape(info, by_ruleset(kind.id)) for info in kind.option_table()],
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

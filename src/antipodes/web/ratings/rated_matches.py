"""Rated matches as rows, which keep the sides and earlier ratings apart from accounts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from antipodes.web.ratings.calculation import UserRating
from antipodes.web.ratings.glicko import Rating
from antipodes.web.ratings.models import PoolRow, RatedMatch
from antipodes.web.ratings.outcomes import Outcome, RatedGame, Side


def row_of(game: RatedGame, pool: PoolRow, before: Mapping[int, UserRating]) -> RatedMatch:
    """Return the row of a match, given the ratings of its players before it."""
    return RatedMatch(match_id=game.match, pool=pool, at=game.at, sides=sides_of(game, before))


def sides_of(game: RatedGame, before: Mapping[int, UserRating]) -> list[dict[str, Any]]:
    """Return the sides of a match as JSON, given the ratings of its players before it."""
    return [
        {
            "outcome": side.outcome.value,
            "advantage": side.advantage,
            "players": [_player(user, before[user]) for user in side.users],
        }
        for side in game.sides
    ]


def _player(user: int, before: UserRating) -> dict[str, Any]:
    return {
        "user": user,
        "value": before.rating.value,
        "deviation": before.rating.deviation,
        "volatility": before.rating.volatility,
        "games": before.games,
        "latest": before.latest,
    }


def game_of(row: RatedMatch) -> RatedGame:
    """Return the match of a row."""
    sides = (
        Side(
            tuple(one["user"] for one in side["players"]),
            Outcome(side["outcome"]),
            side["advantage"],
        )
        for side in row.sides
    )
    return RatedGame(row.match_id, row.at, tuple(sides))


def ratings_before(row: RatedMatch) -> dict[int, UserRating]:
    """Return the ratings of a match's players before it, by their ids."""
    return {
        one["user"]: UserRating(
            Rating(one["value"], one["deviation"], one["volatility"]), one["games"], one["latest"]
        )
        for side in row.sides
        for one in side["players"]
    }

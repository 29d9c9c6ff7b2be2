"""Calculate the ratings of a match's players after it from those before it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from antipodes.web.ratings.glicko import Rating
from antipodes.web.ratings.outcomes import RatedGame, Side, points_between


@dataclass(frozen=True, slots=True)
class UserRating:
    """A user's rating in a pool.

    Attributes:
        rating: the rating at the end of the last rated game.
        games: number of rated games.
        latest: end of the last rated game, in milliseconds since 1970.
    """

    rating: Rating = field(default_factory=Rating)
    games: int = 0
    latest: int | None = None

    def at(self, instant: int) -> Rating:
        """Return the rating at a time, with the deviation grown since the last game."""
        return self.rating.after_idling(self._idle(instant))

    def _idle(self, instant: int) -> int:
        return 0 if self.latest is None else max(0, instant - self.latest)

    def after(self, games: Sequence[tuple[Rating, float]], at: int) -> UserRating:
        """Return the rating after a match, given as simultaneous games."""
        rating = self.rating.after_games(games, idle=self._idle(at))
        return UserRating(rating, self.games + 1, at)


def ratings_after(game: RatedGame, before: Mapping[int, UserRating]) -> dict[int, UserRating]:
    """Return the ratings of a match's players after it, by their ids."""
    now = {user: before[user].at(game.at) for user in game.users}
    after = {}
    for side in game.sides:
        others = [other for other in game.sides if other is not side]
        for user in side.users:
            after[user] = before[user].after(_games(user, side, others, now), game.at)
    return after


def _games(
    user: int, side: Side, others: Iterable[Side], now: dict[int, Rating]
) -> list[tuple[Rating, float]]:
    """Return a match as games of one user against each other side.

    The rating of a side is the average of its members. The difference to the opponents is that of
    the team: opponents of a member above the team's average are raised by the same amount. The
    advantage of the own colour lowers the opponents.
    """
    own = _average(side, now)
    games = []
    for other in others:
        points = points_between(side, other)
        if points is not None:
            opponent = _average(other, now)
            value = opponent.value + now[user].value - own.value
            value -= side.advantage - other.advantage
            games.append((Rating(value, opponent.deviation), points))
    return games


def _average(side: Side, now: dict[int, Rating]) -> Rating:
    members = [now[user] for user in side.users]
    value = math.fsum(one.value for one in members) / len(members)
    variance = math.fsum(one.deviation**2 for one in members) / len(members)
    return Rating(value, math.sqrt(variance))

"""The ratings of one pool in memory while matches are rated or undone.

A deleted account has no rating of its own any more, but those of its opponents must not change by
that. So `RatedMatch` rows are what is undone and rated again; from the last one of a deleted
account its rating is calculated when it is needed, and never stored.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q

from antipodes.web.accounts.account_deletion import existing_accounts
from antipodes.web.ratings.glicko import Rating
from antipodes.web.ratings.models import PoolRow, RatedMatch, RatingChange, RatingRow
from antipodes.web.ratings.outcomes import Outcome, RatedGame, Side, points_between


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


_WRITE_BATCH = 2_000  # rows per insert
_READ_BATCH = 500  # users per query


class PoolRatings:
    """The ratings of a pool, whose row the caller has locked."""

    def __init__(self, pool: PoolRow) -> None:
        self._pool = pool
        self._ratings: dict[int, UserRating] = {}
        self._changed: set[int] = set()

    def rate(self, games: Sequence[RatedGame]) -> None:
        """Rate games, given in the order of their ends, and store the changes."""
        users = {user for game in games for user in game.users}
        self._load(users)
        accounts = existing_accounts(users)
        rows: list[RatedMatch] = []
        changes: list[RatingChange] = []
        for game in games:
            before = {user: self._ratings[user] for user in game.users}
            rows.append(row_of(game, self._pool, before))
            self._set(ratings_after(game, before))
            # A deleted account still counts for its opponents, but has no history of its own.
            changes += [
                self._change(game, side, user, before[user])
                for side, rated_side in enumerate(game.sides)
                for user in rated_side.users
                if user in accounts
            ]
            if len(changes) >= _WRITE_BATCH:
                RatedMatch.objects.bulk_create(rows)
                RatingChange.objects.bulk_create(changes)
                rows.clear()
                changes.clear()
        RatedMatch.objects.bulk_create(rows)
        RatingChange.objects.bulk_create(changes)

    def _set(self, ratings: dict[int, UserRating]) -> None:
        self._ratings |= ratings
        self._changed |= ratings.keys()

    def _change(self, game: RatedGame, side: int, user: int, before: UserRating) -> RatingChange:
        after = self._ratings[user]
        return RatingChange(
            match_id=game.match,
            user_id=user,
            pool=self._pool,
            at=game.at,
            side=side,
            outcome=game.sides[side].outcome,
            value_before=before.rating.value,
            deviation_before=before.rating.deviation,
            volatility_before=before.rating.volatility,
            latest_before=before.latest,
            value=after.rating.value,
            deviation=after.rating.deviation,
            volatility=after.rating.volatility,
            games=after.games,
        )

    def _load(self, users: set[int]) -> None:
        missing = sorted(users - self._ratings.keys())
        for first in range(0, len(missing), _READ_BATCH):
            batch = missing[first : first + _READ_BATCH]
            for row in RatingRow.objects.filter(pool=self._pool, user__in=batch):
                self._ratings[row.user_id] = UserRating(row.rating, row.games, row.latest)
        unrated = users - self._ratings.keys()
        accounts = existing_accounts(unrated)
        for user in unrated:
            self._ratings[user] = UserRating() if user in accounts else self._of_deleted(user)

    def _of_deleted(self, user: int) -> UserRating:
        """Return the rating that a deleted account had, or would have by now."""
        rows = RatedMatch.objects.filter(pool=self._pool, match__seats__user=user)
        last = rows.order_by("-at", "-match").first()
        if last is None:
            return UserRating()
        return ratings_after(game_of(last), ratings_before(last))[user]

    def undo(self, after: tuple[int, int] | None = None) -> list[RatedGame]:
        """Undo the changes by all matches, or those after a match; return the matches in order.

        Args:
            after: end and id of a match; matches later in this order are undone.
        """
        later = Q(pool=self._pool)
        if after is not None:
            at, match = after
            later &= Q(at__gt=at) | Q(at=at, match__gt=match)
        rows = list(RatedMatch.objects.filter(later).order_by("at", "match"))
        if not rows:
            return []
        games = [game_of(row) for row in rows]
        if after is None:
            RatingRow.objects.filter(pool=self._pool).delete()
            self._ratings = {user: UserRating() for game in games for user in game.users}
        else:
            # Backwards, so that the rating before the first of them remains.
            for row in reversed(rows):
                self._set(ratings_before(row))
        RatingChange.objects.filter(later).delete()
        RatedMatch.objects.filter(later).delete()
        return games

    def save(self) -> None:
        """Store the ratings that have changed."""
        rows = [self._row(user) for user in sorted(existing_accounts(self._changed))]
        RatingRow.objects.bulk_create(
            rows,
            batch_size=_WRITE_BATCH,
            update_conflicts=True,
            unique_fields=["user", "pool"],
            update_fields=[
                "value",
                "deviation",
                "volatility",
                "games",
                "latest",
                "established_until",
            ],
        )
        self._changed.clear()

    def _row(self, user: int) -> RatingRow:
        current = self._ratings[user]
        established = current.rating.established_for()
        return RatingRow(
            user_id=user,
            pool=self._pool,
            value=current.rating.value,
            deviation=current.rating.deviation,
            volatility=current.rating.volatility,
            games=current.games,
            latest=current.latest,
            established_until=(current.latest or 0) + established if established else 0,
        )

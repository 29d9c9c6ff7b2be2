"""The ratings of one pool in memory while matches are rated or undone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from django.db.models import Q

from antipodes.web.ratings.glicko import Rating
from antipodes.web.ratings.models import PoolRow, RatingChange, RatingRow
from antipodes.web.ratings.outcomes import Outcome, RatedGame, Side, points_between

_WRITE_BATCH = 2_000  # rows per insert
_READ_BATCH = 500  # users per query


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


class PoolRatings:
    """The ratings of a pool, whose row the caller has locked."""

    def __init__(self, pool: PoolRow) -> None:
        """Begin with no ratings loaded."""
        self._pool = pool
        self._ratings: dict[int, UserRating] = {}
        self._changed: set[int] = set()

    def rate(self, games: Sequence[RatedGame]) -> None:
        """Rate games, given in the order of their ends, and store the changes."""
        self._load({user for game in games for user in game.users})
        changes: list[RatingChange] = []
        for game in games:
            changes += self._rate(game)
            if len(changes) >= _WRITE_BATCH:
                RatingChange.objects.bulk_create(changes)
                changes.clear()
        RatingChange.objects.bulk_create(changes)

    def _rate(self, game: RatedGame) -> list[RatingChange]:
        before = {user: self._ratings[user] for user in game.users}
        now = {user: rating.at(game.at) for user, rating in before.items()}
        changes = []
        for number, side in enumerate(game.sides):
            others = [other for other in game.sides if other is not side]
            for user in side.users:
                after = before[user].after(_games(user, side, others, now), game.at)
                self._set(user, after)
                changes.append(self._change(game, number, user, before[user]))
        return changes

    def _set(self, user: int, rating: UserRating) -> None:
        self._ratings[user] = rating
        self._changed.add(user)

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
        self._ratings |= dict.fromkeys(missing, UserRating())
        for first in range(0, len(missing), _READ_BATCH):
            batch = missing[first : first + _READ_BATCH]
            for row in RatingRow.objects.filter(pool=self._pool, user__in=batch):
                self._ratings[row.user_id] = UserRating(row.rating, row.games, row.latest)

    def undo(self, after: tuple[int, int] | None = None) -> list[RatedGame]:
        """Undo the changes by all matches, or those after a match; return the matches in order.

        Args:
            after: end and id of a match; matches later in this order are undone.
        """
        changes = RatingChange.objects.filter(pool=self._pool)
        if after is not None:
            at, match = after
            changes = changes.filter(Q(at__gt=at) | Q(at=at, match__gt=match))
        if not changes.exists():
            return []
        games = _games_of(changes.order_by("at", "match", "side", "id"))
        if after is None:
            RatingRow.objects.filter(pool=self._pool).delete()
            self._ratings = {user: UserRating() for game in games for user in game.users}
        else:
            # Backwards, so that the rating before the first of them remains.
            for change in changes.order_by("-at", "-match"):
                before = UserRating(change.before, change.games - 1, change.latest_before)
                self._set(change.user_id, before)
        changes.delete()
        return games

    def save(self) -> None:
        """Store the ratings that have changed."""
        rows = [self._row(user) for user in sorted(self._changed)]
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


def _games_of(changes: Iterable[RatingChange]) -> list[RatedGame]:
    """Return the matches of changes, which are sorted by the ends of matches."""
    games = []
    for (at, match), of_match in groupby(changes, key=lambda one: (one.at, one.match_id)):
        sides = []
        for _, of_side in groupby(of_match, key=lambda one: one.side):
            members = list(of_side)
            users = tuple(one.user_id for one in members)
            sides.append(Side(users, Outcome(members[0].outcome)))
        if len(sides) > 1:
            games.append(RatedGame(match, at, tuple(sides)))
    return games


def _games(
    user: int, side: Side, others: Iterable[Side], now: dict[int, Rating]
) -> list[tuple[Rating, float]]:
    """Return a match as games of one user against each other side.

    The rating of a side is the average of its members. The difference to the opponents is that of
    the team: opponents of a member above the team's average are raised by the same amount.
    """
    own = _average(side, now)
    games = []
    for other in others:
        points = points_between(side, other)
        if points is not None:
            opponent = _average(other, now)
            value = opponent.value + now[user].value - own.value
            games.append((Rating(value, opponent.deviation), points))
    return games


def _average(side: Side, now: dict[int, Rating]) -> Rating:
    members = [now[user] for user in side.users]
    value = math.fsum(one.value for one in members) / len(members)
    variance = math.fsum(one.deviation**2 for one in members) / len(members)
    return Rating(value, math.sqrt(variance))

"""The ratings of one pool while games are counted, and what counting them changes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from django.db.models import Q

from antipodes.web.ratings.glicko import Rating
from antipodes.web.ratings.models import PoolRow, RatingChange, RatingRow
from antipodes.web.ratings.outcomes import Outcome, RatedGame, Side, points_between

_MANY = 2_000  # rows that are written at a time
_ASKED = 500  # keys that are asked for at a time


@dataclass(frozen=True, slots=True)
class Kept:
    """What is known of a user.

    Attributes:
        rating: at the end of the last rated game.
        games: how many rated games there were.
        latest: end of the last one, in milliseconds since 1970.
    """

    rating: Rating = field(default_factory=Rating)
    games: int = 0
    latest: int | None = None

    def at(self, instant: int) -> Rating:
        """Return the rating at an instant, with the doubt that time brings."""
        return self.rating.after_idling(self._idle(instant))

    def _idle(self, instant: int) -> int:
        return 0 if self.latest is None else max(0, instant - self.latest)

    def after(self, games: Sequence[tuple[Rating, float]], at: int) -> Kept:
        """Return what is known after a match, as games that were played at one time."""
        rating = self.rating.after_games(games, idle=self._idle(at))
        return Kept(rating, self.games + 1, at)


class Book:
    """The ratings of a pool; whoever uses one has locked the row of the pool."""

    def __init__(self, pool: PoolRow) -> None:
        """Begin without knowing anybody."""
        self._pool = pool
        self._known: dict[int, Kept] = {}
        self._changed: set[int] = set()

    def count(self, games: Sequence[RatedGame]) -> None:
        """Count games, in the order in which they ended, and write the changes that they make."""
        self._look_up({user for game in games for user in game.users})
        changes: list[RatingChange] = []
        for game in games:
            changes += self._count(game)
            if len(changes) >= _MANY:
                RatingChange.objects.bulk_create(changes)
                changes.clear()
        RatingChange.objects.bulk_create(changes)

    def _count(self, game: RatedGame) -> list[RatingChange]:
        before = {user: self._known[user] for user in game.users}
        now = {user: kept.at(game.at) for user, kept in before.items()}
        changes = []
        for number, side in enumerate(game.sides):
            others = [other for other in game.sides if other is not side]
            for user in side.users:
                after = before[user].after(_games(user, side, others, now), game.at)
                self._note(user, after)
                changes.append(self._change(game, number, user, before[user]))
        return changes

    def _note(self, user: int, kept: Kept) -> None:
        self._known[user] = kept
        self._changed.add(user)

    def _change(self, game: RatedGame, side: int, user: int, before: Kept) -> RatingChange:
        after = self._known[user]
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

    def _look_up(self, users: set[int]) -> None:
        unknown = sorted(users - self._known.keys())
        self._known |= dict.fromkeys(unknown, Kept())
        for first in range(0, len(unknown), _ASKED):
            some = unknown[first : first + _ASKED]
            for row in RatingRow.objects.filter(pool=self._pool, user__in=some):
                self._known[row.user_id] = Kept(row.rating, row.games, row.latest)

    def take_back(self, after: tuple[int, int] | None = None) -> list[RatedGame]:
        """Take back all matches that ended after an instant, or all; return them in their order.

        Args:
            after: end and key of a match; those that are later in this order are taken back.
        """
        changes = RatingChange.objects.filter(pool=self._pool)
        if after is not None:
            at, match = after
            changes = changes.filter(Q(at__gt=at) | Q(at=at, match__gt=match))
        if not changes.exists():
            return []
        games = _played(changes.order_by("at", "match", "side", "id"))
        if after is None:
            RatingRow.objects.filter(pool=self._pool).delete()
            self._known = {user: Kept() for game in games for user in game.users}
        else:
            # Backwards, so that what was before the first of them stays.
            for change in changes.order_by("-at", "-match"):
                kept = Kept(change.before, change.games - 1, change.latest_before)
                self._note(change.user_id, kept)
        changes.delete()
        return games

    def save(self) -> None:
        """Write the ratings that have changed."""
        rows = [self._row(user) for user in sorted(self._changed)]
        RatingRow.objects.bulk_create(
            rows,
            batch_size=_MANY,
            update_conflicts=True,
            unique_fields=["user", "pool"],
            update_fields=[
                "value",
                "deviation",
                "volatility",
                "games",
                "latest",
                "settled_until",
            ],
        )
        self._changed.clear()

    def _row(self, user: int) -> RatingRow:
        kept = self._known[user]
        settled = kept.rating.settled_for()
        return RatingRow(
            user_id=user,
            pool=self._pool,
            value=kept.rating.value,
            deviation=kept.rating.deviation,
            volatility=kept.rating.volatility,
            games=kept.games,
            latest=kept.latest,
            settled_until=(kept.latest or 0) + settled if settled else 0,
        )


def _played(changes: Iterable[RatingChange]) -> list[RatedGame]:
    """Return the matches that made some changes, which come in the order of their ends."""
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

    A side is as strong as its members on average. Whoever plays in a team is compared with the
    opponents as the team is, so opponents seem stronger to those who are stronger than their team.
    """
    own = _average(side, now)
    found = []
    for other in others:
        points = points_between(side, other)
        if points is not None:
            against = _average(other, now)
            value = against.value + now[user].value - own.value
            found.append((Rating(value, against.deviation), points))
    return found


def _average(side: Side, now: dict[int, Rating]) -> Rating:
    members = [now[user] for user in side.users]
    value = math.fsum(one.value for one in members) / len(members)
    variance = math.fsum(one.deviation**2 for one in members) / len(members)
    return Rating(value, math.sqrt(variance))

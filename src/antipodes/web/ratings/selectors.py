"""Queries for current ratings and leaderboards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import Q, QuerySet

from antipodes.clocks import DAY
from antipodes.web.accounts.models import BOT, User
from antipodes.web.matches.models import MatchRow
from antipodes.web.platform.clock import now
from antipodes.web.ratings.classes import (
    BoardClass,
    RatingBand,
    Speed,
    board_class_of,
    speed_of_text,
)
from antipodes.web.ratings.glicko import Rating
from antipodes.web.ratings.models import PoolRow, RatedMatch, RatingRow
from antipodes.web.ratings.pool_ratings import ratings_before


@dataclass(frozen=True, slots=True)
class CurrentRating:
    """A user's rating now, with the deviation that has grown since the last rated game.

    Attributes:
        value: the rating, in points.
        deviation: its standard deviation, in points.
        is_provisional: whether the rating is too uncertain for leaderboards.
        games: rated games in the pool.
    """

    value: float
    deviation: float
    is_provisional: bool
    games: int

    @classmethod
    def of(cls, row: RatingRow, at: int) -> CurrentRating:
        rating = row.rating.after_idling(at - (row.latest or at))
        return cls(rating.value, rating.deviation, rating.is_provisional, row.games)

    @property
    def rounded(self) -> int:
        """The value as displayed."""
        return round(self.value)

    @property
    def text(self) -> str:
        """The value as displayed, with a question mark while it is provisional."""
        return f"{self.rounded}?" if self.is_provisional else str(self.rounded)


_INITIAL = Rating()
UNRATED = CurrentRating(_INITIAL.value, _INITIAL.deviation, is_provisional=True, games=0)


@dataclass(frozen=True, slots=True)
class PoolRating:
    """A user's rating with its pool.

    Attributes:
        game_id: the game.
        speed: the speed.
        board_class: the class of boards.
        rating: the current rating.
        latest: end of the last rated game, in milliseconds since 1970.
    """

    game_id: str
    speed: Speed
    board_class: BoardClass
    rating: CurrentRating
    latest: int


def find_pool(game_id: str, speed: Speed, board_class: BoardClass) -> PoolRow | None:
    """Return a pool, or ``None`` if no game of it has been rated."""
    rows = PoolRow.objects.filter(game_id=game_id, speed=speed, board_class=board_class)
    return rows.first()


def rating_of(user: User, game_id: str, speed: Speed, board_class: BoardClass) -> CurrentRating:
    """Return a user's current rating, or the initial rating of unrated users, with one query."""
    return ratings_by_user([user.pk], game_id, speed, board_class)[user.pk]


def ratings_by_user(
    users: Iterable[int], game_id: str, speed: Speed, board_class: BoardClass
) -> Mapping[int, CurrentRating]:
    """Return the current ratings of users by their ids, with one query."""
    ids = list(users)
    rows = RatingRow.objects.filter(
        user__in=ids,
        pool__game_id=game_id,
        pool__speed=speed,
        pool__board_class=board_class,
    )
    at = now()
    return dict.fromkeys(ids, UNRATED) | {row.user_id: CurrentRating.of(row, at) for row in rows}


def band_at(row: MatchRow) -> RatingBand | None:
    """Return the band of the players' mean rating before a match.

    It is ``None`` for a match with a player whose rating is provisional, such as a guest. Casual
    matches have the band of the present ratings.
    """
    users = {seat.user_id for seat in row.seats.all()}
    rated = RatedMatch.objects.filter(match=row).first()
    if rated is not None:
        ratings = {user: one.rating for user, one in ratings_before(rated).items()}
    else:
        kind = row.game_id, speed_of_text(row.control), board_class_of(row.game)
        current = ratings_by_user(users, *kind)
        ratings = {user: Rating(one.value, one.deviation) for user, one in current.items()}
    if any(one.is_provisional for one in ratings.values()):
        return None
    return RatingBand.of(sum(one.value for one in ratings.values()) / len(ratings))


def ratings_in_pools(users: Iterable[int]) -> dict[tuple[int, str, str, str], CurrentRating]:
    """Return all ratings of users by user, game, speed and board class, with one query."""
    at = now()
    rows = RatingRow.objects.filter(user__in=set(users), games__gt=0).select_related("pool")
    return {
        (row.user_id, row.pool.game_id, row.pool.speed, row.pool.board_class): CurrentRating.of(
            row, at
        )
        for row in rows
    }


def ratings_of(user: User) -> list[PoolRating]:
    """Return a user's ratings in all pools, most games first."""
    at = now()
    rows = RatingRow.objects.filter(user=user, games__gt=0).select_related("pool")
    return [
        PoolRating(
            game_id=row.pool.game_id,
            speed=Speed(row.pool.speed),
            board_class=BoardClass(row.pool.board_class),
            rating=CurrentRating.of(row, at),
            latest=row.latest or 0,
        )
        for row in rows.order_by("-games", "pool")
    ]


_YEAR = 365 * DAY  # milliseconds
PAGE_SIZE = 50
_FEW = 300


class Include(StrEnum):
    """Players whom leaderboards list on request only."""

    PROVISIONAL = "provisional"
    BOTS = "bots"


@dataclass(frozen=True, slots=True)
class LeaderLine:
    """A row of a leaderboard.

    Attributes:
        rank: from 1; equal ratings share a rank.
        user: the player.
        rating: the current rating.
        latest: end of the last rated game, in milliseconds since 1970.
    """

    rank: int
    user: User
    rating: CurrentRating
    latest: int


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a leaderboard.

    Attributes:
        lines: the rows, best first.
        count: number of rows on all pages.
        page: number of this page, from 1.
        pages: number of pages, at least one.
        own: the viewer's row, if listed.
    """

    lines: list[LeaderLine]
    count: int
    page: int
    pages: int
    own: LeaderLine | None

    @property
    def own_page(self) -> int | None:
        """The page with the viewer's row, unless it is this one."""
        if self.own is None or any(line.user == self.own.user for line in self.lines):
            return None
        return -(-self.own.rank // PAGE_SIZE)


def leaderboard(
    game_id: str,
    speed: Speed,
    board_class: BoardClass,
    users: QuerySet[Any] | Iterable[int] | None = None,
    *,
    viewer: User | None = None,
    include: Collection[Include] = (),
    page: int = 1,
) -> Leaderboard:
    """Return a page of a pool's leaderboard, with players who have played within a year.

    Args:
        game_id: the game.
        speed: the speed.
        board_class: the class of boards.
        users: ids of the users to list, such as the members of a club; all by default.
        viewer: the user whose own row is returned too.
        include: players listed on request only.
        page: number of the page, from 1; the last page if too large.
    """
    pool = find_pool(game_id, speed, board_class)
    if pool is None:
        return Leaderboard([], 0, 1, 1, None)
    at = now()
    rows = _listed(pool, at, include)
    if users is not None:
        rows = rows.filter(user__in=users)
    count = rows.count()
    pages = max(1, -(-count // PAGE_SIZE))
    page = min(max(1, page), pages)
    first = (page - 1) * PAGE_SIZE
    # Select the keys first: the index alone suffices to skip the previous pages.
    keys = list(rows.order_by("-value", "user").values_list("pk", flat=True)[first:][:PAGE_SIZE])
    by_key = RatingRow.objects.filter(pk__in=keys).select_related("user").in_bulk()
    lines: list[LeaderLine] = []
    for number, key in enumerate(keys, start=first + 1):
        row = by_key[key]
        if not lines:
            rank = _rank(rows, row)
        elif lines[-1].rating.value != row.value:
            rank = number
        else:
            rank = lines[-1].rank
        lines.append(_line(row, rank, at))
    own = None if viewer is None else rows.filter(user=viewer).select_related("user").first()
    own_line = None if own is None else _line(own, _rank(rows, own), at)
    return Leaderboard(lines, count, page, pages, own_line)


def _listed(pool: PoolRow, at: int, include: Collection[Include]) -> QuerySet[RatingRow]:
    rows = RatingRow.objects.filter(pool=pool, latest__gte=at - _YEAR)
    if Include.PROVISIONAL not in include:
        rows = rows.filter(established_until__gt=at)
    hidden = Q(is_active=False)
    if Include.BOTS not in include:
        hidden |= Q(first_name=BOT)
    # Usually they are few; then one query replaces a subquery in each query for rows.
    users = User.objects.filter(hidden).values_list("pk", flat=True)
    few = list(users[: _FEW + 1])
    return rows.exclude(user__in=few if len(few) <= _FEW else users)


def _rank(rows: QuerySet[RatingRow], row: RatingRow) -> int:
    return 1 + rows.filter(value__gt=row.value).count()


def _line(row: RatingRow, rank: int, at: int) -> LeaderLine:
    return LeaderLine(rank, row.user, CurrentRating.of(row, at), row.latest or 0)

"""What is known of people's strength, for pages, pairing and programs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import Q, QuerySet

from antipodes.web.accounts.models import BOT, User
from antipodes.web.platform.clock import now
from antipodes.web.ratings.classes import BoardClass, Speed
from antipodes.web.ratings.glicko import Rating
from antipodes.web.ratings.models import PoolRow, RatingRow


@dataclass(frozen=True, slots=True)
class Standing:
    """What is believed of somebody's strength now.

    Attributes:
        value: the rating, in points.
        deviation: its standard deviation, in points; it has grown with the time since the last
            rated game.
        is_provisional: whether too little is known to compare the player with others.
        games: rated games in the pool.
    """

    value: float
    deviation: float
    is_provisional: bool
    games: int

    @classmethod
    def of(cls, row: RatingRow, at: int) -> Standing:
        """Return what a row says at an instant."""
        rating = row.rating.after_idling(at - (row.latest or at))
        return cls(rating.value, rating.deviation, rating.is_provisional, row.games)

    @property
    def rating(self) -> Rating:
        """Value and deviation, as what expects points knows them."""
        return Rating(self.value, self.deviation)

    @property
    def rounded(self) -> int:
        """The value as it is shown."""
        return round(self.value)

    @property
    def text(self) -> str:
        """The value as it is shown, with a question mark while it is provisional."""
        return f"{self.rounded}?" if self.is_provisional else str(self.rounded)


_START = Rating()
UNRATED = Standing(_START.value, _START.deviation, is_provisional=True, games=0)


@dataclass(frozen=True, slots=True)
class PoolStanding:
    """What is believed of somebody's strength in one pool.

    Attributes:
        game_id: the game.
        speed: how fast it is played.
        board_class: on how large boards.
        standing: what is believed.
        latest: end of the last rated game, in milliseconds since 1970.
    """

    game_id: str
    speed: Speed
    board_class: BoardClass
    standing: Standing
    latest: int


def find_pool(game_id: str, speed: Speed, board_class: BoardClass) -> PoolRow | None:
    """Return a pool, or ``None`` if nothing has been rated there."""
    rows = PoolRow.objects.filter(game_id=game_id, speed=speed, board_class=board_class)
    return rows.first()


def rating_of(user: User, game_id: str, speed: Speed, board_class: BoardClass) -> Standing:
    """Return what is believed of somebody's strength; of somebody unrated, what Glicko begins with.

    One query.
    """
    return ratings_by_user([user.pk], game_id, speed, board_class)[user.pk]


def ratings_by_user(
    users: Iterable[int], game_id: str, speed: Speed, board_class: BoardClass
) -> Mapping[int, Standing]:
    """Return what is believed of each of these users, by their keys; one query."""
    wanted = list(users)
    rows = RatingRow.objects.filter(
        user__in=wanted,
        pool__game_id=game_id,
        pool__speed=speed,
        pool__board_class=board_class,
    )
    at = now()
    return dict.fromkeys(wanted, UNRATED) | {row.user_id: Standing.of(row, at) for row in rows}


def ratings_in_pools(users: Iterable[int]) -> dict[tuple[int, str, str, str], Standing]:
    """Return all that is believed of these users, by user, game, speed and board; one query."""
    at = now()
    rows = RatingRow.objects.filter(user__in=set(users), games__gt=0).select_related("pool")
    return {
        (row.user_id, row.pool.game_id, row.pool.speed, row.pool.board_class): Standing.of(row, at)
        for row in rows
    }


def ratings_of(user: User) -> list[PoolStanding]:
    """Return what is believed of somebody in each pool with rated games, most games first."""
    at = now()
    rows = RatingRow.objects.filter(user=user, games__gt=0).select_related("pool")
    return [
        PoolStanding(
            game_id=row.pool.game_id,
            speed=Speed(row.pool.speed),
            board_class=BoardClass(row.pool.board_class),
            standing=Standing.of(row, at),
            latest=row.latest or 0,
        )
        for row in rows.order_by("-games", "pool")
    ]


_YEAR = 365 * 86_400_000  # milliseconds
ON_A_PAGE = 50
_FEW = 300


class Also(StrEnum):
    """Who is not listed in a leaderboard unless that is asked for."""

    PROVISIONAL = "provisional"
    BOTS = "bots"


@dataclass(frozen=True, slots=True)
class LeaderLine:
    """Somebody in a leaderboard.

    Attributes:
        rank: from 1; those with equal ratings share one.
        user: who.
        standing: how strong.
        latest: end of the last rated game, in milliseconds since 1970.
    """

    rank: int
    user: User
    standing: Standing
    latest: int


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a leaderboard.

    Attributes:
        lines: the best first.
        count: how many there are on all pages.
        page: number of this page, from 1.
        pages: how many there are, at least one.
        own: the line of whoever looks, if they are in it.
    """

    lines: list[LeaderLine]
    count: int
    page: int
    pages: int
    own: LeaderLine | None

    @property
    def own_page(self) -> int | None:
        """The page with their line, unless it is this one."""
        if self.own is None or any(line.user == self.own.user for line in self.lines):
            return None
        return -(-self.own.rank // ON_A_PAGE)


def leaderboard(
    game_id: str,
    speed: Speed,
    board_class: BoardClass,
    users: QuerySet[Any] | Iterable[int] | None = None,
    *,
    viewer: User | None = None,
    also: Collection[Also] = (),
    page: int = 1,
) -> Leaderboard:
    """Return who is strongest in a pool, of those who have played there within a year.

    Args:
        game_id: the game.
        speed: how fast it is played.
        board_class: on how large boards.
        users: keys of the users who are compared, such as the members of a club; all by default.
        viewer: whoever looks, whose own line is found too.
        also: who else is listed.
        page: which page, from 1; a number that is too large gives the last one.
    """
    pool = find_pool(game_id, speed, board_class)
    if pool is None:
        return Leaderboard([], 0, 1, 1, None)
    at = now()
    rows = _compared(pool, at, also)
    if users is not None:
        rows = rows.filter(user__in=users)
    count = rows.count()
    pages = max(1, -(-count // ON_A_PAGE))
    page = min(max(1, page), pages)
    first = (page - 1) * ON_A_PAGE
    # Keys first: the index has all that is needed to skip those on the pages before.
    keys = list(rows.order_by("-value", "user").values_list("pk", flat=True)[first:][:ON_A_PAGE])
    found = RatingRow.objects.filter(pk__in=keys).select_related("user").in_bulk()
    lines: list[LeaderLine] = []
    for number, key in enumerate(keys, start=first + 1):
        row = found[key]
        if not lines:
            rank = _rank(rows, row)
        elif lines[-1].standing.value != row.value:
            rank = number
        else:
            rank = lines[-1].rank
        lines.append(_line(row, rank, at))
    own = None if viewer is None else rows.filter(user=viewer).select_related("user").first()
    own_line = None if own is None else _line(own, _rank(rows, own), at)
    return Leaderboard(lines, count, page, pages, own_line)


def _compared(pool: PoolRow, at: int, also: Collection[Also]) -> QuerySet[RatingRow]:
    rows = RatingRow.objects.filter(pool=pool, latest__gte=at - _YEAR)
    if Also.PROVISIONAL not in also:
        rows = rows.filter(settled_until__gt=at)
    hidden = Q(is_active=False)
    if Also.BOTS not in also:
        hidden |= Q(first_name=BOT)
    # As a rule they are few: then they are looked up once, not for each question about the rows.
    users = User.objects.filter(hidden).values_list("pk", flat=True)
    few = list(users[: _FEW + 1])
    return rows.exclude(user__in=few if len(few) <= _FEW else users)


def _rank(rows: QuerySet[RatingRow], row: RatingRow) -> int:
    return 1 + rows.filter(value__gt=row.value).count()


def _line(row: RatingRow, rank: int, at: int) -> LeaderLine:
    return LeaderLine(rank, row.user, Standing.of(row, at), row.latest or 0)

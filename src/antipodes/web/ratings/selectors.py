"""What is known of people's strength, for pages, pairing and programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from antipodes.web.matches.services import now
from antipodes.web.people.models import User
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

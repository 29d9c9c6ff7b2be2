"""Search of games, latest first, that reads few games besides the results.

Games can be found by player, by opening, by bucket, or by scanning backwards in time. Buckets store
their numbers of games, so the search can choose the index that skips few other games. A database
without statistics would often choose worse.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import (
    BigIntegerField,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Sum,
)
from django.db.models.lookups import Exact, In
from django.utils.translation import gettext as _

from antipodes.core.numbers import read_number
from antipodes.errors import Fault, InputError
from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.archive.finished_games import private_watched_by
from antipodes.web.archive.models import BucketRow, GameRow, PlayerRow
from antipodes.web.archive.openings import opening_key
from antipodes.web.archive.queries import Query

MOST_COUNTED = 500  # results that are counted

# Games that may be read and sorted for one page.
_FEW = 20_000

# Games of a player are skipped within an index. A game of a bucket must be looked up by its players
# and sorted, which takes about this many times as long.
_COST_RATIO = 10

Cursor = tuple[int, int]  # end of a game and id of its match; unique


@dataclass(frozen=True, slots=True)
class SearchPage:
    """A page of search results.

    Attributes:
        keys: cursors of the games, latest first.
        count: the total number, if known.
        are_more: whether there are more than ``count``.
        after: cursor of the last game if there is a next page.
    """

    keys: tuple[Cursor, ...]
    count: int | None
    are_more: bool
    after: Cursor | None


@dataclass(frozen=True, slots=True)
class _Buckets:
    """Buckets that match a query.

    Attributes:
        keys: ids of the buckets.
        games: number of their games.
        are_all: whether these are all buckets.
        are_many: whether they have so many games that a scan finds some quickly.
    """

    keys: tuple[int, ...]
    games: int
    are_all: bool
    are_many: bool


def write_cursor(cursor: Cursor) -> str:
    """Return a cursor as text for a URL."""
    return f"{cursor[0]}-{cursor[1]}"


def read_cursor(text: str) -> Cursor:
    """Read a cursor from text.

    Raises:
        InputError: the text is no cursor.
    """
    first, _dash, second = text.partition("-")
    numbers = read_number(first), read_number(second)
    if numbers[0] is None or numbers[1] is None:
        message = _("“%(text)s” is not a position in a list of games.") % {"text": shorten(text)}
        raise InputError([Fault("archive/place", message, "after")])
    return numbers[0], numbers[1]


def find(query: Query, user: User | None, *, after: Cursor | None, most: int) -> SearchPage:
    """Return a page of the games that match a query and that a user may see, latest first.

    Args:
        query: the search criteria.
        user: the user, who finds private games that they may watch.
        after: cursor of the previous page; ``None`` for the first page, which has a count.
        most: maximum number of games.
    """
    public, private = _buckets(query)
    is_counted = after is None and not query.is_of_buckets
    # Whole buckets know how many games they have. Other queries have to count, up to a limit, and
    # so read more keys than the page shows.
    needed = max(most, MOST_COUNTED) + 1 if is_counted else most + 1
    keys = _public_keys(query, public, after, needed)
    count: int | None = None
    own: list[Cursor] = []
    if user is not None and private.keys:
        own = _private_keys(query, private, user, after, max(needed, MOST_COUNTED + 1))
        keys = sorted({*keys, *own}, reverse=True)
    if is_counted:
        count = min(len(keys), MOST_COUNTED)
    elif after is None:
        count = public.games + len(own)
    shown = tuple(keys[:most])
    return SearchPage(
        keys=shown,
        count=count,
        are_more=is_counted and len(keys) > MOST_COUNTED,
        after=shown[-1] if len(keys) > most else None,
    )


def _buckets(query: Query) -> tuple[_Buckets, _Buckets]:
    """Return the public and the private buckets that match a query."""
    every = BucketRow.objects.filter(games__gt=0)
    total = every.aggregate(buckets=Count("pk"), games=Sum("games", default=0))
    matching: tuple[dict[int, int], dict[int, int]] = ({}, {})
    rows = every.filter(query.buckets()).values_list("pk", "games", "is_private")
    for key, games, is_private in rows:
        matching[is_private][key] = games
    public, private = (
        _Buckets(
            keys=tuple(bucket),
            games=sum(bucket.values()),
            are_all=len(bucket) == total["buckets"],
            are_many=sum(bucket.values()) > _FEW or 2 * sum(bucket.values()) > total["games"],
        )
        for bucket in matching
    )
    return public, private


def _public_keys(query: Query, buckets: _Buckets, after: Cursor | None, most: int) -> list[Cursor]:
    """Return the matching games of public buckets."""
    if not buckets.keys:
        return []
    players, by_player = _by_size(query, buckets)
    if by_player:
        rows: QuerySet[Any] = _games_by_player(query, players, buckets)
        match = "game_id"
    else:
        rows = _games_by_bucket(query, players, buckets)
        match = "match_id"
    rows = rows.filter(_period(query, after, match))
    return list(rows.values_list("ended_at", match)[:most])


def _by_size(query: Query, buckets: _Buckets) -> tuple[Sequence[User], bool]:
    """Return the players, the one with fewer games first, and whether to search by player."""
    if not query.players:
        return (), False
    limit = _FEW if query.opening else max(_FEW, _COST_RATIO * buckets.games)
    is_quick = buckets.are_many and not query.opening
    if is_quick and len(query.players) == 1:
        return query.players, True
    # The computer has most games. The second player's games are counted only as far as needed.
    sizes: list[int] = []
    players = sorted(query.players, key=lambda one: one.is_computer)
    for player in players:
        sizes.append(_count_games(player, min([limit, *sizes]) + 1))
    players = [players[index] for index in sorted(range(len(players)), key=sizes.__getitem__)]
    return players, is_quick or min(sizes) <= limit


def _count_games(user: User, most: int) -> int:
    return PlayerRow.objects.filter(user=user).order_by()[:most].count()


def _private_keys(
    query: Query, buckets: _Buckets, user: User, after: Cursor | None, most: int
) -> list[Cursor]:
    """Return the matching games of private buckets that a user may watch.

    The list of watchable games is always the index used: all other conditions are written as
    expressions for which no index exists.
    """
    rows = GameRow.objects.filter(pk__in=private_watched_by(user))
    rows = rows.filter(In(F("bucket_id") + 0, buckets.keys))
    for player in query.players:
        rows = rows.filter(_plays(query, player, "pk"))
    if query.opening:
        is_of_set = Exact(F("option_set_id") + 0, _option_set(query))
        rows = rows.filter(is_of_set, opening__startswith=opening_key(query.opening))
    # Without the explicit type, Django would take the sum for a 32-bit integer.
    at = ExpressionWrapper(F("ended_at") + 0, BigIntegerField())
    rows = rows.alias(at=at).filter(_period(query, after, "match_id", "at"))
    rows = rows.order_by(F("at").desc(), (F("match_id") + 0).desc())
    return list(rows.values_list("ended_at", "match_id")[:most])


def _period(query: Query, after: Cursor | None, match: str, at: str = "ended_at") -> Q:
    """Return the condition on the end of a game, for the given field names."""
    condition = Q()
    if query.since is not None:
        condition &= Q(**{f"{at}__gte": query.since})
    if query.until is not None:
        condition &= Q(**{f"{at}__lt": query.until})
    if after is not None:
        # The first condition can use an index.
        ended, key = after
        earlier = Q(**{f"{at}__lt": ended}) | Q(**{f"{match}__lt": key})
        condition &= Q(**{f"{at}__lte": ended}) & earlier
    return condition


def _games_by_player(
    query: Query, players: Sequence[User], buckets: _Buckets
) -> QuerySet[PlayerRow]:
    """Return a player's matching games, latest first."""
    rows = PlayerRow.objects.filter(user=players[0]).filter(_on(buckets))
    if query.won is not None and players[0] == query.players[0]:
        rows = rows.filter(won=query.won)
    for other in players[1:]:
        rows = rows.filter(_plays(query, other, "game_id"))
    if query.opening:
        rows = rows.filter(
            game__option_set=_option_set(query),
            game__opening__startswith=opening_key(query.opening),
        )
    # A player may have several seats at a game.
    return rows.order_by("-ended_at", "-game_id").distinct()


def _games_by_bucket(query: Query, players: Sequence[User], buckets: _Buckets) -> QuerySet[GameRow]:
    """Return matching games by bucket or opening, or by a scan, latest first."""
    rows = GameRow.objects.order_by("-ended_at", "-match_id")
    for player in players:
        rows = rows.filter(_plays(query, player, "pk"))
    if query.opening:
        rows = rows.filter(_on(buckets), option_set=_option_set(query), first=query.opening[0])
        if len(query.opening) > 1:
            rows = rows.filter(
                second=query.opening[1], opening__startswith=opening_key(query.opening)
            )
        return rows
    if buckets.are_many:
        return rows.filter(_on(buckets))
    # This order matches no index on times, so the database sorts the games of the buckets.
    return rows.filter(bucket__in=buckets.keys).order_by(
        (F("ended_at") + 0).desc(), (F("match_id") + 0).desc()
    )


def _on(buckets: _Buckets) -> Q:
    """Return the condition that a game is of one of the buckets, as a filter without an index."""
    if buckets.are_all:
        return Q()
    return Q(In(F("bucket_id") + 0, buckets.keys))


def _plays(query: Query, user: User, game: str) -> Q:
    # With the end of the game, the index of players finds the seat directly.
    seats = PlayerRow.objects.filter(user=user, ended_at=OuterRef("ended_at"), game=OuterRef(game))
    if query.won is not None and user == query.players[0]:
        seats = seats.filter(won=query.won)
    return Q(Exists(seats))


def _option_set(query: Query) -> int:
    return (query.option_set.pk if query.option_set else None) or 0

"""Finding games, the latest first, without a look at those that are not shown.

There are several ways to a game: by its players, by its opening, by its shelf, or simply back in
time. The shelves know how many games stand on them. So we can choose the way on which few games are
passed that nobody asked for; a database without statistics of its own would often choose another.
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

from antipodes.errors import Fault, InputError
from antipodes.notation.text import shorten
from antipodes.web.accounts.models import User
from antipodes.web.archive.finished_games import private_watched_by
from antipodes.web.archive.models import GameRow, PlayerRow, ShelfRow
from antipodes.web.archive.openings import key_of
from antipodes.web.archive.queries import Query

MOST_COUNTED = 500  # games that are counted one by one

# So many games may be looked at and sorted for one page.
_FEW = 20_000

# A game of a player is passed in an index. One of a shelf is looked up for its players, and sorted:
# that takes as long as so many of the others.
_AS_QUICK = 10

Key = tuple[int, int]  # when a game ended, and the key of its match: no two are equal


@dataclass(frozen=True, slots=True)
class Found:
    """Some of the games that were asked for.

    Attributes:
        keys: of the games, the latest first.
        count: how many there are in all, if that is known.
        are_more: whether there are more than ``count``.
        after: where the next ones begin; ``None`` at the end.
    """

    keys: tuple[Key, ...]
    count: int | None
    are_more: bool
    after: Key | None


@dataclass(frozen=True, slots=True)
class _Shelves:
    """The shelves on which games may be: their keys, and how many games they and all others have.

    Attributes:
        keys: of the shelves.
        games: on them.
        are_all: whether there are no others.
        are_many: whether so many of all games are on them that one meets them everywhere.
    """

    keys: tuple[int, ...]
    games: int
    are_all: bool
    are_many: bool


def write_key(key: Key) -> str:
    """Write a place in the list for an address."""
    return f"{key[0]}-{key[1]}"


def read_key(text: str) -> Key:
    """Read a place in the list.

    Raises:
        InputError: it is none.
    """
    parts = text.split("-")
    if len(parts) != 2 or not all(p.isascii() and p.isdigit() and len(p) < 19 for p in parts):
        message = _("%(text)s is no place in a list of games.") % {"text": shorten(text)}
        raise InputError([Fault("archive/place", message, "after")])
    return int(parts[0]), int(parts[1])


def find(query: Query, user: User | None, *, after: Key | None, most: int) -> Found:
    """Find games that somebody may see, the latest first.

    Args:
        query: which.
        user: who asks; private games are found by those who may watch them.
        after: the last game that was found before; ``None`` for the first ones, which are counted.
        most: how many.
    """
    public, private = _shelves(query)
    is_counted = after is None and not query.is_of_shelves
    wanted = max(most, MOST_COUNTED) + 1 if is_counted else most + 1
    keys = _public_keys(query, public, after, wanted)
    count: int | None = None
    own: list[Key] = []
    if user is not None and private.keys:
        own = _private_keys(query, private, user, after, max(wanted, MOST_COUNTED + 1))
        keys = sorted({*keys, *own}, reverse=True)
    if is_counted:
        count = min(len(keys), MOST_COUNTED)
    elif after is None:
        count = public.games + len(own)
    shown = tuple(keys[:most])
    return Found(
        keys=shown,
        count=count,
        are_more=is_counted and len(keys) > MOST_COUNTED,
        after=shown[-1] if len(keys) > most else None,
    )


def _shelves(query: Query) -> tuple[_Shelves, _Shelves]:
    """Return the public shelves with such games, and the private ones."""
    every = ShelfRow.objects.filter(games__gt=0)
    size = every.aggregate(shelves=Count("pk"), games=Sum("games", default=0))
    found: tuple[dict[int, int], dict[int, int]] = ({}, {})
    rows = every.filter(query.shelves()).values_list("pk", "games", "is_private")
    for key, games, is_private in rows:
        found[is_private][key] = games
    public, private = (
        _Shelves(
            keys=tuple(one),
            games=sum(one.values()),
            are_all=len(one) == size["shelves"],
            are_many=sum(one.values()) > _FEW or 2 * sum(one.values()) > size["games"],
        )
        for one in found
    )
    return public, private


def _public_keys(query: Query, shelves: _Shelves, after: Key | None, most: int) -> list[Key]:
    """Return the games on shelves."""
    if not shelves.keys:
        return []
    players, is_way = _by_size(query, shelves)
    if is_way:
        rows: QuerySet[Any] = _of_player(query, players, shelves)
        match = "game_id"
    else:
        rows = _of_anybody(query, players, shelves)
        match = "match_id"
    rows = rows.filter(_when(query, after, match))
    return list(rows.values_list("ended_at", match)[:most])


def _by_size(query: Query, shelves: _Shelves) -> tuple[Sequence[User], bool]:
    """Return the players, whoever has fewer games first, and whether to look through these."""
    if not query.players:
        return (), False
    passed = _FEW if query.opening else max(_FEW, _AS_QUICK * shelves.games)
    is_quick = shelves.are_many and not query.opening
    if is_quick and len(query.players) == 1:
        return query.players, True
    # Nobody plays as much as the computer. Of the second, no more is counted than tells who it is.
    sizes: list[int] = []
    players = sorted(query.players, key=lambda one: one.is_computer)
    for player in players:
        sizes.append(_some_games(player, min([passed, *sizes]) + 1))
    players = [players[place] for place in sorted(range(len(players)), key=sizes.__getitem__)]
    return players, is_quick or min(sizes) <= passed


def _some_games(user: User, most: int) -> int:
    return PlayerRow.objects.filter(user=user).order_by()[:most].count()


def _private_keys(
    query: Query, shelves: _Shelves, user: User, after: Key | None, most: int
) -> list[Key]:
    """Return the games on private shelves that somebody may watch.

    Whatever is asked, they are found by the list of those that may be watched: nothing else is
    written as something to search an index by.
    """
    rows = GameRow.objects.filter(pk__in=private_watched_by(user))
    rows = rows.filter(In(F("shelf_id") + 0, shelves.keys))
    for player in query.players:
        rows = rows.filter(_plays(query, player, "pk"))
    if query.opening:
        is_of_set = Exact(F("option_set_id") + 0, _option_set(query))
        rows = rows.filter(is_of_set, opening__startswith=key_of(query.opening))
    # By itself a sum is taken for a small number, and no instant for one that it could be.
    at = ExpressionWrapper(F("ended_at") + 0, BigIntegerField())
    rows = rows.alias(at=at).filter(_when(query, after, "match_id", "at"))
    rows = rows.order_by(F("at").desc(), (F("match_id") + 0).desc())
    return list(rows.values_list("ended_at", "match_id")[:most])


def _when(query: Query, after: Key | None, match: str, at: str = "ended_at") -> Q:
    """Return the condition on when a game ended, by the names of its fields."""
    when = Q()
    if query.since is not None:
        when &= Q(**{f"{at}__gte": query.since})
    if query.until is not None:
        when &= Q(**{f"{at}__lt": query.until})
    if after is not None:
        # The first condition is what an index can use.
        ended, key = after
        earlier = Q(**{f"{at}__lt": ended}) | Q(**{f"{match}__lt": key})
        when &= Q(**{f"{at}__lte": ended}) & earlier
    return when


def _of_player(query: Query, players: Sequence[User], shelves: _Shelves) -> QuerySet[PlayerRow]:
    """Look through somebody's games, the latest first."""
    rows = PlayerRow.objects.filter(user=players[0]).filter(_on(shelves))
    if query.won is not None and players[0] == query.players[0]:
        rows = rows.filter(won=query.won)
    for other in players[1:]:
        rows = rows.filter(_plays(query, other, "game_id"))
    if query.opening:
        rows = rows.filter(
            game__option_set=_option_set(query), game__opening__startswith=key_of(query.opening)
        )
    # Somebody may sit on several seats of a game.
    return rows.order_by("-ended_at", "-game_id").distinct()


def _of_anybody(query: Query, players: Sequence[User], shelves: _Shelves) -> QuerySet[GameRow]:
    """Look at games of a shelf or an opening, or go back in time."""
    rows = GameRow.objects.order_by("-ended_at", "-match_id")
    for player in players:
        rows = rows.filter(_plays(query, player, "pk"))
    if query.opening:
        rows = rows.filter(_on(shelves), option_set=_option_set(query), first=query.opening[0])
        if len(query.opening) > 1:
            rows = rows.filter(second=query.opening[1], opening__startswith=key_of(query.opening))
        return rows
    if shelves.are_many:
        return rows.filter(_on(shelves))
    # In this order no index of times helps: the games of the shelves are sorted.
    return rows.filter(shelf__in=shelves.keys).order_by(
        (F("ended_at") + 0).desc(), (F("match_id") + 0).desc()
    )


def _on(shelves: _Shelves) -> Q:
    """Return the condition that a game stands on one of many shelves, as something to look at.

    Written like this it is nothing to search an index by.
    """
    if shelves.are_all:
        return Q()
    return Q(In(F("shelf_id") + 0, shelves.keys))


def _plays(query: Query, user: User, game: str) -> Q:
    # The index of players has the game of a player at its place in time.
    seats = PlayerRow.objects.filter(user=user, ended_at=OuterRef("ended_at"), game=OuterRef(game))
    if query.won is not None and user == query.players[0]:
        seats = seats.filter(won=query.won)
    return Q(Exists(seats))


def _option_set(query: Query) -> int:
    return (query.option_set.pk if query.option_set else None) or 0

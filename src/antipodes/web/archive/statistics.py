"""Statistics of games: wins by colour, lengths, and first moves.

They are sums over buckets and their counts; no games are read. Private and aborted games are not
counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.db.models import Q, QuerySet, Sum

from antipodes.core import Color
from antipodes.games.position import Game
from antipodes.games.registry import game_ids, make_game
from antipodes.games.symmetry import cells_of
from antipodes.lab.intervals import share_interval
from antipodes.web.archive.facts import ABORTED, Ending
from antipodes.web.archive.models import BucketRow, FirstMoveRow, LengthRow, OptionSetRow
from antipodes.web.archive.openings import opening_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Filter of the games counted; empty values match all games.

    Attributes:
        speed: speed class of the clock.
        rated: whether the game was rated.
        with_computer: whether the computer played.
        band: band of the players' mean rating.
    """

    speed: str = ""
    rated: bool | None = None
    with_computer: bool | None = None
    band: str = ""

    @property
    def condition(self) -> Q:
        """The condition on buckets with such games."""
        values = {
            "rated": self.rated,
            "with_computer": self.with_computer,
            "speed": self.speed or None,
            "band": self.band or None,
        }
        given = {name: value for name, value in values.items() if value is not None}
        counted = Q(**given, is_private=False, from_position=False, games__gt=0)
        return counted & ~Q(reason__in=ABORTED)


@dataclass(frozen=True, slots=True)
class Share:
    """A share of games.

    Attributes:
        games: number of games in the share, with halves where draws count half.
        of: total number of games.
    """

    games: float
    of: int

    @property
    def share(self) -> float | None:
        """The share, from 0 to 1; ``None`` without games."""
        return self.games / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % confidence interval of the share."""
        return share_interval(self.games / self.of if self.of else 0.0, self.of)

    @property
    def percent(self) -> float | None:
        """The share in per cent."""
        return None if self.share is None else 100 * self.share

    @property
    def low(self) -> float:
        """The lower end of the interval in per cent."""
        return 100 * self.interval[0]

    @property
    def high(self) -> float:
        """The upper end of the interval in per cent."""
        return 100 * self.interval[1]

    def as_dict(self) -> dict[str, Any]:
        """Return the share with its interval as data."""
        low, high = self.interval
        return {
            "games": self.games,
            "of": self.of,
            "share": None if self.share is None else round(self.share, 5),
            "low": round(low, 5),
            "high": round(high, 5),
        }


@dataclass(frozen=True, slots=True)
class Summary:
    """Results of the games of an option set, or of all games of a game.

    Attributes:
        option_set: the options; ``None`` for all.
        games: number of games.
        wins: share of wins by colour, in turn order.
        draws: share of games without a winner.
        endings: number of games by kind of ending.
    """

    option_set: OptionSetRow | None
    games: int
    wins: dict[Color, Share]
    draws: Share
    endings: dict[Ending, int]


@dataclass(frozen=True, slots=True)
class FirstMove:
    """A first move together with its symmetric images.

    Attributes:
        move: one of the moves.
        text: its notation.
        cells: cells of the pieces of all images.
        games: number of games.
        wins: share of wins of the piece's owner, after a swap or without one; draws count half.
        swaps: share of games in which the move was swapped.
    """

    move: int
    text: str
    cells: frozenset[int]
    games: int
    wins: Share
    swaps: Share


@dataclass(frozen=True, slots=True)
class Lengths:
    """Distribution of lengths: number of games by number of moves."""

    counts: Mapping[int, int] = field(default_factory=dict)

    @property
    def median(self) -> float | None:
        """The median length; ``None`` without games."""
        total = sum(self.counts.values())
        if not total:
            return None
        return (self._nth((total - 1) // 2) + self._nth(total // 2)) / 2

    def _nth(self, index: int) -> int:
        for moves, games in sorted(self.counts.items()):
            index -= games
            if index < 0:
                return moves
        raise IndexError(index)

    @property
    def mean(self) -> float | None:
        """The mean length; ``None`` without games."""
        total = sum(self.counts.values())
        return sum(m * games for m, games in self.counts.items()) / total if total else None

    def bars(self, most: int = 40) -> list[tuple[int, int, int]]:
        """Return a histogram as bars of first length, last length and number of games."""
        if not self.counts:
            return []
        low, high = min(self.counts), max(self.counts)
        width = -(-(high - low + 1) // most)
        sums: Counter[int] = Counter()
        for moves, games in self.counts.items():
            sums[(moves - low) // width] += games
        return [
            (low + bar * width, low + (bar + 1) * width - 1, sums[bar])
            for bar in range((high - low) // width + 1)
        ]


def overview(scope: Scope) -> list[tuple[str, Summary]]:
    """Return the results of each game over all options."""
    rows = BucketRow.objects.filter(scope.condition)
    groups = rows.values_list("option_set__game_id", "winner", "reason").annotate(Sum("games"))
    by_game: dict[str, list[tuple[str, str, int]]] = {game_id: [] for game_id in game_ids()}
    for game_id, winner, reason, games in groups:
        if game_id in by_game:
            by_game[game_id].append((winner, reason, games))
    return [(game_id, _summary(None, make_game(game_id), one)) for game_id, one in by_game.items()]


def option_sets(game_id: str, scope: Scope) -> list[Summary]:
    """Return the results of a game by option set, most played first."""
    rows = BucketRow.objects.filter(scope.condition, option_set__game_id=game_id)
    groups = rows.values_list("option_set", "winner", "reason").annotate(Sum("games"))
    by_set: dict[int, list[tuple[str, str, int]]] = {}
    for option_set, winner, reason, games in groups:
        by_set.setdefault(option_set, []).append((winner, reason, games))
    sets = OptionSetRow.objects.in_bulk(by_set)
    summaries = [_summary(sets[key], _game_of(sets[key]), one) for key, one in by_set.items()]
    return sorted(summaries, key=lambda one: -one.games)


def _game_of(row: OptionSetRow) -> Game:
    return _cached_game(row.game_id, row.key, tuple(row.options.items()))


@lru_cache(maxsize=64)
def _cached_game(game_id: str, key: str, options: tuple[tuple[str, Any], ...]) -> Game:  # noqa: ARG001
    return make_game(game_id, dict(options))


def _summary(
    option_set: OptionSetRow | None, game: Game, groups: list[tuple[str, str, int]]
) -> Summary:
    wins: Counter[str] = Counter()
    endings: Counter[Ending] = Counter()
    for winner, reason, games in groups:
        wins[winner] += games
        endings[Ending.of(winner, reason)] += games
    total = sum(wins.values())
    # Other options of the game may have other colours.
    others = [color for color in Color if wins[color.value] and color not in game.colors]
    return Summary(
        option_set=option_set,
        games=total,
        wins={color: Share(wins[color.value], total) for color in (*game.colors, *others)},
        draws=Share(wins[""], total),
        endings={ending: endings[ending] for ending in Ending if endings[ending]},
    )


def _buckets(option_set: OptionSetRow, scope: Scope) -> QuerySet[BucketRow]:
    return BucketRow.objects.filter(scope.condition, option_set=option_set)


def lengths(option_set: OptionSetRow, scope: Scope) -> Lengths:
    rows = LengthRow.objects.filter(bucket__in=_buckets(option_set, scope))
    return Lengths(dict(rows.values_list("moves").annotate(Sum("games")).order_by("moves")))


def first_moves(option_set: OptionSetRow, scope: Scope) -> list[FirstMove]:
    """Return the first moves of the games of an option set, most played first."""
    game = _game_of(option_set)
    rows = FirstMoveRow.objects.filter(bucket__in=_buckets(option_set, scope))
    groups = rows.values_list("move", "swapped", "bucket__winner").annotate(Sum("games"))
    by_move: dict[int, list[tuple[bool, str, int]]] = {}
    for move, swapped, winner, games in groups:
        by_move.setdefault(move, []).append((swapped, winner, games))
    moves = [_first_move(game, move, one) for move, one in by_move.items()]
    return sorted(moves, key=lambda one: (-one.games, one.move))


def _first_move(game: Game, move: int, groups: list[tuple[bool, str, int]]) -> FirstMove:
    total = sum(games for _, _, games in groups)
    won = 0.0
    for swapped, winner, games in groups:
        if winner == owner_of_first(game, move, swapped=swapped):
            won += games
        elif not winner:
            won += games / 2
    swaps = sum(games for swapped, _, games in groups if swapped)
    return FirstMove(
        move=move,
        text=opening_text(game, (move,)),
        cells=cells_of(game, move),
        games=total,
        wins=Share(won, total),
        swaps=Share(swaps, total),
    )


def owner_of_first(game: Game, move: int, *, swapped: bool) -> str:
    """Return the colour of the first piece after the second move.

    A swap of seats leaves the piece as it is; other swaps recolour it.
    """
    kind: Any = type(game)  # mypy takes it for a type without a hash
    return _owner_of_first(kind, game.options, move, swapped)


@lru_cache(maxsize=8_192)
def _owner_of_first(kind: Any, options: Any, move: int, swapped: bool) -> str:
    game: Game = kind(options)
    first = game.colors[0].value
    if not swapped or game.swap_move is None:
        return first
    before = game.initial()
    after = before.play(move)
    if game.swap_move not in after.legal_moves:
        return first
    stones = after.play(game.swap_move).scene().stones
    added = {color.value for cell, color in stones.items() if cell not in before.scene().stones}
    return added.pop() if len(added) == 1 else first

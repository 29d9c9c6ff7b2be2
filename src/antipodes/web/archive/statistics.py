"""What the archive tells of a game: who wins, how long it takes, and how first moves do.

Everything is added up from shelves and what is counted for each of them; no game is looked at.
Private games are not counted, nor those that were called off.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.db.models import Q, QuerySet, Sum

from antipodes.core import Color
from antipodes.games.base import BoardGame
from antipodes.games.registry import game_ids, make_game
from antipodes.lab.ratings import share_interval
from antipodes.web.archive.facts import ABORTED, Ending
from antipodes.web.archive.models import FirstMoveRow, LengthRow, OptionSetRow, ShelfRow
from antipodes.web.archive.openings import images_of, words_of

AnyGame = BoardGame[Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which games are counted; everything left open is not asked.

    Attributes:
        speed: class of the clock.
        rated: whether they counted.
        with_computer: whether the computer played.
    """

    speed: str = ""
    rated: bool | None = None
    with_computer: bool | None = None

    @property
    def condition(self) -> Q:
        """What shelves with such games have."""
        asked = {
            name: getattr(self, name)
            for name in ("rated", "with_computer")
            if getattr(self, name) is not None
        }
        if self.speed:
            asked["speed"] = self.speed
        return Q(**asked, is_private=False, games__gt=0) & ~Q(reason__in=ABORTED)


@dataclass(frozen=True, slots=True)
class Share:
    """A part of some games.

    Attributes:
        games: in this part, halves where draws count half.
        of: all of them.
    """

    games: float
    of: int

    @property
    def share(self) -> float | None:
        """The part, from 0 to 1; ``None`` of no games."""
        return self.games / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the part."""
        return share_interval(self.games / self.of if self.of else 0.0, self.of)

    @property
    def percent(self) -> float | None:
        """The part in per cent."""
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
        """Return it as data."""
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
    """How the games of an option set, or of all of a game, ended.

    Attributes:
        option_set: the options; ``None`` for all.
        games: how many.
        wins: colour -> the games it has won, in the order of the first turns.
        draws: games that nobody has won.
        endings: how they ended -> how many.
    """

    option_set: OptionSetRow | None
    games: int
    wins: dict[Color, Share]
    draws: Share
    endings: dict[Ending, int]

    @property
    def first(self) -> Share | None:
        """What the colour that begins has won."""
        return next(iter(self.wins.values()), None)


@dataclass(frozen=True, slots=True)
class FirstMove:
    """A first move, with all that are the same by a symmetry.

    Attributes:
        move: one of them.
        text: the same as text.
        cells: where their pieces come to lie.
        games: that begin so.
        wins: of whoever has the piece after a swap or none; draws count half.
        swaps: games in which it was answered by a swap.
    """

    move: int
    text: str
    cells: frozenset[int]
    games: int
    wins: Share
    swaps: Share


@dataclass(frozen=True, slots=True)
class Lengths:
    """How many moves games have: length -> games."""

    counts: Mapping[int, int] = field(default_factory=dict)

    @property
    def median(self) -> float | None:
        """As many games are longer as are shorter; ``None`` without games."""
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
        """The average; ``None`` without games."""
        total = sum(self.counts.values())
        return sum(m * games for m, games in self.counts.items()) / total if total else None

    def bars(self, most: int = 40) -> list[tuple[int, int, int]]:
        """Return at most so many bars of a histogram: first and last length, and games."""
        if not self.counts:
            return []
        low, high = min(self.counts), max(self.counts)
        width = -(-(high - low + 1) // most)
        found: Counter[int] = Counter()
        for moves, games in self.counts.items():
            found[(moves - low) // width] += games
        return [
            (low + bar * width, low + (bar + 1) * width - 1, found[bar])
            for bar in range((high - low) // width + 1)
        ]


def overview(scope: Scope) -> list[tuple[str, Summary]]:
    """Return every game with how its games ended, over all options."""
    rows = ShelfRow.objects.filter(scope.condition)
    groups = rows.values_list("option_set__game_id", "winner", "reason").annotate(Sum("games"))
    found: dict[str, list[tuple[str, str, int]]] = {game_id: [] for game_id in game_ids()}
    for game_id, winner, reason, games in groups:
        if game_id in found:
            found[game_id].append((winner, reason, games))
    return [(game_id, _summary(None, make_game(game_id), one)) for game_id, one in found.items()]


def option_sets(game_id: str, scope: Scope) -> list[Summary]:
    """Return the option sets of a game that were played, the most played first."""
    rows = ShelfRow.objects.filter(scope.condition, option_set__game_id=game_id)
    groups = rows.values_list("option_set", "winner", "reason").annotate(Sum("games"))
    found: dict[int, list[tuple[str, str, int]]] = {}
    for option_set, winner, reason, games in groups:
        found.setdefault(option_set, []).append((winner, reason, games))
    sets = OptionSetRow.objects.in_bulk(found)
    summaries = [_summary(sets[key], _game_of(sets[key]), one) for key, one in found.items()]
    return sorted(summaries, key=lambda one: -one.games)


def _game_of(row: OptionSetRow) -> AnyGame:
    return _made(row.game_id, row.key, tuple(row.options.items()))


@lru_cache(maxsize=512)
def _made(game_id: str, key: str, options: tuple[tuple[str, Any], ...]) -> AnyGame:  # noqa: ARG001
    return make_game(game_id, dict(options))


def _summary(
    option_set: OptionSetRow | None, game: AnyGame, groups: list[tuple[str, str, int]]
) -> Summary:
    wins: Counter[str] = Counter()
    endings: Counter[Ending] = Counter()
    for winner, reason, games in groups:
        wins[winner] += games
        endings[Ending.of(winner, reason)] += games
    total = sum(wins.values())
    # Other options of a game may have other colours.
    others = [color for color in Color if wins[color.value] and color not in game.colors]
    return Summary(
        option_set=option_set,
        games=total,
        wins={color: Share(wins[color.value], total) for color in (*game.colors, *others)},
        draws=Share(wins[""], total),
        endings={ending: endings[ending] for ending in Ending if endings[ending]},
    )


def _shelves(option_set: OptionSetRow, scope: Scope) -> QuerySet[ShelfRow]:
    return ShelfRow.objects.filter(scope.condition, option_set=option_set)


def lengths(option_set: OptionSetRow, scope: Scope) -> Lengths:
    """Return how many moves the games of an option set have."""
    rows = LengthRow.objects.filter(shelf__in=_shelves(option_set, scope))
    return Lengths(dict(rows.values_list("moves").annotate(Sum("games")).order_by("moves")))


def first_moves(option_set: OptionSetRow, scope: Scope) -> list[FirstMove]:
    """Return the first moves of the games of an option set, the most played first."""
    game = _game_of(option_set)
    rows = FirstMoveRow.objects.filter(shelf__in=_shelves(option_set, scope))
    groups = rows.values_list("move", "swapped", "shelf__winner").annotate(Sum("games"))
    found: dict[int, list[tuple[bool, str, int]]] = {}
    for move, swapped, winner, games in groups:
        found.setdefault(move, []).append((swapped, winner, games))
    moves = [_first_move(game, move, one) for move, one in found.items()]
    return sorted(moves, key=lambda one: (-one.games, one.move))


def _first_move(game: AnyGame, move: int, groups: list[tuple[bool, str, int]]) -> FirstMove:
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
        text=words_of(game, (move,)),
        cells=cells_of(game, move),
        games=total,
        wins=Share(won, total),
        swaps=Share(swaps, total),
    )


@lru_cache(maxsize=8_192)
def owner_of_first(game: AnyGame, move: int, *, swapped: bool) -> str:
    """Return the colour of the first piece after the second move.

    A swap either leaves it as it is, for somebody else to play on with, or gives it another colour.
    """
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


@lru_cache(maxsize=8_192)
def cells_of(game: AnyGame, move: int) -> frozenset[int]:
    """Return where the pieces of a first move and of its images come to lie."""
    start = game.initial()
    return frozenset(
        steps[0] for image in images_of(game, move) for steps in [start.steps(image)] if steps
    )

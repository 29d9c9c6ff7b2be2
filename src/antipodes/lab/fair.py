"""The search for a fair setting: the value of an option at which both colours win as often.

The share of a colour is taken to rise or fall with the option along a logistic curve. All curves of
a grid are weighted with the games so far; the next game is played where a curve drawn by these
weights crosses one half (W. R. Thompson, Biometrika 25, 1933), or between that value and the one of
another player. So games gather where they tell most, and every game near one half counts for all
values. The weights give the share at each value with an interval; the games at the value alone are
reported beside it, free of the curve. They also give the probability that any value is fair for all
players. That none is fair is shown without the curves, by the games at each value and its
neighbours.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.lab.balance import Balance, Setting, Tallies
from antipodes.lab.intervals import CONFIDENCE, GOAL, Estimate, share_interval
from antipodes.lab.tasks import GameTask

Floats = npt.NDArray[np.float64]

_CENTRES = 240
_WIDTHS = 20
_BEYOND = 0.5  # part of the range beyond both ends where a curve may cross one half
_POOLED = 50  # games that a test of a value needs; values behind it are added for them
_ENOUGH = 30  # games near one half, so that those far from it count less
_DRAWS = 20_000  # curves for the chance that some value is fair


class Curves:
    """Logistic curves over the values of an option, weighted with games.

    Attributes:
        values: of the option, rising.
        weights: of the curves, whose sum is 1.
    """

    def __init__(self, values: Sequence[int]) -> None:
        """Weigh all curves equally."""
        self.values = tuple(values)
        span = max(values[-1] - values[0], 1)
        beyond = _BEYOND * span
        centres = np.linspace(values[0] - beyond, values[-1] + beyond, _CENTRES)
        widths = np.geomspace(0.4, span, _WIDTHS)
        widths = np.concatenate([widths, -widths])  # a negative one is of a falling curve
        self._centres = np.repeat(centres, len(widths))
        slopes = np.tile(1.0 / widths, len(centres))
        steps = np.asarray(values, np.float64)[None, :] - self._centres[:, None]
        self._shares = 1.0 / (1.0 + np.exp(-np.clip(steps * slopes[:, None], -30.0, 30.0)))
        self._log_wins, self._log_losses = np.log(self._shares), np.log1p(-self._shares)
        self.weights: Floats = np.full(len(self._centres), 1.0 / len(self._centres))

    def learn(self, points: Floats, games: Floats) -> None:
        """Weigh the curves by games.

        Args:
            points: of the colour at each value.
            games: at each value.
        """
        likelihood = self._log_wins @ points + self._log_losses @ (games - points)
        weights = np.exp(likelihood - likelihood.max())
        self.weights = weights / weights.sum()

    def drawn(self, chance: random.Random) -> int:
        """Return the value that is nearest to the crossing of a curve drawn by the weights."""
        place = np.searchsorted(np.cumsum(self.weights), chance.random())
        centre = self._centres[min(int(place), len(self._centres) - 1)]
        return min(self.values, key=lambda value: abs(value - centre))

    def drawn_shares(self, count: int, chance: np.random.Generator) -> Floats:
        """Return the shares of curves drawn by the weights.

        Returns:
            A row for each curve and a column for each value.
        """
        drawn: Floats = self._shares[chance.choice(len(self.weights), count, p=self.weights)]
        return drawn

    @property
    def falls(self) -> bool:
        """Whether the share falls with the value."""
        expected = self.shares()
        return bool(expected[0] > expected[-1])

    def shares(self) -> Floats:
        """Return the expected share at each value."""
        expected: Floats = self.weights @ self._shares
        return expected

    def share(self, value: int) -> Estimate:
        """Return the share at a value with its 95 % interval."""
        shares = self._shares[:, self.values.index(value)]
        order = np.argsort(shares)
        summed = np.cumsum(self.weights[order])
        tail = (1.0 - CONFIDENCE) / 2.0
        low, high = (
            float(shares[order][min(int(np.searchsorted(summed, quantile)), len(order) - 1)])
            for quantile in (tail, 1.0 - tail)
        )
        return Estimate(float(self.weights @ shares), low, high)

    def distances(self) -> Floats:
        """Return the expected square of the distance from one half at each value."""
        expected: Floats = self.weights @ (self._shares - 0.5) ** 2
        return expected


class FairVerdict(StrEnum):
    """Verdict on the settings of a family."""

    FAIR = "fair"  # the intervals of all players are within the goal
    NONE = "none"  # each value is shown to be unfair for a player, with a confidence of 95 %
    OPEN = "open"  # more games are needed


@dataclass(frozen=True, slots=True)
class Family:
    """Settings that differ in one option.

    Attributes:
        game: with the other options.
        option: name of the option, a number.
        players: who plays.
        judges: those for whom a fair setting is fair; all players if empty.
    """

    game: Game
    option: str
    players: tuple[str, ...]
    judges: tuple[str, ...] = ()

    @property
    def values(self) -> list[int]:
        """The values of the option that the other options allow, rising."""
        return [int(value) for value in self.game.options.choices(self.option)]

    def setting(self, player: str, value: int) -> Setting:
        """Return the setting with a value."""
        options = {**self.game.options.as_dict(), self.option: value}
        return Setting(make_game(self.game.id, options), player)


@dataclass(frozen=True, slots=True)
class Line:
    """The settings of a family for one of its players.

    Attributes:
        family: the family.
        player: who plays.
        balances: the results of each value.
        curves: the curves over the values.
    """

    family: Family
    player: str
    balances: Sequence[Balance]
    curves: Curves

    @property
    def games(self) -> int:
        """Games so far, at all values."""
        return sum(one.total for one in self.balances)

    def counts(self) -> tuple[Floats, Floats]:
        """Return the points of the colour and the games at each value."""
        games = np.array([one.games for one in self.balances], np.float64)
        shares = np.array([one.share().value for one in self.balances])
        return shares * games, games

    def learn(self) -> Curves:
        """Return the curves, weighted with the games so far.

        The farther the share at a value is from one half, the less its games count (by Tukey's
        biweight), once there are enough others: far out the share need not follow the curve that
        fits near one half.
        """
        points, games = self.counts()
        self.curves.learn(points, games)
        weights = (1.0 - (2.0 * self.curves.shares() - 1.0) ** 2) ** 2
        if weights @ games >= _ENOUGH:
            self.curves.learn(weights * points, weights * games)
        return self.curves

    def as_dict(self, value: int) -> dict[str, Any]:
        """Return the results at a value for programs, by the curves and by its games alone."""
        here = self.balances[self.curves.values.index(value)]
        return {
            "player": self.player,
            "games": self.games,
            "of": here.of.value,
            **self.curves.share(value).as_dict(),
            "at_value": {"games": here.games, **here.share().as_dict()},
            "alone": self.curves.values[int(np.argmin(self.curves.distances()))],
        }


@dataclass(frozen=True)
class Found:
    """The fairest setting of a family.

    Attributes:
        family: the family.
        value: of the option.
        lines: the results for each player.
    """

    family: Family
    value: int
    lines: Sequence[Line]

    @property
    def index(self) -> int:
        """The place of the value among the values of the family."""
        return self.lines[0].curves.values.index(self.value)

    @property
    def verdict(self) -> FairVerdict:
        """Verdict on the settings."""
        low, high = GOAL
        shares = [line.curves.share(self.value) for line in _judging(self.lines)]
        if all(low <= one.low and one.high <= high for one in shares):
            return FairVerdict.FAIR
        return FairVerdict.NONE if _is_none_fair(_judging(self.lines)) else FairVerdict.OPEN

    @cached_property
    def chance(self) -> float:
        """The probability that some value is fair for all players, by the weighted curves."""
        low, high = GOAL
        drawn = np.random.default_rng(0)
        fair = np.ones((_DRAWS, len(self.family.values)), bool)
        for line in _judging(self.lines):
            shares = line.curves.drawn_shares(_DRAWS, drawn)
            fair &= (low <= shares) & (shares <= high)
        return float(fair.any(axis=1).mean())

    def as_dict(self) -> dict[str, Any]:
        """Return the result for programs."""
        return {
            "game": self.family.game.id,
            "options": {**self.family.game.options.as_dict(), self.family.option: self.value},
            "tuned": self.family.option,
            "value": self.value,
            "verdict": self.verdict.value,
            "chance": round(self.chance, 3),
            "judges": [line.player for line in _judging(self.lines)],
            "players": [line.as_dict(self.value) for line in self.lines],
        }


class Search:
    """A search for fair settings in several families.

    Attributes:
        tallies: results of all games; rows are added here as they come.
    """

    def __init__(self, families: Sequence[Family], games: int, seed: int | None) -> None:
        """Begin without results.

        Args:
            families: the families.
            games: how many to play for each family and player.
            seed: of the games; ``None`` counts those of all seeds, and plays none.
        """
        self.tallies = Tallies((), seed)
        self._lines = [
            [self._line(family, player) for player in family.players] for family in families
        ]
        self._games = games
        self._seed = seed

    def _line(self, family: Family, player: str) -> Line:
        values = family.values
        balances = [self.tallies.watch(family.setting(player, value)) for value in values]
        return Line(family, player, balances, Curves(values))

    @property
    def wanted(self) -> int:
        """How many games there will be."""
        return self._games * sum(map(len, self._lines))

    @property
    def done(self) -> int:
        """How many of them there are."""
        return sum(min(line.games, self._games) for some in self._lines for line in some)

    def tasks(self) -> Iterator[GameTask]:
        """Yield tasks; each is chosen by the results that are known when it is taken."""
        seed = self._seed or 0
        chance = random.Random(seed)
        lines = [line for some in self._lines for line in some]
        siblings = [some for some in self._lines for _ in some]
        free: Counter[tuple[str, str, str]] = Counter()
        ready = [line.games for line in lines]
        while (least := min(ready, default=self._games)) < self._games:
            place = ready.index(least)
            ready[place] += 1
            line = lines[place]
            value = _drawn_value(line, chance.choice(_judging(siblings[place])), chance)
            balance = line.balances[line.curves.values.index(value)]
            # An interrupted search leaves gaps among the numbers of the games.
            number = free[balance.setting.key] + 1
            while number in balance.numbers:
                number += 1
            free[balance.setting.key] = number
            yield balance.setting.task(seed, number)

    def found(self) -> list[Found]:
        """Return the fairest setting of each family, by the player for whom it is least fair."""
        return [_fairest(lines) for lines in self._lines]


def _drawn_value(line: Line, other: Line, chance: random.Random) -> int:
    """Return a value between those where the curves of two players cross one half.

    So the shares of both players become known wherever one of them may be fair.
    """
    ends = sorted(one.learn().drawn(chance) for one in (line, other))
    return chance.choice([value for value in line.curves.values if ends[0] <= value <= ends[1]])


def _fairest(lines: Sequence[Line]) -> Found:
    for line in lines:
        line.learn()
    distances = np.max([line.curves.distances() for line in _judging(lines)], axis=0)
    family = lines[0].family
    return Found(family, family.values[int(np.argmin(distances))], lines)


def _is_none_fair(lines: Sequence[Line]) -> bool:
    """Return whether each value is shown to be unfair for one of the players.

    This assumes only that shares rise or fall with the option, not that they follow a curve.
    """
    values = len(lines[0].balances)
    # Each value is tested, for each player at both ends (Bonferroni).
    confidence = 1.0 - (1.0 - CONFIDENCE) / (values * len(lines))
    unfair = np.zeros(values, bool)
    for line in lines:
        points, games = line.counts()
        falling, rising = points, games - points
        if not line.curves.falls:
            falling, rising = rising, falling
        unfair[: _shown_high(falling, games, confidence)] = True
        unfair[values - _shown_high(rising[::-1], games[::-1], confidence) :] = True
    return bool(unfair.all())


def _shown_high(points: Floats, games: Floats, confidence: float) -> int:
    """Return at how many of the first values the share is shown to be above the goal.

    Shares fall along the values, so the share at a value is at least that of the games at this
    value and at the next ones together.
    """
    for place in reversed(range(len(games))):
        counted = np.cumsum(games[place:])
        end = place + int(np.searchsorted(counted, _POOLED)) + 1
        some = games[place:end].sum()
        share = points[place:end].sum() / some if some else 0.5
        if share_interval(share, some, confidence)[0] > GOAL[1]:
            return place + 1
    return 0


def _judging(lines: Sequence[Line]) -> list[Line]:
    """Return the lines of the players who decide what is fair."""
    judges = lines[0].family.judges or lines[0].family.players
    return [line for line in lines if line.player in judges]

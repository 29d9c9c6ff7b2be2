"""Glicko-2 ratings as values: what games and idle time make of them.

The arithmetic is that of Mark Glickman, "Example of the Glicko-2 system" (2012,
https://www.glicko.net/glicko/glicko2.pdf), and the comments name its steps. One thing is different:
time between games counts in fractions of a rating period, because ratings change after each game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_SCALE = 173.7178  # points of a rating on Glickman's inner scale of 1
START, UNKNOWN, UNSTEADY = 1500.0, 350.0, 0.06
# Below the floor ratings would hardly ever change again, even where a player has become better.
SUREST = 30.0
PROVISIONAL = 110.0
# Who is further apart than this always wins or loses; numbers have no room for more.
_FAR = 4_000.0
PERIOD = 7 * 86_400_000  # milliseconds
_TAU = 0.5  # how much volatilities change, step 1
_CLOSE = 1e-6  # to the logarithm of the new variance, step 5


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of somebody's strength.

    Attributes:
        value: the strength, in points.
        deviation: the standard deviation of that belief, in points.
        volatility: how much the strength is expected to change in a period, on the inner scale.
    """

    value: float = START
    deviation: float = UNKNOWN
    volatility: float = UNSTEADY

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known to compare the player with others."""
        return self.deviation > PROVISIONAL

    def after_idling(self, milliseconds: float) -> Rating:
        """Return what is believed after a time without games."""
        periods = max(0.0, milliseconds) / PERIOD
        deviation = math.hypot(self.deviation, _SCALE * self.volatility * math.sqrt(periods))
        return Rating(self.value, min(UNKNOWN, deviation), self.volatility)

    def settled_for(self) -> int:
        """Return for how many milliseconds without games it will not be provisional; 0 if it is."""
        room = PROVISIONAL**2 - self.deviation**2
        if room < 0:
            return 0
        return int(room / (_SCALE * self.volatility) ** 2 * PERIOD)

    def after_games(self, games: Sequence[tuple[Rating, float]], idle: float) -> Rating:
        """Return what is believed after games that were played at one time.

        Args:
            games: the opponents, and the points scored against each: 1, 0.5 or 0.
            idle: milliseconds since the last games.
        """
        periods = max(0.0, idle) / PERIOD
        # Whole periods without games come first; the rest is the period of these games.
        rested = self.after_idling(max(0.0, periods - 1) * PERIOD)
        deviation = rested.deviation / _SCALE
        seen = _Evidence.of(rested, games)
        volatility = _new_volatility(rested.volatility, deviation, seen)
        # Step 6, for the part of a period that has passed; step 7.
        grown = math.hypot(deviation, volatility * math.sqrt(min(1.0, periods)))
        precision = 1 / min(UNKNOWN / _SCALE, grown) ** 2 + 1 / seen.variance
        return Rating(
            rested.value + _SCALE * seen.surplus / precision,
            min(UNKNOWN, max(SUREST, _SCALE / math.sqrt(precision))),
            volatility,
        )


def expected_points(one: Rating, other: Rating) -> float:
    """Return the points that one is expected to score against another, from 0 to 1."""
    spread = math.hypot(one.deviation, other.deviation) / _SCALE
    return 1 / (1 + math.exp(-_weight(spread) * (one.value - other.value) / _SCALE))


@dataclass(frozen=True, slots=True)
class _Evidence:
    """What games tell of a player's strength, on the inner scale.

    Attributes:
        variance: v of step 3.
        surplus: points above the expected ones, each weighed by how well the opponent is known.
    """

    variance: float
    surplus: float

    @classmethod
    def of(cls, player: Rating, games: Sequence[tuple[Rating, float]]) -> _Evidence:
        information = surplus = 0.0
        for opponent, points in games:
            distance = max(-_FAR, min(_FAR, player.value - opponent.value)) / _SCALE
            weight = _weight(opponent.deviation / _SCALE)
            expected = 1 / (1 + math.exp(-weight * distance))
            information += weight**2 * expected * (1 - expected)
            surplus += weight * (points - expected)
        return cls(1 / information, surplus)


def _weight(deviation: float) -> float:
    """Return how much a game counts by the deviation of the opponent: g of step 3."""
    return 1 / math.sqrt(1 + 3 * deviation**2 / math.pi**2)


def _new_volatility(volatility: float, deviation: float, seen: _Evidence) -> float:
    """Return the volatility after games: step 5, by the Illinois algorithm as in the paper."""
    start = math.log(volatility**2)
    expected = deviation**2 + seen.variance
    surprise = (seen.variance * seen.surplus) ** 2  # the square of the delta of step 4

    def f(x: float) -> float:
        known = expected + math.exp(x)
        return math.exp(x) * (surprise - known) / (2 * known**2) - (x - start) / _TAU**2

    one = start
    if surprise > expected:
        other = math.log(surprise - expected)
    else:
        other = start - _TAU
        while f(other) < 0:
            other -= _TAU
    f_one, f_other = f(one), f(other)
    while abs(other - one) > _CLOSE:
        between = one + (one - other) * f_one / (f_other - f_one)
        f_between = f(between)
        if f_between * f_other <= 0:
            one, f_one = other, f_other
        else:
            f_one /= 2
        other, f_other = between, f_between
    return math.exp(one / 2)

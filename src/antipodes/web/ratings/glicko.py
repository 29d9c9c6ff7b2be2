"""Glicko-2 ratings, and their changes by games and by time without games.

The formulas are those of Mark Glickman, "Example of the Glicko-2 system" (2012,
https://www.glicko.net/glicko/glicko2.pdf); comments refer to its steps. The one difference: time
between games counts in fractions of a rating period, because ratings change after each game.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from antipodes.clocks import DAY

_SCALE = 173.7178  # rating points per unit of Glickman's internal scale
INITIAL_VALUE, INITIAL_DEVIATION, INITIAL_VOLATILITY = 1500.0, 350.0, 0.06
# With a smaller deviation a rating would hardly change even if the player improved.
MIN_DEVIATION = 30.0
PROVISIONAL_DEVIATION = 110.0  # ratings with a larger deviation are provisional
_MAX_DIFFERENCE = 4_000.0  # larger differences would exceed the range of floats
PERIOD = 7 * DAY  # milliseconds
_TAU = 0.5  # constrains changes of volatility, step 1
_TOLERANCE = 1e-6  # of the logarithm of the new variance, step 5


@dataclass(frozen=True, slots=True)
class Rating:
    """A Glicko-2 rating.

    Attributes:
        value: the rating, in points.
        deviation: its standard deviation, in points.
        volatility: expected change of the strength in a period, on the internal scale.
    """

    value: float = INITIAL_VALUE
    deviation: float = INITIAL_DEVIATION
    volatility: float = INITIAL_VOLATILITY

    @property
    def is_provisional(self) -> bool:
        """Whether the rating is too uncertain for leaderboards."""
        return self.deviation > PROVISIONAL_DEVIATION

    def after_idling(self, milliseconds: float) -> Rating:
        """Return the rating after a time without games, which increases the deviation."""
        periods = max(0.0, milliseconds) / PERIOD
        deviation = math.hypot(self.deviation, _SCALE * self.volatility * math.sqrt(periods))
        return Rating(self.value, min(INITIAL_DEVIATION, deviation), self.volatility)

    def established_for(self) -> int:
        """Return the milliseconds without games until it becomes provisional; 0 if it is."""
        margin = PROVISIONAL_DEVIATION**2 - self.deviation**2
        if margin < 0:
            return 0
        return int(margin / (_SCALE * self.volatility) ** 2 * PERIOD)

    def after_games(self, games: Sequence[tuple[Rating, float]], idle: float) -> Rating:
        """Return the rating after simultaneous games.

        Args:
            games: the opponents, and the points scored against each: 1, 0.5 or 0.
            idle: milliseconds since the previous games.
        """
        periods = max(0.0, idle) / PERIOD
        # Whole periods without games come first; the rest is the period of these games.
        before = self.after_idling(max(0.0, periods - 1) * PERIOD)
        deviation = before.deviation / _SCALE
        evidence = _Evidence.of(before, games)
        volatility = _new_volatility(before.volatility, deviation, evidence)
        # Step 6, for the part of a period that has passed; step 7.
        grown = math.hypot(deviation, volatility * math.sqrt(min(1.0, periods)))
        precision = 1 / min(INITIAL_DEVIATION / _SCALE, grown) ** 2 + 1 / evidence.variance
        return Rating(
            before.value + _SCALE * evidence.surplus / precision,
            min(INITIAL_DEVIATION, max(MIN_DEVIATION, _SCALE / math.sqrt(precision))),
            volatility,
        )


@dataclass(frozen=True, slots=True)
class _Evidence:
    """Evidence of games about a player's strength, on the internal scale.

    Attributes:
        variance: v of step 3.
        surplus: points above the expected ones, weighted by the certainty of opponents' ratings.
    """

    variance: float
    surplus: float

    @classmethod
    def of(cls, player: Rating, games: Sequence[tuple[Rating, float]]) -> _Evidence:
        information = surplus = 0.0
        for opponent, points in games:
            difference = player.value - opponent.value
            difference = max(-_MAX_DIFFERENCE, min(_MAX_DIFFERENCE, difference)) / _SCALE
            weight = _weight(opponent.deviation / _SCALE)
            expected = 1 / (1 + math.exp(-weight * difference))
            information += weight**2 * expected * (1 - expected)
            surplus += weight * (points - expected)
        return cls(1 / information, surplus)


def _weight(deviation: float) -> float:
    """Return the weight of a game by the opponent's deviation: g of step 3."""
    return 1 / math.sqrt(1 + 3 * deviation**2 / math.pi**2)


def _new_volatility(volatility: float, deviation: float, evidence: _Evidence) -> float:
    """Return the volatility after games: step 5, by the Illinois algorithm as in the paper."""
    start = math.log(volatility**2)
    expected = deviation**2 + evidence.variance
    surprise = (evidence.variance * evidence.surplus) ** 2  # the square of the delta of step 4

    def f(x: float) -> float:
        total = expected + math.exp(x)
        return math.exp(x) * (surprise - total) / (2 * total**2) - (x - start) / _TAU**2

    # f falls through 0 at the logarithm of the new variance. First two places with f on either side
    # of 0, then the line between them is followed to 0.
    bound = start
    if surprise > expected:
        other = math.log(surprise - expected)
    else:
        other = start - _TAU
        while f(other) < 0:
            other -= _TAU
    f_one, f_other = f(bound), f(other)
    while abs(other - bound) > _TOLERANCE:
        between = bound + (bound - other) * f_one / (f_other - f_one)
        f_between = f(between)
        if f_between * f_other <= 0:
            bound, f_one = other, f_other
        else:
            # The same end stays twice: with half of its value, the line does not creep up to it.
            f_one /= 2
        other, f_other = between, f_between
    return math.exp(bound / 2)

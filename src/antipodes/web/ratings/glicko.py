"""Glicko-2 ratings as values: what games and idle time make of them.

The arithmetic is Mark Glickman's ("Example of the Glicko-2 system", 2012), done by the library
``glicko2``. Two things are done here: time between games counts in fractions of a rating period,
because ratings change after each game; and the new volatility is sought with the deviation, as in
the paper, where the library takes the rating.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import glicko2

_SCALE = 173.7178  # points of a rating on Glickman's inner scale of 1
START, UNKNOWN, UNSTEADY = 1500.0, 350.0, 0.06
# Below the floor ratings would hardly ever change again, even where a player has become better.
SUREST = 30.0
PROVISIONAL = 110.0
# Who is further apart than this always wins or loses; numbers have no room for more.
_FAR = 4_000.0
PERIOD = 7 * 86_400_000  # milliseconds


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
        player = _Player(rested, min(1.0, periods))
        opponents = [opponent for opponent, _ in games]
        player.update_player(
            [max(rested.value - _FAR, min(rested.value + _FAR, one.value)) for one in opponents],
            [one.deviation for one in opponents],
            [points for _, points in games],
        )
        return Rating(player.rating, min(UNKNOWN, max(SUREST, player.rd)), player.vol)


def expected_points(one: Rating, other: Rating) -> float:
    """Return the points that one is expected to score against another, from 0 to 1."""
    spread = math.hypot(one.deviation, other.deviation) / _SCALE
    weight = 1 / math.sqrt(1 + 3 * spread**2 / math.pi**2)
    return 1 / (1 + math.exp(-weight * (one.value - other.value) / _SCALE))


class _Player(glicko2.Player):  # type: ignore[misc]  # the library has no types
    """A player of the library, for games that come after a part of a period."""

    rd: float  # of the library
    vol: float

    def __init__(self, rating: Rating, periods: float) -> None:
        super().__init__(rating.value, rating.deviation, rating.volatility)
        self._periods = periods

    # The library calls these two by these names.

    def _preRatingRD(self) -> None:  # noqa: N802
        grown = math.hypot(self.rd, _SCALE * self.vol * math.sqrt(self._periods))
        self.rd = min(UNKNOWN, grown)

    def _f(self, x: float, delta: float, v: float, a: float) -> float:
        """Return what is 0 for the logarithm of the new variance (step 5 of the paper)."""
        known = (self.rd / _SCALE) ** 2 + v + math.exp(x)
        surprise = math.exp(x) * (delta**2 - known) / (2 * known**2)
        return float(surprise - (x - a) / self._tau**2)

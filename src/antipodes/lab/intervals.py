"""Intervals of shares.

Source: E. B. Wilson, JASA 22 (1927), whose interval of a share keeps close to its confidence also
for few games and for shares near 0 and 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
GOAL = (0.45, 0.55)  # shares that count as fair


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share with its confidence interval.

    Attributes:
        value: the estimate.
        low: lower end of the interval.
        high: upper end.
    """

    value: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float]:
        """Return ``share``, ``low`` and ``high`` for programs."""
        return {
            "share": round(self.value, 4),
            "low": round(self.low, 4),
            "high": round(self.high, 4),
        }

    def __str__(self) -> str:
        """Return it in short, such as ``0.52 (0.42-0.61)``."""
        return f"{self.value:.2f} ({self.low:.2f}-{self.high:.2f})"


def share_interval(
    share: float, games: float, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Return Wilson's interval of a share.

    With draws as half wins the true confidence is higher, since draws vary less than wins.
    """
    if games <= 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1.0 + confidence) / 2.0)
    centre = share + z * z / (2.0 * games)
    spread = z * math.sqrt(share * (1.0 - share) / games + z * z / (4.0 * games * games))
    scale = 1.0 + z * z / games
    # Rounding must not make certainty out of a clean score, or out of its opposite.
    low = 0.0 if share <= 0.0 else (centre - spread) / scale
    high = 1.0 if share >= 1.0 else (centre + spread) / scale
    return low, high


def estimated_share(wins: float, games: int) -> Estimate:
    """Return a share with Wilson's interval; one half without games."""
    share = wins / games if games else 0.5
    return Estimate(share, *share_interval(share, games))

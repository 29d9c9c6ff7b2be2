"""Laws of ratings as values."""

import pytest

from antipodes.web.ratings.glicko import PERIOD, Rating


def test_glickmans_worked_example():
    opponents = [(Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)]
    after = Rating(1500, 200, 0.06).after_games(opponents, idle=PERIOD)
    # As published: mu' -0.2069, phi' 0.8722, sigma' 0.05999; r' 1464.06 is made of rounded ones.
    assert round((after.value - 1500) / 173.7178, 4) == -0.2069
    assert round(after.deviation / 173.7178, 4) == 0.8722
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert round(after.deviation, 2) == 151.52
    assert int(after.volatility * 100_000) == 5_999

"""Glicko-2 arithmetic."""

import math
import random

import pytest

from antipodes.web.ratings.glicko import PERIOD, Rating
from tests.cases import for_each


def test_glickmans_worked_example():
    opponents = [(Rating(1400, 30), 1), (Rating(1550, 100), 0), (Rating(1700, 300), 0)]
    after = Rating(1500, 200, 0.06).after_games(opponents, idle=PERIOD)
    # As published: mu' -0.2069, phi' 0.8722, sigma' 0.05999; r' 1464.06 is from rounded values.
    assert round((after.value - 1500) / 173.7178, 4) == -0.2069
    assert round(after.deviation / 173.7178, 4) == 0.8722
    assert after.value == pytest.approx(1464.06, abs=0.01)
    assert round(after.deviation, 2) == 151.52
    assert int(after.volatility * 100_000) == 5_999


def paper(rating, opponents, tau=0.5):
    """Compute the steps of the paper for one whole period, independently of the implementation."""
    mu, phi = (rating.value - 1500) / 173.7178, rating.deviation / 173.7178
    others = [((o.value - 1500) / 173.7178, o.deviation / 173.7178, s) for o, s in opponents]
    g = [1 / math.sqrt(1 + 3 * p**2 / math.pi**2) for _, p, _ in others]
    e = [1 / (1 + math.exp(-w * (mu - m))) for w, (m, _, _) in zip(g, others, strict=True)]
    v = 1 / sum(w**2 * x * (1 - x) for w, x in zip(g, e, strict=True))
    gain = sum(w * (s - x) for w, x, (_, _, s) in zip(g, e, others, strict=True))
    delta = v * gain
    a = math.log(rating.volatility**2)

    def f(x):
        top = math.exp(x) * (delta**2 - phi**2 - v - math.exp(x))
        return top / (2 * (phi**2 + v + math.exp(x)) ** 2) - (x - a) / tau**2

    # The nearest root, where f changes from positive to negative.
    step = 0.01 if f(a) > 0 else -0.01
    number = next(number for number in range(10_000) if f(a) * f(a + number * step) < 0)
    low, high = sorted((a + (number - 1) * step, a + number * step))
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    sigma = math.exp(low / 2)
    new = 1 / math.sqrt(1 / (phi**2 + sigma**2) + 1 / v)
    return 1500 + 173.7178 * (mu + new**2 * gain), 173.7178 * new, sigma


@for_each("seed", range(40))
def test_random_ratings_change_as_in_the_paper(seed):
    rng = random.Random(seed)

    def player():
        return Rating(rng.gauss(1600, 500), rng.uniform(40, 340), rng.uniform(0.04, 0.09))

    one = player()
    opponents = [(player(), rng.choice((0, 0.5, 1))) for _ in range(rng.randrange(1, 9))]
    after = one.after_games(opponents, idle=PERIOD)
    value, deviation, volatility = paper(one, opponents)
    assert after.value == pytest.approx(value, abs=0.01)
    assert after.deviation == pytest.approx(max(30, min(350, deviation)), abs=0.01)
    assert after.volatility == pytest.approx(volatility, rel=1e-4)


def test_idle_periods_add_up():
    start = Rating(1600, 60, 0.06)
    whole, parts = start.after_idling(10 * PERIOD), start
    for _ in range(100):
        parts = parts.after_idling(PERIOD / 10)
    assert parts.deviation == pytest.approx(whole.deviation)
    assert whole.value == start.value
    assert start.after_idling(10_000 * PERIOD).deviation == 350


def test_a_rating_becomes_provisional_at_the_predicted_time():
    rating = Rating(1600, 60, 0.06)
    milliseconds = rating.established_for()
    assert not rating.after_idling(milliseconds - 1000).is_provisional
    assert rating.after_idling(milliseconds + 1000).is_provisional
    assert Rating(1600, 120).established_for() == 0


@pytest.mark.parametrize("gap", [0, 800, 3_000, 20_000])
def test_extreme_rating_differences_give_finite_ratings(gap):
    for points in (0, 1):
        after = Rating(1500 + gap, 40).after_games([(Rating(1500, 350), points)], idle=0)
        assert math.isfinite(after.value)
        assert 30 <= after.deviation <= 350


def test_unexpected_results_change_ratings_more():
    weak, strong = Rating(1300, 80), Rating(1700, 80)
    expected_win = strong.after_games([(weak, 1)], idle=0).value - strong.value
    upset = weak.after_games([(strong, 1)], idle=0).value - weak.value
    assert 0 < expected_win < upset
    assert strong.after_games([(weak, 0)], idle=0).value < strong.value

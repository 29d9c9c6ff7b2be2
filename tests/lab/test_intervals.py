"""Intervals of shares: published values, and how often they hold the truth, computed exactly."""

import math

import pytest

from antipodes.lab.intervals import estimated_share, share_interval


def test_wilsons_interval_has_its_published_values():
    # Newcombe, Statistics in Medicine 17 (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for hits, games, low, high in (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ):
        assert share_interval(hits / games, games) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("games", [10, 40, 200])
def test_intervals_of_coins_hold_the_truth_in_about_95_of_100_cases(games):
    coverage = []
    for per_mille in range(20, 981, 20):
        truth = per_mille / 1000
        held = 0.0
        for wins in range(games + 1):
            low, high = share_interval(wins / games, games)
            if low <= truth <= high:
                held += math.comb(games, wins) * truth**wins * (1 - truth) ** (games - wins)
        coverage.append(held)
    assert sum(coverage) / len(coverage) == pytest.approx(0.95, abs=0.012)
    assert min(coverage) > 0.86


def test_a_higher_confidence_makes_a_wider_interval():
    low, high = share_interval(0.4, 50)
    lower, higher = share_interval(0.4, 50, 0.99)
    assert lower < low < 0.4 < high < higher


def test_without_games_nothing_is_known():
    nothing = estimated_share(0, 0)
    assert (nothing.value, nothing.low, nothing.high) == (0.5, 0.0, 1.0)

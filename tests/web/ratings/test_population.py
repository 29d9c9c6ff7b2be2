"""What ratings make of a population whose strengths are known."""

import random
import statistics

import pytest

from antipodes.web.ratings.book import Kept
from antipodes.web.ratings.glicko import PERIOD, expected_points

PLAYERS, ROUNDS = 120, 60
SPREAD = 250  # of strengths, as a deviation: as among players of a club
NEARNESS = 300  # of the ratings of those who are paired
DRAWS = 0.2  # of the points of whoever is weaker


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0] * len(values)
    for rank, index in enumerate(order):
        found[index] = rank
    return found


@pytest.fixture(scope="module")
def population():
    """Everybody plays once a round, with somebody of about the same rating; a few draws."""
    chance = random.Random(11)
    strengths = [chance.gauss(1500, SPREAD) for _ in range(PLAYERS)]
    known = [Kept() for _ in range(PLAYERS)]
    forecasts = []
    for number in range(ROUNDS):
        at = number * PERIOD // 10
        order = sorted(
            range(PLAYERS), key=lambda one: known[one].rating.value + chance.gauss(0, NEARNESS)
        )
        for one, other in zip(order[::2], order[1::2], strict=True):
            wins = 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400))
            # As many points as the strengths say, with or without draws.
            draws = DRAWS * min(wins, 1 - wins)
            drawn = chance.random()
            points = 1.0 if drawn < wins - draws / 2 else 0.5 if drawn < wins + draws / 2 else 0.0
            before = known[one].at(at), known[other].at(at)
            if number >= 15:
                forecasts.append((expected_points(*before), points))
            known[one], known[other] = (
                known[one].after([(before[1], points)], at),
                known[other].after([(before[0], 1 - points)], at),
            )
    return strengths, [kept.rating for kept in known], forecasts


def test_the_order_of_strengths_is_found(population):
    strengths, ratings, _ = population
    correlation = statistics.correlation(ranks(strengths), ranks([one.value for one in ratings]))
    assert correlation > 0.93


def test_expected_points_are_those_that_are_scored(population):
    *_, forecasts = population
    forecasts = sorted([*forecasts, *((1 - one, 1 - points) for one, points in forecasts)])
    size = len(forecasts) // 8
    for first in range(0, 8 * size, size):
        some = forecasts[first : first + size]
        expected = statistics.fmean(one for one, _ in some)
        scored = statistics.fmean(points for _, points in some)
        # Glicko counts games one by one, so it is not exact even with so many of them.
        assert scored == pytest.approx(expected, abs=0.05)


def test_deviations_are_honest(population):
    strengths, ratings, _ = population
    # Ratings tell differences alone; where their middle lies means nothing.
    middle = statistics.fmean(one.value for one in ratings) - statistics.fmean(strengths)
    errors = [
        (rating.value - middle - strength) / rating.deviation
        for rating, strength in zip(ratings, strengths, strict=True)
    ]
    assert 0.75 < statistics.pstdev(errors) < 1.25
    assert sum(abs(error) < 2 for error in errors) / PLAYERS > 0.9


def test_everybody_is_known_well_after_so_many_games(population):
    _, ratings, _ = population
    assert not any(rating.is_provisional for rating in ratings)

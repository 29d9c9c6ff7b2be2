"""Ratings of a simulated population with known strengths."""

import math
import random
import statistics

import pytest

from antipodes.web.ratings.glicko import PERIOD
from antipodes.web.ratings.pool_ratings import UserRating

PLAYERS, ROUNDS = 120, 60
SPREAD = 250  # standard deviation of strengths, as among players of a club
NEARNESS = 300  # standard deviation of the noise by which players are paired
DRAWS = 0.2  # share of draws in the points of the weaker player


def expected_points(player, opponent):
    """Return the score that two ratings predict, by Glickman's formula for future games."""
    spread = math.hypot(player.deviation, opponent.deviation)
    weight = 1 / math.sqrt(1 + 3 * (spread * math.log(10) / 400 / math.pi) ** 2)
    return 1 / (1 + 10 ** (weight * (opponent.value - player.value) / 400))


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0] * len(values)
    for rank, index in enumerate(order):
        found[index] = rank
    return found


@pytest.fixture(scope="module")
def population():
    """Simulate rounds in which all play an opponent of similar rating, with a few draws.

    Returns strengths, ratings, and pairs of expected and scored points.
    """
    rng = random.Random(11)
    strengths = [rng.gauss(1500, SPREAD) for _ in range(PLAYERS)]
    ratings = [UserRating() for _ in range(PLAYERS)]
    forecasts = []
    for number in range(ROUNDS):
        at = number * PERIOD // 10
        order = sorted(
            range(PLAYERS), key=lambda one: ratings[one].rating.value + rng.gauss(0, NEARNESS)
        )
        for one, other in zip(order[::2], order[1::2], strict=True):
            wins = 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400))
            # Draws do not change the expected points.
            draws = DRAWS * min(wins, 1 - wins)
            random_value = rng.random()
            points = (
                1.0
                if random_value < wins - draws / 2
                else 0.5
                if random_value < wins + draws / 2
                else 0.0
            )
            before = ratings[one].at(at), ratings[other].at(at)
            if number >= 15:
                forecasts.append((expected_points(*before), points))
            ratings[one], ratings[other] = (
                ratings[one].after([(before[1], points)], at),
                ratings[other].after([(before[0], 1 - points)], at),
            )
    return strengths, [one.rating for one in ratings], forecasts


def test_ratings_rank_players_by_strength(population):
    strengths, ratings, _ = population
    correlation = statistics.correlation(ranks(strengths), ranks([one.value for one in ratings]))
    assert correlation > 0.93


def test_expected_points_match_scored_points(population):
    *_, forecasts = population
    forecasts = sorted([*forecasts, *((1 - one, 1 - points) for one, points in forecasts)])
    size = len(forecasts) // 8
    for first in range(0, 8 * size, size):
        some = forecasts[first : first + size]
        expected = statistics.fmean(one for one, _ in some)
        scored = statistics.fmean(points for _, points in some)
        # Glicko rates games one by one, so it is not exact even with many games.
        assert scored == pytest.approx(expected, abs=0.05)


def test_deviations_match_the_errors(population):
    strengths, ratings, _ = population
    # Only differences of ratings have a meaning, so remove the mean.
    middle = statistics.fmean(one.value for one in ratings) - statistics.fmean(strengths)
    errors = [
        (rating.value - middle - strength) / rating.deviation
        for rating, strength in zip(ratings, strengths, strict=True)
    ]
    assert 0.75 < statistics.pstdev(errors) < 1.25
    assert sum(abs(error) < 2 for error in errors) / PLAYERS > 0.9


def test_ratings_are_established_after_many_games(population):
    _, ratings, _ = population
    assert not any(rating.is_provisional for rating in ratings)

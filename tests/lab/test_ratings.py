"""Laws of ratings: known values, coverage of intervals, error rates of the test, by simulation."""

import math

import numpy as np
import pytest

from antipodes.lab.ratings import (
    PAIR_SCORES,
    ContestVerdict,
    SequentialTest,
    Tally,
    difference,
    effective_games,
    elo_of,
    rate,
    score_of,
)
from tests.thorough import repetitions


def tally_of(pairs):
    """Return a tally with the given numbers of pairs and no draws."""
    points = sum(2 * score * count for score, count in zip(PAIR_SCORES, pairs, strict=True))
    games = 2 * sum(pairs)
    a, b, c, d, e = map(int, pairs)
    return Tally(wins=int(points), losses=int(games - points), pairs=(a, b, c, d, e))


def drawn(chance, score, pairs):
    """Return a random tally of pairs of independent games without draws."""
    wins = chance.binomial(2, score, size=pairs)
    counts = np.bincount(wins, minlength=3)
    return tally_of((counts[0], 0, counts[1], 0, counts[2]))


@pytest.mark.parametrize(
    ("score", "elo"), [(0.5, 0.0), (0.75, 190.85), (10 / 11, 400.0), (0.64, 99.95), (0.99, 798.25)]
)
def test_scores_and_differences_go_together(score, elo):
    assert elo_of(score) == pytest.approx(elo, abs=0.01)
    assert elo_of(1 - score) == pytest.approx(-elo, abs=0.01)
    assert score_of(elo_of(score)) == pytest.approx(score)


def test_a_clean_score_is_an_infinite_difference():
    assert elo_of(1.0) == math.inf
    assert elo_of(0.0) == -math.inf


def test_independent_games_count_as_they_are():
    assert effective_games(tally_of((25, 0, 50, 0, 25))) == pytest.approx(200, rel=0.01)
    assert effective_games(tally_of((0, 0, 0, 0, 50))) == 100


def test_even_pairs_say_more_and_pairs_of_a_kind_say_less_than_independent_games():
    assert effective_games(tally_of((5, 0, 90, 0, 5))) > 800
    assert effective_games(tally_of((50, 0, 0, 0, 50))) == pytest.approx(100, rel=0.02)
    assert effective_games(tally_of((0, 0, 3, 0, 0))) < 20


def test_a_clean_score_still_has_an_interval():
    found = difference(tally_of((0, 0, 0, 0, 50)))
    assert found.elo == found.high == math.inf
    assert 500 < found.low < 600
    assert found.superiority > 0.999999


def test_the_two_sides_see_the_same_difference():
    pairs = (3, 4, 10, 8, 15)
    one = difference(Tally(40, 20, 20, pairs))
    other = difference(Tally(20, 20, 40, pairs[::-1]))
    assert one.elo == pytest.approx(-other.elo)
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))
    assert one.superiority == pytest.approx(1 - other.superiority)


def test_no_games_say_nothing():
    found = difference(Tally())
    assert (found.elo, found.low, found.high) == (0.0, -math.inf, math.inf)
    assert found.superiority == 0.5


@pytest.mark.parametrize("elo", [0, 150, 500])
def test_the_interval_holds_the_truth_in_about_95_of_100_cases(elo):
    chance = np.random.default_rng(5)
    held = 0
    for _ in range(1_000):
        found = difference(drawn(chance, score_of(elo), 50))
        held += found.low <= elo <= found.high
    assert 925 <= held <= 980


def test_the_interval_holds_the_truth_where_pairs_are_correlated():
    # Half of the openings decide both games for one seat, so that their pairs are even.
    chance = np.random.default_rng(6)
    held = 0
    truth = 0.5 * 0.5 + 0.5 * 0.7
    for _ in range(1_000):
        even = chance.binomial(50, 0.5)
        wins = np.bincount(chance.binomial(2, 0.7, size=50 - even), minlength=3)
        found = difference(tally_of((wins[0], 0, wins[1] + even, 0, wins[2])))
        held += found.low <= elo_of(truth) <= found.high
    assert 925 <= held <= 980


def test_games_and_pairs_are_counted():
    tally = Tally().with_game(1.0).with_game(0.5).with_pair(1.5).with_game(0.0)
    assert tally == Tally(1, 1, 1, (0, 0, 0, 1, 0))
    assert tally.points == 1.5
    assert tally.score == 0.5


def test_the_ratio_is_that_of_the_multinomial_where_only_two_scores_happen():
    # With results at 0 and 1 alone the likeliest distribution is (1 - s, s).
    test = SequentialTest(0, 200)
    tally = tally_of((10, 0, 0, 0, 30))
    s0, s1 = score_of(0), score_of(200)
    expected = 30 * math.log(s1 / s0) + 10 * math.log((1 - s1) / (1 - s0))
    assert test.ratio(tally) == pytest.approx(expected, abs=0.02)


def test_the_ratio_agrees_with_the_normal_approximation_for_many_pairs():
    test = SequentialTest(0, 10)
    tally = tally_of((400, 0, 1000, 0, 480))
    scores, counts = np.array(PAIR_SCORES), np.array(tally.pairs)
    count = counts.sum()
    mean = counts @ scores / count
    variance = counts @ (scores - mean) ** 2 / count
    s0, s1 = score_of(0), score_of(10)
    approximate = count * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert test.ratio(tally) == pytest.approx(approximate, rel=0.02)


def test_bounds_are_walds():
    assert SequentialTest(0, 5).bounds == pytest.approx((-2.944, 2.944), abs=1e-3)


def test_before_the_first_pair_nothing_is_said():
    test = SequentialTest(0, 50)
    assert test.ratio(Tally()) == 0.0
    assert test.verdict(Tally(wins=1)) is ContestVerdict.OPEN
    assert test.verdict(tally_of((0, 0, 0, 0, 1))) is ContestVerdict.OPEN


def test_a_test_that_cannot_end_is_refused():
    with pytest.raises(ValueError, match="must be below"):
        SequentialTest(10, 10)


@pytest.mark.parametrize(
    ("truth", "wrong"), [(0, ContestVerdict.STRONGER), (120, ContestVerdict.NOT_STRONGER)]
)
def test_the_sequential_test_errs_about_as_rarely_as_it_promises(truth, wrong):
    chance = np.random.default_rng(11)
    test = SequentialTest(0, 120)
    errors = 0
    games = repetitions(80, 200)
    for _ in range(games):
        counts = np.zeros(3, np.int64)
        verdict = ContestVerdict.OPEN
        while verdict is ContestVerdict.OPEN:
            for wins in chance.binomial(2, score_of(truth), size=8):
                counts[wins] += 1
            verdict = test.verdict(tally_of((counts[0], 0, counts[1], 0, counts[2])))
        errors += verdict is wrong
    assert errors <= 0.085 * games  # 5 % are promised, and chance adds a few


def test_ratings_of_two_players_are_their_difference():
    found = rate({("strong", "weak"): (750.0, 1_000)})
    assert list(found) == ["strong", "weak"]
    gap = found["strong"].elo - found["weak"].elo
    assert gap == pytest.approx(elo_of(0.75), abs=1.5)
    assert found["strong"].games == 1_000


def test_bradley_and_terry_agree_with_a_published_fit():
    # Baseball, American League East 1987: wins of home and away games together, from Agresti,
    # Categorical Data Analysis (1990), table 10.10; with its ratings relative to Baltimore.
    teams = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
    wins = {
        "Milwaukee": (0, 7, 9, 7, 7, 9, 11),
        "Detroit": (6, 0, 7, 5, 11, 9, 9),
        "Toronto": (4, 6, 0, 7, 7, 8, 12),
        "New York": (6, 8, 6, 0, 6, 7, 10),
        "Boston": (6, 2, 6, 7, 0, 7, 12),
        "Cleveland": (4, 4, 5, 6, 6, 0, 6),
        "Baltimore": (2, 4, 1, 3, 1, 7, 0),
    }
    points = {}
    for i, first in enumerate(teams):
        for j in range(i + 1, len(teams)):
            own, other = wins[first][j], wins[teams[j]][i]
            points[first, teams[j]] = (100.0 * own, 100 * (own + other))
    found = rate(points)
    published = {
        "Milwaukee": 1.581,
        "Detroit": 1.436,
        "Toronto": 1.294,
        "New York": 1.248,
        "Boston": 1.108,
        "Cleveland": 0.684,
        "Baltimore": 0.0,
    }
    per_elo = math.log(10) / 400
    for team, ability in published.items():
        gap = (found[team].elo - found["Baltimore"].elo) * per_elo
        assert gap == pytest.approx(ability, abs=0.01)


def test_errors_of_ratings_shrink_with_the_root_of_the_games():
    few = rate({("a", "b"): (60.0, 100), ("b", "c"): (55.0, 100)})
    many = rate({("a", "b"): (6_000.0, 10_000), ("b", "c"): (5_500.0, 10_000)})
    for name in "abc":
        assert 9 < few[name].error / many[name].error < 11
        assert abs(few[name].elo - many[name].elo) < few[name].error
    # One standard error of a score of .6 in 100 games is .049, or 35 Elo.
    pair = rate({("a", "b"): (60.0, 100)})
    assert 2 * pair["a"].error == pytest.approx(35.4, abs=0.5)


def test_a_player_who_lost_everything_has_a_finite_rating():
    found = rate({("a", "b"): (50.0, 50)})
    assert math.isfinite(found["b"].elo)
    assert found["a"].elo - found["b"].elo > 300


def test_tallies_add_up():
    one = Tally(wins=3, draws=1, losses=2, pairs=(0, 1, 0, 1, 1))
    other = Tally(wins=1, losses=4, pairs=(1, 0, 1, 0, 0))
    both = Tally(wins=4, draws=1, losses=6, pairs=(1, 1, 1, 1, 1))
    assert one + other == both
    assert sum([one, other]) == both
    assert sum([one, other], Tally()) == both
    assert sum([]) + Tally() == Tally()
    with pytest.raises(TypeError):
        one + 1  # type: ignore[operator]

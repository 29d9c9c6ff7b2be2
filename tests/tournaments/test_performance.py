"""Performance ratings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.tournaments import Pairing, performance_rating, performances

RATINGS = st.integers(600, 2_800)
POINTS = st.sampled_from([0.0, 0.5, 1.0])


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ([(1_500, 0.5)], 1_500),
        ([(1_400, 1), (1_600, 0)], 1_500),
        ([(1_500, 1), (1_500, 1), (1_500, 1), (1_500, 0)], 1_691),  # 400 * log10(3) more
        ([(1_500, 1), (1_700, 1)], 2_400),
        ([(1_500, 0)], 700),
    ],
)
def test_the_performance_is_the_rating_that_expects_the_score(results, expected):
    assert performance_rating(results) == pytest.approx(expected, abs=1)


def test_a_player_without_results_has_no_performance():
    assert performance_rating([]) is None


@given(st.lists(st.tuples(RATINGS, POINTS), min_size=1, max_size=9))
def test_a_better_result_never_lowers_the_performance(results):
    rating, _ = results[0]
    losses = [(rating, 0.0), *results[1:]]
    wins = [(rating, 1.0), *results[1:]]
    found = [performance_rating(one) or 0 for one in (losses, results, wins)]
    assert found == sorted(found)


def test_byes_forfeits_playoffs_and_larger_tables_do_not_count():
    ratings = {1: 1_600, 2: 1_500, 3: 1_400}
    pairings = [
        Pairing(1, 1, 2, (1.0, 0.0)),
        Pairing(1, 3, None, (1.0, 0.0)),
        Pairing(2, 3, 1, (1.0, 0.0), is_forfeit=True),
        Pairing(3, 3, 1, (1.0, 0.0), is_playoff=True),
        Pairing(4, 1, 2, (1.0, 0.0, 0.0), others=(3,)),
        Pairing(5, 1, 3),
    ]
    assert performances(ratings, pairings) == {1: 2_300, 2: 800}

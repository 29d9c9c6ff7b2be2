"""Pairing of seekers."""

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.games.registry import game_ids
from antipodes.web.matchmaking.pairing import Seeker, pair_up, reach
from antipodes.web.matchmaking.presets import BOARDS, CLOCKS, DEFAULT_CLOCK, preset_game
from antipodes.web.ratings.classes import board_class_of, board_classes
from tests.cases import for_each


@st.composite
def pools(draw, most=7):
    """Generate seekers of one pool, blocked pairs, and whether the game is rated."""
    count = draw(st.integers(0, most))
    seekers = [
        Seeker(
            key=number,
            user=draw(st.integers(0, 2 * most)),
            rating=draw(st.integers(1_000, 2_000)),
            deviation=draw(st.integers(30, 350)),
            waited=draw(st.integers(0, 40_000)),
            is_guest=draw(st.booleans()),
        )
        for number in range(count)
    ]
    users = st.integers(0, 2 * most)
    barred = draw(st.sets(st.tuples(users, users), max_size=6))
    return seekers, barred, draw(st.booleans())


def paired(pool):
    seekers, barred, is_rated = pool
    return pair_up(
        seekers,
        is_live=True,
        is_rated=is_rated,
        is_barred=lambda one, other: (one, other) in barred,
    )


def users_in(pairs):
    return [seeker for pair in pairs for seeker in pair]


@given(pools(most=30))
def test_each_seeker_is_in_one_pair_at_most(pool):
    users = [seeker.user for seeker in users_in(paired(pool))]
    assert len(users) == len(set(users))


@given(pools(most=30))
def test_blocked_players_are_never_paired(pool):
    for one, other in paired(pool):
        assert not {(one.user, other.user), (other.user, one.user)} & pool[1]


@given(pools(most=30))
def test_guests_are_not_paired_for_rated_games(pool):
    if pool[2]:
        assert not any(seeker.is_guest for seeker in users_in(paired(pool)))


@given(pools(most=30))
def test_differences_are_within_reach(pool):
    for one, other in paired(pool):
        reaches = [reach(seeker, is_live=True) for seeker in (one, other)]
        assert abs(one.rating - other.rating) <= sum(reaches) / 2


@given(pools(most=30))
def test_pairs_do_not_depend_on_the_order_of_seekers(pool):
    seekers, *rest = pool
    assert paired(pool) == paired((seekers[::-1], *rest))


def choices(pairs):
    """Return all ways to choose some of these pairs in which no user is in two pairs."""
    if not pairs:
        return [()]
    first, rest = pairs[0], pairs[1:]
    users = {seeker.user for seeker in first}
    apart = [pair for pair in rest if not users & {seeker.user for seeker in pair}]
    return [*choices(rest), *((first, *more) for more in choices(apart))]


@given(pools(most=6))
def test_no_other_choice_is_better(pool):
    assert_best(pool)


@for_each("seed", range(100))
def test_no_other_choice_is_better_where_most_seekers_fit(seed):
    chance = Random(seed)
    seekers = [
        Seeker(
            key=number,
            user=chance.randrange(8),
            rating=chance.randint(1_400, 1_700),
            deviation=350,
            waited=chance.randrange(4),
        )
        for number in range(chance.randint(3, 6))
    ]
    assert_best((seekers, set(), False))


def assert_best(pool):
    seekers, barred, is_rated = pool
    fitting = [
        pair
        for pair in combinations(seekers, 2)
        if paired((list(pair), barred, is_rated))  # two alone are paired if they fit
    ]
    order = sorted(seekers, key=lambda seeker: (-seeker.waited, seeker.key))

    def worth(choice):
        inside = users_in(choice)
        return (
            [seeker not in inside for seeker in order],
            sum(abs(one.rating - other.rating) for one, other in choice),
        )

    assert worth(paired(pool)) == min(worth(choice) for choice in choices(fitting))


@given(st.integers(30, 350), st.integers(0, 10**7), st.integers(1, 10**7), st.booleans())
def test_the_reach_grows_with_the_waiting_time(deviation, waited, more, is_live):
    first, later = (
        reach(Seeker(key=0, user=0, rating=1500, deviation=deviation, waited=time), is_live=is_live)
        for time in (waited, waited + more)
    )
    assert first < later


def test_after_ninety_seconds_live_seekers_accept_any_rating():
    weak, strong = (
        Seeker(key=rating, user=rating, rating=rating, deviation=50, waited=90_000)
        for rating in (1_000, 2_000)
    )
    assert pair_up([weak, strong], is_live=True, is_rated=True) == [(weak, strong)]
    assert not pair_up([weak, strong], is_live=False, is_rated=True)


@given(st.integers(0, 40), st.integers(0, 40))
def test_a_fitting_pair_is_found_among_many_seekers(one, other):
    far = [Seeker(key=n, user=n, rating=10_000 * n, deviation=50, waited=10 * n) for n in range(40)]
    twins = [
        Seeker(key=n, user=n, rating=5_000, deviation=50, waited=10 * place + 5)
        for n, place in ((90, one), (91, other))
    ]
    [pair] = pair_up([*far, *twins], is_live=True, is_rated=True)
    assert set(pair) == set(twins)


@pytest.mark.parametrize("game_id", game_ids())
def test_every_class_of_boards_has_one_board_of_that_class(game_id):
    assert set(BOARDS[game_id]) == set(board_classes(game_id))
    for board in BOARDS[game_id]:
        assert board_class_of(preset_game(game_id, board)) is board


def test_there_are_no_unlimited_seeks():
    assert DEFAULT_CLOCK in CLOCKS
    assert "unlimited" not in CLOCKS

"""Laws of leagues: divisions, promotion and relegation, from season to season."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antipodes.errors import InputError
from antipodes.tournaments import Crosstable, EventState
from antipodes.tournaments.league import League, divisions, movers, order_after_season
from tests.thorough import repetitions
from tests.tournaments.simulation import decided

few = settings(max_examples=repetitions(25, 300), deadline=None)
SIZES = st.integers(4, 16)


def season(kind, count, seed):
    """Return the state of a season after its last round."""
    rng = random.Random(seed)
    event = EventState(range(1, count + 1), (), kind.usual_tie_breaks)
    for number in range(1, kind.rounds_for(count) + 1):
        event = replace(event, pairings=[*event.pairings, *decided(kind.pair(event, number), rng)])
    assert kind.pair(event, kind.rounds_for(count) + 1) == []
    return event


@few
@given(st.integers(2, 100), SIZES)
def test_divisions_have_about_the_same_size_and_the_stronger_players_are_higher(count, size):
    found = divisions(range(1, count + 1), size)
    assert [one for division in found for one in division] == list(range(1, count + 1))
    sizes = [len(one) for one in found]
    assert max(sizes) - min(sizes) <= 1
    assert 2 <= min(sizes) <= max(sizes) <= size


@few
@given(st.integers(2, 60), st.integers(0, 2**32), st.integers(1, 2))
def test_all_players_of_a_division_meet_and_no_others(count, seed, cycles):
    kind = League(division_size=8, cycles=cycles)
    event = season(kind, count, seed)
    met = Counter(frozenset((one.first, one.second)) for one in event.pairings if one.second)
    assert met == {
        frozenset(pair): cycles
        for division in kind.divisions_of(event.players)
        for pair in combinations(division, 2)
    }
    ranks = [row.player for row in kind.table(event)]
    assert set(ranks) == set(event.players)
    for division in kind.divisions_of(event.players):
        assert set(ranks[: len(division)]) == set(division)
        ranks = ranks[len(division) :]


@few
@given(st.integers(2, 100), SIZES, st.integers(1, 4), st.randoms(use_true_random=False))
def test_as_many_go_up_as_go_down_and_none_further_than_one_division(count, size, moved, rng):
    tables = [rng.sample(one, len(one)) for one in divisions(range(1, count + 1), size)]
    up, down = movers(tables, moved)
    assert [len(one) for one in up[1:]] == [len(one) for one in down[:-1]]
    assert not up[0]
    assert not down[-1]
    for at, table in enumerate(tables):
        assert set(up[at]) <= set(table[: len(table) // 2])
        assert set(down[at]) <= set(table[len(table) // 2 :])
    order = order_after_season(tables, moved)
    assert sorted(order) == list(range(1, count + 1))
    before = {player: at for at, table in enumerate(tables) for player in table}
    for at, table in enumerate(tables):
        here, order = order[: len(table)], order[len(table) :]
        assert all(abs(before[player] - at) <= 1 for player in here)
        # Those who came down stand first, those who came up last.
        assert [before[player] for player in here] == sorted(before[player] for player in here)


def test_the_best_of_the_second_division_changes_places_with_the_last_of_the_first():
    assert order_after_season([[3, 1, 2, 4], [8, 5, 6, 7]], 1) == [3, 1, 2, 8, 4, 5, 6, 7]
    kind = League(division_size=4, moved=1)
    event = season(kind, 8, 1)
    first, second = kind.parts(event)
    assert isinstance(first, Crosstable)
    assert isinstance(second, Crosstable)
    assert (set(first.down), set(second.up)) == (
        {first.rows[-1].player},
        {second.rows[0].player},
    )
    assert not first.up
    assert not second.down


def test_a_player_who_has_withdrawn_does_not_go_up():
    kind = League(division_size=4, moved=1)
    event = season(kind, 8, 1)
    best = kind.table(event)[4].player
    assert kind.order_of_next(event)[3] == best
    event = replace(event, withdrawn={best})
    assert kind.order_of_next(event)[-1] == best


def test_more_players_than_a_division_has_cannot_move():
    with pytest.raises(InputError, match="in a division of 6 at most 2 can go up and down"):
        League(division_size=6, moved=3)

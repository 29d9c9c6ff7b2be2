"""Laws of groups with a final, for events of all sizes with random results."""

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from antipodes.tournaments import Crosstable, EventState
from antipodes.tournaments.groups import Groups
from tests.thorough import repetitions
from tests.tournaments.simulation import decided

few = settings(max_examples=repetitions(12, 300), deadline=None)
FORMATS = st.builds(
    Groups,
    group_size=st.integers(3, 8),
    promoted=st.integers(1, 4),
    final=st.sampled_from(["knockout", "round-robin"]),
    cycles=st.integers(1, 2),
)


def played(kind, count, seed, withdrawals=0.0):
    """Return the state of an event after its last round."""
    rng = random.Random(seed)
    event = EventState(range(1, count + 1), (), kind.usual_tie_breaks)
    for number in range(1, kind.rounds_for(count) + 2):
        made = kind.pair(event, number)
        if not made:
            return event
        assert {one.round for one in made} == {number}
        gone = set(event.withdrawn) | {one for one in event.active if rng.random() < withdrawals}
        event = replace(event, pairings=[*event.pairings, *decided(made, rng)], withdrawn=gone)
    raise AssertionError("the event does not end")


def of_groups(kind, event):
    """Return the pairings of the groups, and those of the final."""
    last = kind.rounds_of_groups(len(event.players))
    before = [one for one in event.pairings if one.round <= last]
    return before, [one for one in event.pairings if one.round > last]


def members(pairings):
    return {player for one in pairings for player in (one.first, one.second) if player}


@few
@given(FORMATS, st.integers(2, 40), st.integers(0, 2**32))
def test_all_players_of_a_group_meet_and_no_others(kind, count, seed):
    event = played(kind, count, seed)
    before, _ = of_groups(kind, event)
    met = Counter(frozenset((one.first, one.second)) for one in before if one.second)
    expected = Counter(
        frozenset(pair)
        for group in kind.groups_of(event.players)
        for pair in combinations(group, 2)
        for _ in range(kind.cycles)
    )
    assert met == expected
    sizes = [len(group) for group in kind.groups_of(event.players)]
    assert 2 <= min(sizes) <= max(sizes) <= kind.group_size
    assert max(sizes) - min(sizes) <= 1


@few
@given(FORMATS, st.integers(2, 40), st.integers(0, 2**32))
def test_the_first_ones_of_each_group_play_the_final(kind, count, seed):
    event = played(kind, count, seed)
    _, final = of_groups(kind, event)
    tables = [one.rows for one in kind.parts(event) if isinstance(one, Crosstable)]
    tables = tables[-len(kind.groups_of(event.players)) :]
    expected = {row.player for rows in tables for row in rows[: kind.promoted]}
    if len(expected) > 1:
        assert members(final) == expected
        assert {row.player for row in kind.table(event)[: len(expected)]} == expected
    assert kind.table(event)[0].rank == 1


@few
@given(FORMATS, st.integers(8, 64), st.integers(0, 2**32))
def test_players_of_a_group_do_not_meet_in_the_first_round_of_a_knockout(kind, count, seed):
    kind = replace(kind, final="knockout")
    event = played(kind, count, seed)
    _, final = of_groups(kind, event)
    group_of = {
        player: at for at, group in enumerate(kind.groups_of(event.players)) for player in group
    }
    if len(set(group_of.values())) > 1:
        for one in final:
            if one.second and one.round == final[0].round:
                assert group_of[one.first] != group_of[one.second]


@few
@given(FORMATS, st.integers(2, 40), st.integers(0, 2**32))
def test_players_who_have_withdrawn_do_not_go_on_and_the_final_stays_the_same(kind, count, seed):
    event = played(kind, count, seed, withdrawals=0.05)
    _, final = of_groups(kind, event)
    if not final:
        return
    first = [one for one in final if one.round == final[0].round]
    assert members(final) == members(first)
    if kind.final == "round-robin":
        pairs = Counter(frozenset((one.first, one.second)) for one in final if one.second)
        assert pairs == Counter(frozenset(pair) for pair in combinations(members(first), 2))


def test_results_of_groups_are_fixed_when_the_final_is_paired():
    kind = Groups(group_size=4, promoted=2)
    assert kind.rounds_of_groups(8) == 3
    assert not kind.is_built_on(8, 1, 3)
    assert kind.is_built_on(8, 1, 4)
    assert kind.is_built_on(8, 4, 5)
    assert not replace(kind, final="round-robin").is_built_on(8, 4, 5)

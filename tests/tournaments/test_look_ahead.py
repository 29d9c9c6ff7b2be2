"""Laws of Swiss events to their last round: none breaks off while its rounds can be paired."""

import random
from collections import Counter
from dataclasses import dataclass, replace
from itertools import combinations

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antipodes.errors import InputError
from antipodes.tournaments import History, Pairing
from antipodes.tournaments.look_ahead import Rest, cheapest_first
from antipodes.tournaments.swiss import Swiss, pair_swiss
from tests.thorough import repetitions
from tests.tournaments.simulation import decided

few = settings(max_examples=repetitions(40, 600), deadline=None)


@dataclass
class Played:
    """An event that is over: the players of each round, those at the end, and all pairings."""

    active: list[list[int]]
    left: list[int]
    pairings: list[Pairing]
    planned: int

    @property
    def rounds(self):
        return max(one.round for one in self.pairings)


def played(count, rounds, seed, *, leave=0.0, late=0, forfeits=False):
    """Play an event until it is over or cannot go on; ``late`` players enter before round 2."""
    rng = random.Random(seed)
    planned = Swiss(rounds=rounds).rounds_for(count)
    players = list(range(1, count + 1))
    event = Played([], players, [], planned)
    for number in range(1, planned + 1):
        try:
            made = pair_swiss(players, event.pairings, number, planned)
        except InputError:
            return event
        event.active.append(players)
        event.pairings += [
            one if forfeits or one.second is None else replace(one, is_forfeit=False)
            for one in decided(made, rng)
        ]
        players = [one for one in players if rng.random() >= leave]
        if number == 1:
            players += range(count + 1, count + 1 + late)
        event.left = players
        if len(players) < 2:
            return event
    return event


def can_be_paired(players, pairings):
    """Tell by another algorithm whether a round without rematches is possible."""
    met = {frozenset(one.players) for one in pairings if one.second and not one.is_forfeit}
    graph = nx.Graph(pair for pair in combinations(players, 2) if frozenset(pair) not in met)
    if len(players) % 2:
        free = {one: History(pairings).free_wins(one) for one in players}
        graph.add_edges_from((one, 0) for one in players if free[one] == min(free.values()))
    most = nx.max_weight_matching(graph, maxcardinality=True)
    return 2 * len(most) == len(players) + len(players) % 2


def check(event):
    """Check that players are paired once a round, without rematches, and byes go round."""
    met = Counter(
        frozenset(one.players) for one in event.pairings if one.second and not one.is_forfeit
    )
    assert max(met.values(), default=0) <= 1, "no two players meet twice"
    for number, players in enumerate(event.active, start=1):
        made = [one for one in event.pairings if one.round == number]
        assert sorted(player for one in made for player in one.players) == sorted(players)
        before = History(one for one in event.pairings if one.round < number)
        least = min(map(before.free_wins, players))
        byes = [one.first for one in made if one.second is None]
        assert all(before.free_wins(one) == least for one in byes), "byes go round"


@pytest.mark.parametrize("count", range(4, 41))
def test_an_event_of_any_size_has_all_of_its_rounds(count):
    for seed in range(repetitions(12 if count < 9 else 1, 60 if count < 9 else 6)):
        event = played(count, 0, seed)
        assert event.rounds == event.planned, f"seed {seed}"
        check(event)


@pytest.mark.parametrize("count", [4, 5, 6, 7, 8, 9, 10, 12])
def test_as_many_rounds_as_a_round_robin_can_be_chosen(count):
    for seed in range(repetitions(10, 100)):
        event = played(count, 30, seed)
        assert event.rounds == event.planned == count - 1 + count % 2, f"seed {seed}"
        check(event)


@pytest.mark.slow
@pytest.mark.parametrize(("count", "rounds"), [(20, 19), (40, 30)])
def test_a_large_event_has_as_many_rounds_as_are_chosen(count, rounds):
    event = played(count, rounds, seed=1)
    assert event.rounds == event.planned == rounds
    check(event)


@few
@given(
    st.integers(4, 40),
    st.integers(0, 10_000),
    st.sampled_from([0.0, 0.05, 0.2]),
    st.integers(0, 4),
    st.booleans(),
)
def test_an_event_with_withdrawals_and_late_entries_ends_only_when_it_must(
    count, seed, leave, late, forfeits
):
    event = played(count, 0, seed, leave=leave, late=late, forfeits=forfeits)
    check(event)
    if event.rounds < event.planned and len(event.left) > 1:
        assert not can_be_paired(event.left, event.pairings)
        assert len(event.left) < 2 * event.planned


def test_withdrawals_that_leave_rounds_possible_do_not_end_the_event():
    for seed in range(repetitions(20, 200)):
        event = played(7, 0, seed)
        rest = [one for one in event.active[-1] if one != 1 + seed % 7]
        before = [one for one in event.pairings if one.round < 3]
        made = pair_swiss(rest, before, 3, 4)
        after = [*before, *decided(made, random.Random(seed))]
        assert pair_swiss(rest, after, 4, 4), f"seed {seed}"


def test_the_players_who_can_still_meet_are_counted_exactly():
    """Six players whose remaining pairs are two triangles have no further round."""
    two_triangles = [(1, 2), (2, 3), (1, 3), (4, 5), (5, 6), (4, 6)]
    pairings = [
        Pairing(1, one, other, (1.0, 0.0))
        for one, other in combinations(range(1, 7), 2)
        if (one, other) not in two_triangles
    ]
    players = range(1, 7)
    assert Rest(players, History(pairings)).schedule(1) is None
    rest = Rest(players, History(pairings[:-1]))
    assert rest.schedule(1) is not None, "a pair between the triangles joins them"
    assert rest.schedule(2) is None


def test_matchings_come_with_the_lowest_costs_first():
    rng = random.Random(5)
    costs = {pair: rng.randrange(100) for pair in combinations(range(1, 7), 2)}
    found = [
        (sum(costs[one] for one in pairs), frozenset(map(frozenset, pairs)))
        for pairs in cheapest_first(costs)
    ]
    assert [cost for cost, _ in found] == sorted(cost for cost, _ in found)
    assert len({pairs for _, pairs in found}) == len(found) == 15

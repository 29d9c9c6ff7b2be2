"""Laws of double elimination, for events of all sizes with random results."""

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antipodes.errors import InputError
from antipodes.tournaments import Bracket, EventState, History
from antipodes.tournaments.double_elimination import (
    DoubleElimination,
    pair_double_elimination,
    rounds_of_double_elimination,
)
from antipodes.tournaments.knockout import rounds_of_knockout
from tests.thorough import repetitions

FORMAT = DoubleElimination()
few = settings(max_examples=repetitions(10, 300), deadline=None)


def played(count, wins):
    """Return an event that is played to its end; ``wins`` tells whether the first player wins."""
    event = EventState(range(1, count + 1), rounds=FORMAT.rounds_for(count))
    for number in range(1, (event.rounds or 0) + 2):
        made = FORMAT.pair(event, number)
        if not made:
            return event
        decided = [
            one if one.second is None else replace(one, points=(1.0, 0.0) if wins(one) else (0, 1))
            for one in made
        ]
        event = replace(event, pairings=[*event.pairings, *decided])
    raise AssertionError("the event does not end")


def games(event):
    return [one for one in event.pairings if one.second is not None]


def by_chance(seed):
    rng = random.Random(seed)
    return lambda one: rng.random() < 0.5


EVENTS = st.builds(played, st.integers(2, 256), st.integers(0, 2**32).map(by_chance))


@few
@given(EVENTS)
def test_each_player_is_out_after_the_second_loss(event):
    losses: Counter[int] = Counter()
    for one in games(event):
        assert max(losses[one.first], losses[one.second]) < 2
        losses[one.opponent_of(one.winner)] += 1
    count = len(event.players)
    undefeated = count - len(losses)
    assert sorted(losses.values(), reverse=True)[: count - 1] == [2] * (count - 1)
    assert undefeated + sum(one == 1 for one in losses.values()) == 1
    assert len(games(event)) == 2 * count - 1 - undefeated
    winner, second, *_ = FORMAT.table(event)
    assert losses[winner.player] < 2
    assert (winner.rank, second.rank) == (1, 2)
    assert {winner.player, second.player} == {games(event)[-1].first, games(event)[-1].second}


@few
@given(EVENTS)
def test_each_player_is_paired_once_in_a_round_until_out(event):
    losses: Counter[int] = Counter()
    for number in range(1, event.rounds + 1):
        made = [one for one in event.pairings if one.round == number]
        paired = [player for one in made for player in (one.first, one.second) if player]
        assert len(set(paired)) == len(paired)
        # The second grand final is played only if both players have lost once.
        assert made or number == event.rounds
        losses.update(one.opponent_of(one.winner) for one in made if one.second)


@few
@given(EVENTS)
def test_players_who_have_met_meet_again_late(event):
    met = set()
    for one in games(event):
        pair = frozenset((one.first, one.second))
        if pair in met:
            assert one.round > rounds_of_knockout(len(event.players))
        met.add(pair)


@few
@given(st.integers(2, 256))
def test_if_favourites_win_the_best_two_meet_in_the_winners_and_in_the_grand_final(count):
    event = played(count, lambda one: one.first < one.second)
    assert event.pairings[-1].round == event.rounds - 1
    assert {event.pairings[-1].first, event.pairings[-1].second} == {1, 2}
    places = [row.player for row in FORMAT.table(event)]
    assert places[:4] == [1, 2, 3, 4][:count]


@few
@given(st.integers(2, 64), st.integers(0, 2**32), st.integers(0, 12))
def test_brackets_show_every_pairing_also_in_the_middle_of_an_event(count, seed, rounds):
    event = played(count, by_chance(seed))
    event = replace(event, pairings=[one for one in event.pairings if one.round <= rounds])
    shown = [
        (column.number, frozenset(one for one in pair if one))
        for part in FORMAT.parts(event)
        if isinstance(part, Bracket)
        for column in part.rounds
        for pair in column.pairs
    ]
    for one in event.pairings:
        assert (one.round, frozenset({one.first, one.second} - {None})) in shown


@few
@given(EVENTS)
def test_a_player_has_a_seat_they_must_not_have_only_if_the_opponent_must_not_either(event):
    for one in games(event):
        before = History(earlier for earlier in event.pairings if earlier.round < one.round)
        first, second = map(before.due_seat, one.players)
        if first is False or second is True:
            assert first == second, f"round {one.round}: {one.players}"


@pytest.mark.parametrize("count", [8, 16, 64])
def test_the_seats_of_the_favourite_alternate(count):
    event = played(count, lambda one: one.first < one.second)
    seats = History(event.pairings).seats(1)
    assert len(seats) == rounds_of_knockout(count) + 1
    assert all(seat != later for seat, later in pairwise(seats))


def test_the_rounds_of_four_players():
    event = played(4, lambda one: (one.first < one.second) == (one.round != 4))
    assert [(one.round, one.first, one.second) for one in event.pairings] == [
        (1, 1, 4),
        (1, 3, 2),
        (2, 2, 1),
        (2, 4, 3),
        (3, 3, 2),
        (4, 2, 1),
        (5, 1, 2),
    ]


def test_an_undecided_pairing_is_named():
    first = pair_double_elimination([1, 2, 3, 4], [], 1)
    with pytest.raises(InputError, match="round 1: the pairing of 1 and 4 is not decided"):
        pair_double_elimination([1, 2, 3, 4], first, 2)
    with pytest.raises(InputError, match="round is 9"):
        pair_double_elimination([1, 2, 3, 4], first, 9)
    assert rounds_of_double_elimination(2) == 3

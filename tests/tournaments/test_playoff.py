"""Laws of playoffs: who plays them, what they decide, and that they count for nothing else."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.tournaments import Bracket, Crosstable, EventState, Pairing, TieBreak, make_format
from antipodes.tournaments.round_robin import RoundRobin
from antipodes.tournaments.swiss import Swiss
from tests.tournaments.simulation import decided

BREAKS = (TieBreak.PLAYOFF,)


def play(kind, count, seed, withdrawn=()):
    """Play an event of draws only, so that all are tied; the playoff is decided by chance."""
    rng = random.Random(seed)
    rounds = kind.rounds_for(count)
    event = EventState(range(1, count + 1), (), BREAKS, rounds=rounds)
    for number in range(1, 30):
        made = kind.pair(event, number)
        if not made:
            return event
        if number > rounds:
            event = replace(event, withdrawn=withdrawn)
            made = [replace(one, points=None) for one in made if one.second] + [
                one for one in made if not one.second
            ]
            played = decided(made, rng)
        else:
            played = [replace(one, points=(0.5, 0.5)) for one in made if one.second]
        event = replace(event, pairings=[*event.pairings, *played])
    raise AssertionError("the event never ends")


@pytest.mark.parametrize("kind", [RoundRobin(), Swiss(rounds=1)])
@given(count=st.sampled_from([2, 4, 6, 8]), seed=st.integers(0, 99))
def test_a_playoff_finds_one_winner_and_changes_no_points(kind, count, seed):
    event = play(kind, count, seed)
    rows = kind.table(event)
    assert [row.rank for row in rows[:2]] == [1, 2]
    assert {row.points for row in rows} == {0.5 * (event.rounds or 0)}
    bracket, crosstable = kind.parts(event)
    assert isinstance(crosstable, Crosstable)
    assert crosstable.rows == rows
    assert not any(one.is_playoff for one in crosstable.pairings)
    assert isinstance(bracket, Bracket)
    assert bracket.players == set(event.players)


def test_there_is_no_playoff_without_a_tie_or_unless_it_is_wanted():
    won = [Pairing(1, 1, 2, (1.0, 0.0))]
    drawn = [Pairing(1, 1, 2, (0.5, 0.5))]
    kind = RoundRobin()
    assert kind.pair(EventState([1, 2], won, BREAKS, rounds=1), 2) == []
    assert kind.pair(EventState([1, 2], drawn, (), rounds=1), 2) == []
    [one] = kind.pair(EventState([1, 2], drawn, BREAKS, rounds=1), 2)
    assert one.is_playoff
    assert one.needs_winner


def test_players_who_have_left_play_no_playoff():
    event = EventState([1, 2], [Pairing(1, 1, 2, (0.5, 0.5))], BREAKS, withdrawn=[2], rounds=1)
    assert RoundRobin().pair(event, 2) == []


def test_only_round_robins_and_swiss_events_have_playoffs():
    assert make_format("swiss").has_playoff
    assert not make_format("knockout").has_playoff

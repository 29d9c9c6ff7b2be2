"""Laws of the formats that take thousands of players, for events of any size from 2 to 2,000."""

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from antipodes.tournaments import EventState, History, Pairing, make_format
from tests.thorough import repetitions
from tests.tournaments.simulation import decided

MOST = 2_000
ROUNDS = 2
SEATS = {"tables": [[0], [1], [2]]}
SIZES = st.integers(2, repetitions(300, MOST))


def rounds_of(name, count, seed):
    """Yield the pairings of the first rounds of an event, and the history with their results."""
    format_, rng = make_format(name), random.Random(seed)
    history: list[Pairing] = []
    total = format_.rounds_for(count)
    # The second round of a large rolling Swiss is matched as that of a Swiss event is.
    most = repetitions(1, ROUNDS) if (name, count) == ("rolling-swiss", MOST) else ROUNDS
    for number in range(1, min(most, count - 1, total or most) + 1):
        event = EventState(range(1, count + 1), history, rounds=total, sides=SEATS.get(name, ()))
        pairings = format_.pair(event, number)
        history = [*history, *decided(pairings, rng)]
        yield pairings, history


@pytest.mark.parametrize(
    "name", ["swiss", "rolling-swiss", "arena", "knockout", "double-elimination"]
)
@settings(max_examples=repetitions(1, 30), deadline=None)
@given(SIZES, st.integers(0, 999))
@example(2, 0)
@example(MOST, 0)
def test_each_round_of_an_event_of_any_size_is_valid(name, count, seed):
    met: set[frozenset[int | None]] = set()
    byes = []
    for pairings, history in rounds_of(name, count, seed):
        players = [player for one in pairings for player in one.players]
        assert len(players) == len(set(players)), "no player is paired twice"
        assert set(players) <= set(range(1, count + 1))
        number = pairings[0].round
        if number == 1 or name == "swiss":
            assert len(players) == count, "all play"
        byes += [one.first for one in pairings if one.second is None]
        if name in {"swiss", "rolling-swiss"}:
            pairs = {frozenset(one.players) for one in pairings if one.second}
            assert not pairs & met, "no two players meet twice"
            met |= {
                frozenset(one.players) for one in history if one.round == number and one.is_played
            }
            so_far = History(history)
            leads = (abs(so_far.lead(player)) for player in range(1, count + 1))
            assert max(leads) <= 2, "seats stay in balance"
    if name == "swiss":
        assert len(byes) == len(set(byes)), "no player has two byes"

"""Laws of the rolling Swiss: no second meeting, seats in balance, and its end."""

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from antipodes.tournaments import EventState, Pairing
from antipodes.tournaments.rolling_swiss import RollingSwiss, pair_rolling
from tests.thorough import repetitions

few = settings(max_examples=repetitions(10, 100))


def play(count, games, seed, withdrawals=0):
    """Return all pairings of an event in which games end one by one, in any order."""
    rng = random.Random(seed)
    kind = RollingSwiss(games_each=games)
    players = list(range(1, count + 1))
    done: list[Pairing] = []
    playing: list[Pairing] = []
    gone: set[int] = set()
    for number in range(1, count * games + 10):
        state = EventState(players, [*done, *playing], withdrawn=gone)
        made = kind.pair(state, number)
        if not made and not kind.waits(state):
            return done
        playing += made
        for _ in range(rng.randint(1, 3)):
            if playing:
                one = playing.pop(rng.randrange(len(playing)))
                points = rng.choice([(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)])
                done.append(Pairing(one.round, one.first, one.second, points))
        if len(gone) < withdrawals and rng.random() < 0.2:
            gone.add(rng.choice(players))
    raise AssertionError("the event never ends")


@given(st.integers(2, 24), st.integers(1, 7), st.integers(0, 3), st.integers(0, 999))
def test_no_players_meet_twice_and_seats_stay_in_balance(count, games, withdrawals, seed):
    done = play(count, games, seed, withdrawals)
    pairs = [frozenset((one.first, one.second)) for one in done]
    assert len(set(pairs)) == len(pairs)
    lead: Counter[int] = Counter()
    played: Counter[int] = Counter()
    for one in done:
        lead.update({one.first: 1, one.second: -1})
        played.update((one.first, one.second))
    assert all(abs(lead[player]) <= 2 for player in lead)
    assert all(played[player] <= games for player in played)


@few
@given(st.integers(16, 30), st.integers(0, 999))
def test_almost_all_players_of_a_large_event_play_all_their_games(count, seed):
    played: Counter[int | None] = Counter()
    for one in play(count, 4, seed):
        played.update((one.first, one.second))
    assert sum(played[player] < 4 for player in range(1, count + 1)) <= 4


def test_players_far_apart_wait_until_one_is_patient():
    pairings = [
        Pairing(1, 1, 2, (1.0, 0.0)),
        Pairing(1, 3, 4, (1.0, 0.0)),
        Pairing(2, 3, 1, (0.0, 1.0)),
        Pairing(2, 2, 4, (1.0, 0.0)),
    ]
    assert pair_rolling([1, 4], pairings, 3, games=5) == []
    [one] = pair_rolling([1, 4], pairings, 3, games=5, patient=[4])
    assert set(one.players) == {1, 4}


def test_all_players_begin_at_once_also_in_a_large_event():
    assert len(pair_rolling(range(1, 501), [], 1, games=5)) == 250

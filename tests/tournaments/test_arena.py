"""Arenas: players who are free are paired with others of about equal points."""

import random

from hypothesis import given
from hypothesis import strategies as st

from antipodes.tournaments import History, Pairing
from antipodes.tournaments.arena import arena_points, arena_standings, pair_arena


@given(st.integers(2, 60), st.integers(0, 2**32))
def test_players_are_paired_once_and_not_with_their_last_opponent(count, seed):
    rng = random.Random(seed)
    found: list[Pairing] = []
    for number in range(1, 6):
        free = [one for one in range(1, count + 1) if rng.random() < 0.8]
        pairings = pair_arena(free, found, number)
        paired = [one for game in pairings for one in (game.first, game.second)]
        assert len(set(paired)) == len(paired)
        assert set(paired) <= set(free)
        history = History(found)
        for game in pairings:
            first, second = game.first, game.second or 0
            theirs = [history.games(one) for one in (first, second)]
            assert not all(theirs) or theirs[0][-1] != theirs[1][-1]
        if number == 1:
            assert len(free) - len(paired) == len(free) % 2
        points = [rng.choice([(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)]) for _ in pairings]
        found += [
            Pairing(number, game.first, game.second, result)
            for game, result in zip(pairings, points, strict=True)
        ]


def test_the_last_opponent_is_met_again_only_by_patient_players():
    played = [Pairing(1, 1, 2, (1, 0))]
    assert pair_arena([1, 2], played, 2) == []
    assert pair_arena([1, 2], played, 2, patient=[1]) == []
    (again,) = pair_arena([1, 2], played, 2, patient=[1, 2])
    assert (again.first, again.second) == (2, 1)  # seats in turn


def test_points_count_double_after_two_wins_in_a_row():
    results = [(1, 0), (1, 0), (1, 0), (0.5, 0.5), (1, 0), (0, 1)]
    games = [Pairing(number, 1, 2, points) for number, points in enumerate(results, start=1)]
    assert arena_points(History(games), 1) == 2 + 2 + 4 + 2 + 2
    assert arena_points(History(games), 2) == 1 + 2
    assert [(one.rank, one.player) for one in arena_standings([1, 2, 3], games)] == [
        (1, 1),
        (2, 2),
        (3, 3),
    ]


def test_a_large_arena_pairs_everyone():
    pairings = pair_arena(range(1, 501), [], 1)
    assert len(pairings) == 250

"""Laws of Swiss pairings, for events of all sizes with random results, forfeits and withdrawals."""

from dataclasses import replace
from functools import partial
from itertools import combinations, groupby

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antipodes.errors import InputError
from antipodes.tournaments import History, Pairing
from antipodes.tournaments.swiss import pair_swiss
from tests.thorough import repetitions
from tests.tournaments.simulation import swiss_event

EVENTS = st.builds(
    swiss_event,
    st.integers(10, 30),
    st.integers(1, 6),
    st.integers(0, 10_000),
    accelerated=st.booleans(),
    withdrawals=st.sampled_from([0.0, 0.1]),
)
LARGE = [(49, 3), (130, 6), (301, 3)]
few = settings(max_examples=repetitions(6, 60), deadline=None)


def games(pairings):
    """Return the two players of each pairing; no player has a bye."""
    assert all(one.second for one in pairings)
    return [(one.first, one.second or 0) for one in pairings]


def check_laws(rounds, history):
    """Check all that holds in every round of an event."""
    met = set()
    for players, pairings in rounds:
        paired = [one for pair in pairings for one in (pair.first, pair.second) if one]
        assert sorted(paired) == players, "each player is paired once"
        free = [one.first for one in pairings if one.second is None]
        assert len(free) == len(players) % 2
        number = pairings[0].round
        before = History(one for one in history if one.round < number)
        least = min(map(before.free_wins, players))
        assert all(before.free_wins(one) == least for one in free), "byes go round"
        for one in history:
            if one.round == number and one.is_played:
                pair = frozenset((one.first, one.second))
                assert pair not in met, "no two players meet twice"
                met.add(pair)


@few
@given(EVENTS)
def test_no_rematch_and_no_second_bye(event):
    check_laws(*event)


@pytest.mark.parametrize(("count", "rounds"), LARGE)
def test_large_events_hold_the_same_laws(count, rounds):
    event = swiss_event(count, rounds, seed=count)
    check_laws(*event)
    history = History(event[1])
    leads = [abs(history.lead(player)) for player in range(1, count + 1)]
    assert max(leads) <= 2, "seats stay in balance"
    assert sum(lead > 1 for lead in leads) <= count / 6, "most differ by one at most"


def longest_run(history, player):
    """Return how often a player had the same seat in a row."""
    return max((len(list(run)) for _, run in groupby(history.seats(player))), default=0)


@pytest.mark.parametrize("count", [50, 64, 77, 101])
def test_no_player_of_a_large_event_has_a_seat_three_times_in_a_row(count):
    for seed in range(repetitions(3, 20)):
        history = History(swiss_event(count, 9, seed)[1])
        for player in range(1, count + 1):
            assert longest_run(history, player) <= 2, f"player {player}, seed {seed}"
            assert abs(history.lead(player)) <= 2


def can_keep_seats(players, history):
    """Tell by another algorithm whether all can meet so that each has the seat that is due."""
    graph = nx.Graph(
        (one, other)
        for one, other in combinations(players, 2)
        if not history.have_met(one, other) and history.may_sit_together(one, other)
    )
    if len(players) % 2:
        least = min(map(history.free_wins, players))
        graph.add_edges_from((one, 0) for one in players if history.free_wins(one) == least)
    most = nx.max_weight_matching(graph, maxcardinality=True)
    return 2 * len(most) == len(players) + len(players) % 2


SIZES = [(12, 6), (15, 6), (20, 7), (33, 6), (48, 5), (49, 6), (64, 7), (101, 8), (128, 7)]


@pytest.mark.parametrize(("count", "rounds"), SIZES)
@pytest.mark.parametrize("withdrawals", [0.0, 0.05])
def test_events_of_all_sizes_give_each_player_the_seat_that_is_due(count, rounds, withdrawals):
    """Rounds without a game, such as byes, do not end a row of the same seat."""
    for seed in range(repetitions(2 if count < 30 else 1, 20)):
        played, pairings = swiss_event(count, rounds, seed, withdrawals=withdrawals)
        for number, (players, made) in enumerate(played, start=1):
            before = History(one for one in pairings if one.round < number)
            wrong = [
                (one, player)
                for one in made
                if one.second
                for player in one.players
                if before.due_seat(player) not in {None, player == one.first}
            ]
            assert not wrong or not can_keep_seats(players, before), f"seed {seed}"


def test_a_lost_forfeit_is_no_win_without_a_game_and_a_won_one_is():
    forfeit = partial(Pairing, is_forfeit=True)
    history = [
        Pairing(1, 1, 2, (1.0, 0.0)),
        forfeit(1, 4, 3, (1.0, 0.0)),
        Pairing.of(1, 5, None),
        forfeit(2, 1, 4, (1.0, 0.0)),
        Pairing(2, 3, 5, (1.0, 0.0)),
        Pairing.of(2, 2, None),
    ]
    assert [History(history).free_wins(player) for player in range(1, 6)] == [1, 1, 0, 1, 1]
    *_, bye = pair_swiss(range(1, 6), history, 3, 4)
    assert (bye.first, bye.second) == (3, None)


@pytest.mark.parametrize("count", [8, 60])
def test_in_the_first_round_the_upper_half_meets_the_lower_half(count):
    pairings = pair_swiss(range(1, count + 1), [], 1, 5)
    assert all(abs(one - other) == count // 2 for one, other in games(pairings))


@pytest.mark.parametrize("count", [8, 60])
def test_players_with_equal_points_meet(count):
    first = pair_swiss(range(1, count + 1), [], 1, 5)
    history = [Pairing(1, one.first, one.second, (1.0, 0.0)) for one in first]
    points = History(history).points
    for one, other in games(pair_swiss(range(1, count + 1), history, 2, 5)):
        assert points(one) == points(other)


@pytest.mark.parametrize("count", [8, 60])
def test_accelerated_leaders_meet_earlier(count):
    pairings = pair_swiss(range(1, count + 1), [], 1, 5, accelerated=True)
    half = count // 2
    assert all((one <= half) == (other <= half) for one, other in games(pairings))


@pytest.mark.parametrize("count", [8, 64])
def test_acceleration_is_one_point_in_two_rounds_and_none_later(count):
    """It is not FIDE's Baku acceleration, which goes on with half a point."""
    players, half = range(1, count + 1), count // 2
    first = pair_swiss(players, [], 1, 6, accelerated=True)
    history = [replace(one, points=(1.0, 0.0)) for one in first]
    score = {one: History(history).points(one) + (one <= half) for one in players}
    second = pair_swiss(players, history, 2, 6, accelerated=True)
    assert all(score[one] == score[other] for one, other in games(second))
    history += [replace(one, points=(1.0, 0.0)) for one in second]
    assert pair_swiss(players, history, 3, 6, accelerated=True) == pair_swiss(
        players, history, 3, 6
    )


def test_a_forfeit_is_no_meeting():
    history = [Pairing(1, 1, 2, (1.0, 0.0), is_forfeit=True)]
    (again,) = pair_swiss([1, 2], history, 2, 2)
    assert {again.first, again.second} == {1, 2}


def test_an_event_that_cannot_go_on_is_an_error():
    history = [Pairing(1, 1, 2, (1.0, 0.0))]
    with pytest.raises(InputError, match="2 players cannot be paired without a second game"):
        pair_swiss([1, 2], history, 2, 2)


@pytest.mark.parametrize(
    ("players", "number", "message"),
    [
        ([1], 1, "1 players are too few: at least 2"),
        ([1, 2, 2], 1, "different numbers from 1; 2 is not"),
        ([0, 1], 1, "different numbers from 1; 0 is not"),
        ([1, 2], 6, "round is 6, but has to be from 1 to 5"),
    ],
)
def test_wrong_arguments_are_refused(players, number, message):
    with pytest.raises(InputError, match=message):
        pair_swiss(players, [], number, 5)

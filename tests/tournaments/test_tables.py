"""Laws of tables of three and four: byes, seats, partners and repeated meetings."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from antipodes.errors import InputError
from antipodes.tournaments import EventState, Pairing, standings
from antipodes.tournaments.standings import TieBreak
from antipodes.tournaments.tables import Tables, pair_tables
from tests.thorough import repetitions

THREE, FOUR = ((0,), (1,), (2,)), ((0,), (1,), (2,), (3,))
TEAMS = ((0, 2), (1, 3))
few = settings(max_examples=repetitions(12, 100))


def played(players, rounds, sides, draw=None):
    """Return all pairings of an event; winners are drawn, or the first seats win."""
    done: list[Pairing] = []
    for number in range(1, rounds + 1):
        for one in pair_tables(players, done, number, rounds, sides):
            winners = sides[draw(len(sides)) if draw else 0]
            points = tuple(float(seat in winners) for seat in range(len(one.players)))
            done.append(
                Pairing(number, one.first, one.second, points, others=one.others)
                if one.is_played
                else Pairing(number, one.first, None, (1 / len(sides), 0.0))
            )
    return done


def seat_counts(done):
    return Counter((p, seat) for one in done if one.second for seat, p in enumerate(one.players))


def meetings(done):
    return Counter(frozenset(pair) for one in done for pair in combinations(one.players, 2))


@few
@given(
    count=st.integers(4, 30),
    rounds=st.integers(1, 6),
    sides=st.sampled_from([THREE, FOUR, TEAMS]),
    seed=st.randoms(use_true_random=False),
)
def test_every_round_seats_each_player_once_and_byes_differ_by_one(count, rounds, sides, seed):
    players = list(range(1, count + 1))
    done = played(players, rounds, sides, seed.randrange)
    seats = sum(map(len, sides))
    byes = Counter(dict.fromkeys(players, 0))
    for number in range(1, rounds + 1):
        here = [one for one in done if one.round == number]
        assert sorted(p for one in here for p in one.players) == players
        assert {len(one.players) for one in here} <= {1, seats}
        assert sum(len(one.players) == 1 for one in here) == count % seats
        byes.update(one.first for one in here if one.second is None)
    assert max(byes.values()) - min(byes.values()) <= 1
    counts = seat_counts(done)
    for player in players:
        had = [counts[player, seat] for seat in range(seats)]
        assert max(had) - min(had) <= 2


@few
@given(count=st.integers(6, 24), sides=st.sampled_from([THREE, FOUR]), rounds=st.integers(2, 6))
def test_no_exchange_of_two_players_makes_repeated_meetings_fewer(count, sides, rounds):
    done = played(list(range(1, count + 1)), rounds, sides)
    before = meetings([one for one in done if one.round < rounds])
    tables = [list(one.players) for one in done if one.round == rounds and one.second]

    def repeated():
        return sum(before[frozenset(pair)] for one in tables for pair in combinations(one, 2))

    now = repeated()
    for one, other in combinations(tables, 2):
        for at in range(len(one)):
            for to in range(len(other)):
                one[at], other[to] = other[to], one[at]
                assert repeated() >= now
                one[at], other[to] = other[to], one[at]


@pytest.mark.parametrize(
    ("count", "sides", "rounds"), [(9, THREE, 4), (16, FOUR, 4), (15, THREE, 4)]
)
def test_no_players_meet_twice_where_that_is_possible(count, sides, rounds):
    done = played(list(range(1, count + 1)), rounds, sides)
    assert max(meetings(done).values()) == 1


def test_four_players_have_each_partner_once_in_three_rounds():
    done = played([1, 2, 3, 4], 3, TEAMS)
    partners = {frozenset((one.players[at], one.players[at + 2])) for one in done for at in (0, 1)}
    assert len(partners) == 6


def test_seats_rotate():
    counts = seat_counts(played([1, 2, 3], 6, THREE))
    assert set(counts.values()) == {2}
    assert len(counts) == 9


def test_a_large_round_is_paired():
    players = list(range(1, 2_001))
    tables = pair_tables(players, [], 1, 4, FOUR)
    assert len(tables) == 500


def test_points_count_for_all_seats_and_wins_break_ties():
    pairings = [
        Pairing(1, 1, 2, (0.0, 0.0, 1.0), others=(3,)),
        Pairing(2, 2, 3, (1 / 3, 1 / 3, 1 / 3), others=(1,)),
    ]
    rows = standings([1, 2, 3], pairings, [TieBreak.WINS])
    assert [(row.player, round(row.points, 2), row.values) for row in rows] == [
        (3, 1.33, (1.0,)),
        (1, 0.33, (0.0,)),
        (2, 0.33, (0.0,)),
    ]


def test_too_few_players_cannot_be_paired():
    with pytest.raises(InputError, match="at least 4"):
        pair_tables([1, 2, 3], [], 1, 1, FOUR)


def test_the_format_plays_its_rounds_and_a_bye_counts_an_equal_share():
    event = EventState(players=[1, 2, 3, 4], sides=THREE)
    kind = Tables(rounds=2)
    assert [len(one.players) for one in kind.pair(event, 1)] == [3, 1]
    assert kind.pair(event, 3) == []
    assert kind.bye(3) == 1 / 3
    assert Tables(score="chart").bye(3) == 1

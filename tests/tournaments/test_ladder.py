"""Laws of ladders: places after games, inactivity, and who may challenge whom."""

from hypothesis import given
from hypothesis import strategies as st

from antipodes.tournaments import EventState, Pairing
from antipodes.tournaments.ladder import (
    Ladder,
    challenge_pairing,
    opponents,
    order_after_drop,
    order_after_win,
)

ORDERS = st.permutations(range(1, 13))
PLAYERS = st.lists(st.integers(1, 12), min_size=2, max_size=2, unique=True)


@given(ORDERS, PLAYERS)
def test_a_winner_from_below_takes_the_place_of_the_loser(order, pair):
    winner, loser = pair
    found = order_after_win(order, winner, loser)
    assert sorted(found) == sorted(order)
    if order.index(winner) < order.index(loser):
        assert found == list(order)
    else:
        assert found.index(winner) == order.index(loser)
        assert found.index(loser) == order.index(loser) + 1
    others = [one for one in order if one != winner]
    assert [one for one in found if one != winner] == others


@given(ORDERS, st.integers(1, 12), st.integers(1, 20))
def test_an_inactive_player_drops_and_all_others_keep_their_order(order, player, places):
    found = order_after_drop(order, player, places)
    assert found.index(player) == min(order.index(player) + places, len(order) - 1)
    assert [one for one in found if one != player] == [one for one in order if one != player]


@given(ORDERS, st.integers(1, 12), st.integers(1, 20), st.lists(PLAYERS, max_size=4))
def test_players_challenge_only_free_players_within_reach(order, player, reach, playing):
    games = [Pairing(number, *pair) for number, pair in enumerate(playing, start=1)]
    busy = {one for pair in playing for one in pair}
    found = opponents(order, games, player, reach)
    assert player not in busy or found == []
    for one in found:
        assert 1 <= order.index(player) - order.index(one) <= reach
        assert one not in busy
    if not busy:
        assert len(found) == min(reach, order.index(player))


def test_the_last_opponent_cannot_be_challenged_again_at_once():
    games = [Pairing(1, 1, 2, (1.0, 0.0))]
    assert opponents([1, 2, 3], games, 2, 3) == []
    games.append(Pairing(2, 3, 2, (0.0, 1.0)))
    assert opponents([1, 2, 3], games, 2, 3) == [1]


def test_the_first_seat_is_for_who_had_it_less_often():
    assert challenge_pairing([], 2, 1) == Pairing(1, 1, 2)
    games = [Pairing(1, 1, 2, (1.0, 0.0))]
    assert challenge_pairing(games, 2, 1) == Pairing(2, 2, 1)


def test_the_table_follows_the_places_and_those_who_left_are_last():
    event = EventState([1, 2, 3], (), places={3: 1, 1: 2})
    assert [row.player for row in Ladder().table(event)] == [3, 1, 2]

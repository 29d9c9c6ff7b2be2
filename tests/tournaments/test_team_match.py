"""Laws of team matches: boards in order, seats in balance, and the score of the teams."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.errors import InputError
from antipodes.tournaments import EventState, Pairing, TeamTable
from antipodes.tournaments.team_match import GUESTS, HOME, TeamMatch, lineups, pair_teams

TEAMS = st.lists(st.sampled_from([HOME, GUESTS]), min_size=2, max_size=40).map(
    lambda teams: dict(enumerate(teams, start=1))
)


@given(TEAMS, st.integers(1, 50))
def test_each_board_has_a_player_of_both_teams_and_the_stronger_ones_play_higher(teams, boards):
    found = lineups(list(teams), teams, boards)
    sizes = Counter(teams.values())
    assert len(found) == min(boards, sizes[HOME], sizes[GUESTS])
    for home, guest in found:
        assert (teams[home], teams[guest]) == (HOME, GUESTS)
    for side in (0, 1):
        numbers = [pair[side] for pair in found]
        assert numbers == sorted(numbers)
        others = [one for one in teams if teams[one] == side + 1 and one not in numbers]
        assert not numbers or all(one > numbers[-1] for one in others)


@given(TEAMS, st.integers(1, 50))
def test_seats_are_in_balance_between_teams_and_exchanged_in_the_second_round(teams, boards):
    first, second = (pair_teams(list(teams), teams, boards, number, 2) for number in (1, 2))
    homes = sum(teams[one.first] == HOME for one in first)
    assert 0 <= 2 * homes - len(first) <= 1
    assert [(one.first, one.second) for one in second] == [(one.second, one.first) for one in first]


def test_the_points_of_the_players_are_those_of_their_teams():
    kind = TeamMatch(boards=2)
    teams = {1: HOME, 2: GUESTS, 3: GUESTS, 4: HOME, 5: HOME}
    event = EventState(range(1, 6), (), teams=teams)
    made = kind.pair(event, 1)
    assert made == [Pairing(1, 1, 2), Pairing(1, 3, 4)]
    event = replace(
        event, pairings=[replace(made[0], points=(0.5, 0.5)), replace(made[1], points=(1.0, 0.0))]
    )
    assert kind.pair(event, 2) == []
    (score,) = kind.parts(event)
    assert isinstance(score, TeamTable)
    assert score.points == {HOME: 0.5, GUESTS: 1.5}
    assert [(row.rank, row.player, row.points) for row in kind.table(event)] == [
        (1, 3, 1.0),
        (2, 2, 0.5),
        (3, 1, 0.5),
        (4, 4, 0.0),
        (4, 5, 0.0),
    ]
    with pytest.raises(InputError, match="round is 3"):
        pair_teams(range(1, 6), teams, 2, 3, 1)

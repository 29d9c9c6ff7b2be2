"""Points of places, and tables of seasons."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.tournaments import season_standings
from antipodes.tournaments.seasons import POINTS, place_points

EVENTS = st.lists(st.integers(0, 9), min_size=1, max_size=20)


def ranks_of(scores):
    """Return the ranks of players with some scores; equal scores share a rank."""
    return {
        player: 1 + sum(other > score for other in scores) for player, score in enumerate(scores)
    }


@given(EVENTS)
def test_an_event_gives_away_all_points_of_its_places(scores):
    found = place_points(ranks_of(scores))
    assert sum(found.values()) == pytest.approx(sum(POINTS[: len(scores)]))


@given(EVENTS)
def test_a_better_place_never_has_fewer_points(scores):
    ranks = ranks_of(scores)
    found = place_points(ranks)
    for one in ranks:
        for other in ranks:
            assert found[one] >= found[other] or ranks[one] > ranks[other]


def test_players_are_ranked_by_points_and_then_by_first_places():
    events = [{1: 1, 2: 2, 3: 3}, {1: 3, 3: 1, 4: 2}, {2: 1, 3: 1}]
    rows = season_standings(events)
    assert [(row.rank, row.player, row.points, row.events, row.wins) for row in rows] == [
        (1, 3, 25.0, 3, 2),
        (2, 2, 17.0, 2, 1),
        (3, 1, 16.0, 2, 1),
        (4, 4, 8.0, 1, 0),
    ]
    assert season_standings([]) == []

"""Queries for a player's finished matches."""

import pytest

from antipodes.web.archive.finished_games import count_finished, last_finished, private_watched_by
from antipodes.web.archive.models import GameRow, PlayerRow
from antipodes.web.clubs import membership
from antipodes.web.clubs import services as clubs
from antipodes.web.lobby.selectors import lobby_lists
from antipodes.web.matches.access import visible_to
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.selectors import own_matches
from tests.web.archive.conftest import resign

pytestmark = pytest.mark.django_db

MOVES = ("a1", "b1")


@pytest.fixture
def world(finish, people):
    """Play public, private and club matches, one against oneself, and one not yet archived."""
    ann, bob, cy, dee = people
    club = clubs.create_club(ann, clubs.ClubDetails(name="Club"))
    membership.join(club, dee)
    kinds = [
        ((ann, bob), False, None),
        ((ann, bob), True, None),
        ((bob, cy), True, club),
        ((ann, ann), False, None),
        ((bob, ann), True, club),
        ((cy, ann), False, None),
        ((bob, ann), False, None),
    ]
    for number, (users, is_private, of_club) in enumerate(kinds):
        row = finish(size=3, moves=MOVES, by=resign, users=users, is_private=is_private)
        at = 1_700_000_000_000 + number // 2 * 1_000
        MatchRow.objects.filter(pk=row.pk).update(club=of_club, ended_at=at)
        GameRow.objects.filter(pk=row.pk).update(ended_at=at)
        PlayerRow.objects.filter(game=row.pk).update(ended_at=at)
    GameRow.objects.latest("pk").delete()
    return people


def test_watchable_private_games_agree_with_visibility(world):
    for user in world:
        visible = MatchRow.objects.filter(visible_to(user), is_private=True, archived__isnull=False)
        watched = MatchRow.objects.filter(pk__in=private_watched_by(user))
        assert set(watched) == set(visible)
    counts = [MatchRow.objects.filter(pk__in=private_watched_by(user)).count() for user in world]
    assert counts == [3, 3, 1, 2]


def test_viewers_see_the_count_and_the_last_of_visible_matches(world):
    for person in world:
        for viewer in (None, *world):
            visible = MatchRow.objects.filter(visible_to(viewer), seats__user=person).distinct()
            assert count_finished(person, viewer) == visible.count()
            ends = sorted((row.ended_at or 0 for row in visible), reverse=True)
            for most in (2, 12):
                shown = list(last_finished(person, viewer, most))
                assert set(shown) <= set(visible)
                assert [row.ended_at for row in shown] == ends[:most]


def test_the_lobby_lists_the_same_finished_matches(world):
    for person in world:
        shown = [line.row for line in lobby_lists(person).finished]
        assert set(shown) == set(MatchRow.objects.filter(seats__user=person))
        assert len(set(shown)) == len(shown)
        assert own_matches(person) == []

"""Laws of somebody's finished matches: all that whoever looks may see, the latest first."""

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
    """Public and private matches, those of a club, of one against oneself, and one unfiled."""
    ann, bob, cy, dee = people
    club = clubs.found(ann, clubs.Plan(name="Club"))
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


def test_private_games_that_somebody_may_watch_are_those_that_are_visible(world):
    for user in world:
        plain = MatchRow.objects.filter(visible_to(user), is_private=True, archived__isnull=False)
        watched = MatchRow.objects.filter(pk__in=private_watched_by(user))
        assert set(watched) == set(plain)
    counts = [MatchRow.objects.filter(pk__in=private_watched_by(user)).count() for user in world]
    assert counts == [3, 3, 1, 2]


def test_finished_matches_are_counted_and_shown_as_far_as_they_may_be_seen(world):
    for person in world:
        for viewer in (None, *world):
            plain = MatchRow.objects.filter(visible_to(viewer), seats__user=person).distinct()
            assert count_finished(person, viewer) == plain.count()
            ends = sorted((row.ended_at or 0 for row in plain), reverse=True)
            for most in (2, 12):
                shown = list(last_finished(person, viewer, most))
                assert set(shown) <= set(plain)
                assert [row.ended_at for row in shown] == ends[:most]


def test_the_lobby_shows_the_same_matches_as_finished(world):
    for person in world:
        shown = [line.row for line in lobby_lists(person).finished]
        assert set(shown) == set(MatchRow.objects.filter(seats__user=person))
        assert len(set(shown)) == len(shown)
        assert own_matches(person) == []

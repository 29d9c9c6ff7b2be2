"""Queries for a player's finished matches."""

import pytest

from antipodes.clocks import HOUR
from antipodes.records import Reason, Result
from antipodes.web.archive.finished_games import (
    count_finished,
    last_finished,
    outcomes_of,
    private_watched_by,
)
from antipodes.web.archive.models import GameRow, PlayerRow
from antipodes.web.clubs import membership
from antipodes.web.clubs import services as clubs
from antipodes.web.lobby.selectors import lobby_lists
from antipodes.web.matches.access import visible_to
from antipodes.web.matches.models import MatchRow
from antipodes.web.matches.selectors import own_matches
from antipodes.web.ratings.models import RatingChange
from tests.web.archive.conftest import abort, resign

pytestmark = pytest.mark.django_db

MOVES = ("a1", "b1")
Outcome = RatingChange.Outcome


@pytest.fixture
def world(finish, people, ann, bob, cy, dee):
    """Play public, private and club matches, one against oneself, and one not yet archived."""
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


def test_outcomes_are_the_same_before_and_after_archiving(finish, ann, bob, cy):
    lost = finish(size=3, moves=MOVES, by=resign, users=(ann, bob))
    won = finish(size=3, moves=MOVES, by=resign, users=(bob, ann))
    both = finish(size=3, moves=MOVES, by=resign, users=(ann, ann))
    aborted = finish(size=3, by=abort, users=(ann, bob))
    others = finish(size=3, moves=MOVES, by=resign, users=(bob, cy))
    rows = [lost, won, both, aborted, others]
    expected = {lost.pk: Outcome.LOST, won.pk: Outcome.WON}
    assert outcomes_of(ann, rows) == expected
    GameRow.objects.filter(pk__in=(won.pk, both.pk)).delete()
    assert outcomes_of(ann, rows) == expected
    GameRow.objects.all().delete()
    assert outcomes_of(ann, rows) == expected
    assert outcomes_of(ann, []) == {}


def test_a_draw_is_an_outcome_of_both(finish, people):
    row = finish(size=3, moves=MOVES, by=resign)
    row.result = Result(None, Reason.AGREEMENT)
    assert outcomes_of(people[0], [row]) == outcomes_of(people[1], [row]) == {row.pk: Outcome.DREW}


@pytest.mark.parametrize(("delay", "count"), [(0, 2), (HOUR, 2), (HOUR + 1, 1)])
def test_matches_are_archived_within_an_hour_of_the_last_one(finish, people, delay, count):
    last = finish(size=3, moves=MOVES, by=resign)
    early = finish(size=3, moves=MOVES, by=resign)
    GameRow.objects.filter(pk=early.pk).delete()
    MatchRow.objects.filter(pk=early.pk).update(ended_at=(last.ended_at or 0) - delay)
    assert count_finished(people[0], None) == count
    assert len(last_finished(people[0], None, 5)) == count
    GameRow.objects.all().delete()
    assert count_finished(people[0], None) == 2

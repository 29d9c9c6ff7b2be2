"""When followers of players and matches are notified."""

import pytest

from antipodes.match import Play, Resign
from antipodes.web.matches.models import WatchRow
from antipodes.web.matches.services import carry_out
from antipodes.web.notifications import followers
from antipodes.web.notifications.kinds import Frequency
from antipodes.web.notifications.models import AnnouncedMatchRow, NotificationRow
from antipodes.web.relations import services as relations
from tests.web.notifications.conftest import HOUR

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("age", "is_told"), [(HOUR - 1, True), (HOUR, False)])
def test_a_match_is_announced_within_an_hour(slow, people, time, age, is_told):
    relations.follow(people[2], people[0])
    slow()
    time.forward(age)
    followers.notify_of_started_matches()
    assert NotificationRow.objects.filter(user=people[2]).exists() is is_told


@pytest.mark.parametrize(("age", "is_kept"), [(HOUR, True), (HOUR + 1, False)])
def test_announcements_are_forgotten_when_they_are_no_longer_due(slow, people, time, age, is_kept):
    relations.follow(people[2], people[0])
    slow()
    followers.notify_of_started_matches()
    assert AnnouncedMatchRow.objects.exists()
    time.forward(age)
    followers.notify_of_started_matches()
    assert AnnouncedMatchRow.objects.exists() is is_kept
    assert NotificationRow.objects.filter(user=people[2]).count() == 1


@pytest.mark.parametrize(("control", "is_mailed"), [("3d/move", True), ("5m+3s", False)])
def test_moves_of_live_games_are_not_mailed_to_spectators(
    slow, people, cy, prefer, time, control, is_mailed
):
    prefer(cy, Frequency.EACH, choices={"followed-plays": ["page", "mail"]})
    match = slow(control)
    watch = WatchRow.objects.create(user=cy, match=match, each_move=True)
    followers.notify_of_followed_matches()
    assert not NotificationRow.objects.filter(user=cy).exists()
    carry_out(match.slug, Play(seat=0, ply=0, key="12345678", move=5))
    followers.notify_of_followed_matches()
    told = NotificationRow.objects.get(user=cy)
    assert (told.by, told.arguments) == (people[0], {"act": "moved", "move": "f1"})
    assert (told.mail_due is not None) is is_mailed
    watch.refresh_from_db()
    assert (watch.notified_version, watch.is_done) == (1, False)


def test_the_end_replaces_the_last_move_and_ends_the_watch(slow, people, time):
    match, cy = slow(), people[2]
    watch = WatchRow.objects.create(user=cy, match=match, each_move=True)
    of_player = WatchRow.objects.create(user=people[1], match=match, each_move=True)
    carry_out(match.slug, Play(seat=0, ply=0, key="12345678", move=5))
    followers.notify_of_followed_matches()
    carry_out(match.slug, Resign(seat=1, ply=1, key="resign-1"))
    followers.notify_of_followed_matches()
    moved, over = NotificationRow.objects.filter(user=cy).order_by("pk")
    assert (moved.arguments["act"], moved.seen_at is None) == ("moved", False)
    assert (over.arguments, over.seen_at) == ({"act": "over"}, None)
    for one in (watch, of_player):
        one.refresh_from_db()
        assert one.is_done
    followers.notify_of_followed_matches()
    assert NotificationRow.objects.filter(kind="followed-plays").count() == 2

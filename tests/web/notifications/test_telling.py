"""Laws of telling: everybody once, by the ways they have chosen."""

import pytest

from antipodes.web.accounts.services import computer
from antipodes.web.notifications import services
from antipodes.web.notifications.kinds import Channel, Frequency, Kind
from antipodes.web.notifications.models import NotificationRow, PushSubscriptionRow
from antipodes.web.notifications.services import (
    mark_all_seen,
    mark_match_seen,
    mark_outdated_seen,
    mark_path_seen,
    mark_seen,
)

pytestmark = pytest.mark.django_db


def tell(*about, **more):
    """Tell somebody something."""
    return services.notify(*about, **more)


def test_telling_twice_tells_once(people):
    ann, bob, *_ = people
    first = tell(ann, Kind.INVITED, key="c", by=bob, path="/c/abc/", game="hex")
    assert first is not None
    assert tell(ann, Kind.INVITED, key="c", by=bob) is None
    assert NotificationRow.objects.get().arguments == {"game": "hex"}


def test_two_people_can_be_told_under_one_key(people):
    told = [tell(user, Kind.MODERATION, key="k") for user in people]
    assert all(told)


def test_the_computer_is_told_nothing(people):
    assert tell(computer("1"), Kind.MODERATION, key="k") is None


def test_somebody_whose_account_is_closed_is_told_nothing(people):
    people[0].is_active = False
    assert tell(people[0], Kind.MODERATION, key="k") is None


def test_what_nobody_wants_to_hear_is_not_kept(people, prefer):
    prefer(people[0], choices={"chat": []})
    assert tell(people[0], Kind.CHAT, key="k") is None
    assert not NotificationRow.objects.exists()


def test_nobody_can_choose_not_to_hear_the_moderators_on_the_site(people, prefer):
    prefer(people[0], choices={"moderation": []})
    told = tell(people[0], Kind.MODERATION, key="k")
    assert told.is_shown
    assert told.mail_due is None


def test_what_was_chosen_for_mail_alone_is_not_listed_on_the_site(people, prefer):
    prefer(people[0], choices={"invited": ["mail"]})
    told = tell(people[0], Kind.INVITED, key="k")
    assert not told.is_shown
    assert told.mail_due is not None


def test_live_games_send_no_mail(begin, people, slow, prefer):
    prefer(people[0], Frequency.EACH)
    live, by_days = slow("5m+3s"), slow("3d/move")
    assert tell(people[0], Kind.YOUR_TURN, key="1", match=live).mail_due is None
    assert tell(people[0], Kind.YOUR_TURN, key="2", match=by_days).mail_due is not None
    assert tell(people[0], Kind.YOUR_TURN, key="3", match=begin()).mail_due is not None


def test_guests_hear_on_the_site_alone(people):
    people[0].is_guest = True
    told = tell(people[0], Kind.INVITED, key="k")
    assert (told.is_shown, told.mail_due, told.push_due) == (True, None, None)


def test_without_a_mail_server_nothing_waits_to_be_mailed(people, settings):
    settings.MAIL_IS_SENT = False
    assert tell(people[0], Kind.INVITED, key="k").mail_due is None


def test_pushes_wait_only_for_those_with_a_browser_that_takes_them(people):
    ann, bob, *_ = people
    PushSubscriptionRow.objects.create(user=ann, endpoint="https://push.example/1", made_at=0)
    assert tell(ann, Kind.INVITED, key="k").push_due is not None
    assert tell(bob, Kind.INVITED, key="k").push_due is None


def test_a_quiet_notice_is_for_the_site_alone(people, prefer):
    prefer(people[0], choices={"invited": ["mail", "push"], "chat": ["page", "mail"]})
    assert tell(people[0], Kind.INVITED, key="k", is_quiet=True) is None
    assert tell(people[0], Kind.CHAT, key="k", is_quiet=True).mail_due is None


def test_what_is_seen_waits_no_longer(people):
    ann, bob, *_ = people
    for user in (ann, bob):
        told = tell(user, Kind.INVITED, key="k", path="/c/abc/")
        assert told.mail_due is not None
    assert mark_path_seen(ann, "/c/abc/") == 1
    assert mark_path_seen(ann, "/c/abc/") == 0
    mine, theirs = NotificationRow.objects.order_by("user")
    assert (mine.seen_at is not None, mine.mail_due) == (True, None)
    assert (theirs.seen_at is None, theirs.mail_due is None) == (True, False)


def test_nobody_sees_for_others(people):
    ann, bob, *_ = people
    told = tell(ann, Kind.INVITED, key="k")
    assert mark_seen(bob, [told.pk]) == 0
    assert mark_seen(ann, [told.pk]) == 1


def test_looking_at_a_match_sees_all_about_it(people, slow):
    one, other = slow(), slow()
    for number, match in enumerate((one, one, other)):
        tell(people[0], Kind.OFFER, key=str(number), match=match)
    assert mark_match_seen(people[0], one.pk) == 2
    assert mark_all_seen(people[0]) == 1


def test_a_turn_that_has_passed_is_settled_for_everybody(people, slow, time):
    match = slow()
    for user in people[:2]:
        tell(user, Kind.YOUR_TURN, key=f"old {user}", match=match)
        tell(user, Kind.CHAT, key="chat", match=match)
    time.forward(1_000)
    tell(people[1], Kind.YOUR_TURN, key="new", match=match)
    mark_outdated_seen({match.pk: time.at}, [Kind.YOUR_TURN])
    unseen = NotificationRow.objects.filter(seen_at=None).values_list("key", flat=True)
    assert sorted(unseen) == ["chat", "chat", "new"]


def test_the_usual_mail_waits_for_the_daily_digest(people, prefer):
    told = tell(people[0], Kind.INVITED, key="k")
    assert told.mail_due % 86_400_000 == 8 * 3_600_000
    assert Channel.MAIL not in prefer(people[0]).channels_for(Kind.CHAT)

"""Services that notify users, and mark notifications as seen."""

import pytest
from django.db.models import F

from antipodes.web.accounts.models import LanguageRow
from antipodes.web.accounts.services import computer
from antipodes.web.notifications import preferences, schedule, selectors, services
from antipodes.web.notifications.consumers import start_viewing
from antipodes.web.notifications.context_processors import NotificationBell
from antipodes.web.notifications.kinds import Channel, Frequency, NotificationKind
from antipodes.web.notifications.models import (
    EmailRow,
    NotificationRow,
    PreferenceRow,
    PushSubscriptionRow,
    ViewingRow,
)
from antipodes.web.notifications.services import (
    mark_all_seen,
    mark_match_seen,
    mark_outdated_seen,
    mark_path_seen,
    mark_seen,
)
from tests.web.notifications.conftest import DAY, MINUTE

pytestmark = pytest.mark.django_db


def send(*about, **more):
    """Notify a user."""
    return services.notify(*about, **more)


def test_a_repeated_key_notifies_once(ann, bob):
    first = send(ann, NotificationKind.INVITED, key="c", by=bob, path="/c/abc/", game="hex")
    assert first is not None
    assert send(ann, NotificationKind.INVITED, key="c", by=bob) is None
    assert NotificationRow.objects.get().arguments == {"game": "hex"}


def test_of_two_processes_that_notify_at_once_one_stores_the_notification(people, meanwhile):
    row = services.prepare(people[0], NotificationKind.MODERATION, key="k")
    assert row is not None
    with meanwhile(lambda: NotificationRow.objects.create(user=people[0], key="k", made_at=1)):
        assert services._insert(row) is False
    assert NotificationRow.objects.get().made_at == 1


def test_keys_are_unique_for_each_user(people):
    told = [send(user, NotificationKind.MODERATION, key="k") for user in people]
    assert all(told)


def test_computer_players_are_not_notified(people):
    assert send(computer("1"), NotificationKind.MODERATION, key="k") is None


def test_closed_accounts_are_not_notified(people):
    people[0].is_active = False
    assert send(people[0], NotificationKind.MODERATION, key="k") is None


def test_without_channels_nothing_is_stored(people, prefer):
    prefer(people[0], choices={"chat": []})
    assert send(people[0], NotificationKind.CHAT, key="k") is None
    assert not NotificationRow.objects.exists()


def test_moderators_messages_are_always_shown_on_the_site(people, prefer):
    prefer(people[0], choices={"moderation": []})
    told = send(people[0], NotificationKind.MODERATION, key="k")
    assert told.is_shown
    assert told.mail_due is None
    assert send(people[1], NotificationKind.MODERATION, key="k").is_shown


def test_a_kind_for_mail_only_is_not_listed_on_the_site(people, prefer):
    prefer(people[0], choices={"invited": ["mail"]})
    told = send(people[0], NotificationKind.INVITED, key="k")
    assert not told.is_shown
    assert told.mail_due is not None


def test_live_games_send_no_mail(begin, people, slow, prefer):
    prefer(people[0], Frequency.EACH)
    live, by_days = slow("5m+3s"), slow("3d/move")
    assert send(people[0], NotificationKind.YOUR_TURN, key="1", match=live).mail_due is None
    assert send(people[0], NotificationKind.YOUR_TURN, key="2", match=by_days).mail_due is not None
    assert send(people[0], NotificationKind.YOUR_TURN, key="3", match=begin()).mail_due is not None


def test_guests_are_notified_on_the_site_only(people):
    people[0].is_guest = True
    told = send(people[0], NotificationKind.INVITED, key="k")
    assert (told.is_shown, told.mail_due, told.push_due) == (True, None, None)


def test_without_a_mail_server_no_mail_is_due(people, settings):
    settings.MAIL_IS_SENT = False
    assert send(people[0], NotificationKind.INVITED, key="k").mail_due is None


def test_a_quiet_notification_is_shown_on_the_site_only(people, prefer):
    prefer(people[0], choices={"invited": ["mail", "push"], "chat": ["page", "mail"]})
    assert send(people[0], NotificationKind.INVITED, key="k", is_quiet=True) is None
    assert send(people[0], NotificationKind.CHAT, key="k", is_quiet=True).mail_due is None


def test_seen_notifications_are_no_longer_due(ann, bob):
    PushSubscriptionRow.objects.create(user=ann, endpoint="https://push.example/1", made_at=0)
    for user in (ann, bob):
        told = send(user, NotificationKind.INVITED, key="k", path="/c/abc/")
        assert (told.mail_due is not None, told.push_due is not None) == (True, user == ann)
    assert mark_path_seen(ann, "/c/abc/") == 1
    assert mark_path_seen(ann, "/c/abc/") == 0
    mine, theirs = NotificationRow.objects.order_by("user")
    assert (mine.seen_at is not None, mine.mail_due, mine.push_due) == (True, None, None)
    assert (theirs.seen_at is None, theirs.mail_due is None) == (True, False)


def test_users_cannot_mark_notifications_of_others(ann, bob):
    told = send(ann, NotificationKind.INVITED, key="k")
    assert mark_seen(bob, [told.pk]) == 0
    assert mark_seen(ann, [told.pk]) == 1


def test_viewing_a_match_marks_its_notifications_as_seen(people, slow):
    one, other = slow(), slow()
    for number, match in enumerate((one, one, other)):
        send(people[0], NotificationKind.OFFER, key=str(number), match=match)
    assert mark_match_seen(people[0], one.pk) == 2
    assert mark_all_seen(people[0]) == 1


def test_of_two_pages_that_show_a_match_at_once_each_marks_it(people, match, meanwhile):
    other = {"user": people[0], "match_id": match.pk, "until": 1}
    with meanwhile(lambda: ViewingRow.objects.create(**other)):
        assert start_viewing(people[0], match.slug) == match.pk
    assert ViewingRow.objects.get().until == 1
    start_viewing(people[0], match.slug)
    assert ViewingRow.objects.get().until > 1


def test_old_notifications_are_deleted(people, slow, time):
    seen, unseen = (
        send(people[0], NotificationKind.MODERATION, key="1"),
        send(people[1], NotificationKind.CHAT, key="2"),
    )
    mark_seen(people[0], [seen.pk])
    ages = [(services.KEPT_SEEN, {seen, unseen}), (services.KEPT_UNSEEN, {unseen})]
    begun = time.at
    for days, kept in ages:
        time.at = begun + days * DAY
        services.delete_old()
        assert set(NotificationRow.objects.all()) == kept
        time.forward(1)
        services.delete_old()
        assert set(NotificationRow.objects.all()) == kept - {seen if days < 365 else unseen}


def test_old_emails_are_deleted_when_they_are_sent_or_given_up(time):
    letter = {"to": "ann@example.org", "made_at": time.at}
    sent = EmailRow.objects.create(key="1", due_at=None, **letter)
    waiting = EmailRow.objects.create(key="2", due_at=time.at, **letter)
    time.forward(services.KEPT_EMAILS * DAY)
    services.delete_old()
    assert set(EmailRow.objects.all()) == {sent, waiting}
    time.forward(1)
    services.delete_old()
    assert set(EmailRow.objects.all()) == {waiting}


def test_expired_viewing_marks_are_deleted(people, slow, time):
    start_viewing(people[0], slow().slug)
    time.at = ViewingRow.objects.get().until
    services.delete_old()
    assert ViewingRow.objects.exists()
    time.forward(1)
    services.delete_old()
    assert not ViewingRow.objects.exists()


def test_outdated_turns_are_marked_as_seen_for_all(people, slow, time, monkeypatch):
    updated: list[int] = []
    monkeypatch.setattr("antipodes.web.notifications.services.update_bells", updated.append)
    match = slow()
    for user in people[:2]:
        send(user, NotificationKind.YOUR_TURN, key=f"old {user}", match=match)
        send(user, NotificationKind.CHAT, key="chat", match=match)
    time.forward(1_000)
    send(people[1], NotificationKind.YOUR_TURN, key="new", match=match)
    updated.clear()
    mark_outdated_seen({match.pk: time.at}, [NotificationKind.YOUR_TURN])
    assert sorted(updated) == sorted(user.pk for user in people[:2])
    unseen = NotificationRow.objects.filter(seen_at=None).values_list("key", flat=True)
    assert sorted(unseen) == ["chat", "chat", "new"]


def test_mail_waits_for_the_daily_digest_by_default(people, prefer):
    told = send(people[0], NotificationKind.INVITED, key="k")
    assert told.mail_due % 86_400_000 == 8 * 3_600_000
    assert Channel.MAIL not in prefer(people[0]).channels_for(NotificationKind.CHAT)


@pytest.mark.parametrize(
    ("channels", "has_board", "due"),
    [
        ([], False, None),
        (["page", "push"], False, None),
        (["mail"], False, 5 + MINUTE),
        ([], True, 5 + schedule.BOARD_DELAY),
        (["mail"], True, 5 + schedule.BOARD_DELAY),
    ],
)
def test_mail_is_due_for_those_who_want_mail_or_play_by_it(channels, has_board, due):
    choices = {NotificationKind.YOUR_TURN.value: channels}
    row = PreferenceRow(choices=choices, frequency=Frequency.EACH)
    assert preferences.mail_due(row, NotificationKind.YOUR_TURN, 5, has_board=has_board) == due


@pytest.mark.parametrize(("away", "is_pushed"), [(None, True), (0, True), (1, False)])
def test_pushes_are_due_after_two_seconds_unless_the_user_is_on_vacation(
    ann, prefer, time, away, is_pushed
):
    prefer(ann, away_until=None if away is None else time.at + away)
    PushSubscriptionRow.objects.create(user=ann, endpoint="https://push.example/1", made_at=0)
    due = send(ann, NotificationKind.INVITED, key="k").push_due
    assert due == (time.at + 2_000 if is_pushed else None)


def test_several_notifications_are_stored_together_and_repeated_ones_left_out(people, monkeypatch):
    updated: list[int] = []
    monkeypatch.setattr("antipodes.web.notifications.services.update_bells", updated.append)
    send(people[0], NotificationKind.MODERATION, key="1")
    updated.clear()
    rows = [
        services.prepare(user, NotificationKind.MODERATION, key=key)
        for user, key in ((people[0], "1"), (people[0], "2"), (people[1], "1"), (people[1], "1"))
    ]
    stored = services.store([row for row in rows if row is not None])
    assert [(row.user, row.key) for row in stored] == [(people[0], "2"), (people[1], "1")]
    assert sorted(updated) == [people[0].pk, people[1].pk]
    assert NotificationRow.objects.count() == 3
    assert services.store([]) == []


@pytest.mark.parametrize(("channels", "is_woken"), [(["page"], False), (["mail"], True)])
def test_only_what_is_to_be_sent_wakes_the_delivery_loop(
    people, prefer, monkeypatch, channels, is_woken
):
    woken: list[bool] = []
    monkeypatch.setattr("antipodes.web.notifications.delivery.wake", lambda: woken.append(True))
    prefer(people[0], choices={"invited": channels})
    send(people[0], NotificationKind.INVITED, key="k")
    assert bool(woken) is is_woken


def test_only_personal_notifications_of_blocked_players_are_suppressed(ann, bob, cy):
    from antipodes.web.relations.services import block

    block(ann, bob)
    assert send(ann, NotificationKind.CHAT, key="1", by=bob) is None
    assert send(ann, NotificationKind.CHAT, key="2", by=cy) is not None
    assert send(ann, NotificationKind.CHAT, key="3") is not None
    assert send(ann, NotificationKind.YOUR_TURN, key="4", by=bob) is not None


def test_marking_seen_notifications_again_updates_no_bell(people, monkeypatch):
    send(people[0], NotificationKind.MODERATION, key="k")
    updated: list[int] = []
    monkeypatch.setattr("antipodes.web.notifications.services.update_bells", updated.append)
    assert (mark_all_seen(people[0]), mark_all_seen(people[0])) == (1, 0)
    assert updated == [people[0].pk]


def test_the_unread_count_ends_at_a_hundred(people):
    for made, count, text in ((99, 99, "99"), (1, 100, "99+"), (1, 100, "99+")):
        NotificationRow.objects.bulk_create(
            NotificationRow(
                user=people[0],
                key=f"{count} {made} {n}",
                kind=NotificationKind.MODERATION,
                made_at=1,
            )
            for n in range(made)
        )
        assert selectors.unread_count(people[0]) == count
        assert NotificationBell(people[0], "/").text == text
        NotificationRow.objects.filter(key__startswith="100 1 ").update(key=F("pk"))
    assert selectors.unread_count(people[1]) == 0
    assert selectors.newest_unread(people[1]) is None


def test_notifications_are_listed_latest_first(people):
    rows = [
        NotificationRow.objects.create(
            user=people[0],
            key=str(n),
            kind=NotificationKind.MODERATION,
            made_at=at,
            is_shown=n != 4,
        )
        for n, at in enumerate((2, 1, 2, 3, 5))
    ]
    listed = list(selectors.notifications_of(people[0]))
    assert listed == [rows[3], rows[2], rows[0], rows[1]]
    newest = selectors.newest_unread(people[0])
    assert newest is not None
    assert (newest.row, newest.target, newest.made_at.timestamp()) == (rows[3], "", 0.003)
    mark_seen(people[0], [rows[3].pk])
    newest = selectors.newest_unread(people[0])
    assert newest is not None
    assert newest.row == rows[2]


def test_a_change_of_single_preferences_keeps_the_others(ann):
    preferences.change_preferences(ann, frequency=Frequency.HOURLY, hour=7, reminders=[1, 24, 1])
    row = PreferenceRow.objects.get(user=ann)
    assert (row.frequency, row.hour, row.reminders) == ("hourly", 7, [24, 1])
    preferences.change_preferences(ann, hour=0)
    row.refresh_from_db()
    assert (row.frequency, row.hour, row.reminders, row.puzzle_due) == ("hourly", 0, [24, 1], None)
    preferences.change_preferences(ann, reminders=[])
    preferences.stop_mail(ann)
    row.refresh_from_db()
    assert (row.frequency, row.hour, row.reminders) == ("never", 0, [])


def test_mail_of_one_kind_is_stopped_and_pending_mail_of_it_is_cancelled(ann, prefer, time):
    prefer(ann, Frequency.EACH, choices={"daily-puzzle": ["page", "mail"], "chat": ["page"]})
    told = [
        send(ann, kind, key=kind) for kind in (NotificationKind.OFFER, NotificationKind.INVITED)
    ]
    preferences.stop_mail_of(ann, NotificationKind.INVITED)
    row = PreferenceRow.objects.get(user=ann)
    assert row.choices == {
        "daily-puzzle": ["page", "mail"], "chat": ["page"], "invited": ["page", "push"]
    }  # fmt: skip
    assert row.puzzle_due == schedule.next_daily(time.at, 8, "")
    for one in told:
        one.refresh_from_db()
    assert [one.mail_due for one in told] == [time.at + MINUTE, None]


def test_the_zone_of_the_browser_moves_the_puzzle_of_the_day(ann, prefer, time):
    prefer(ann, choices={"daily-puzzle": ["page"]})
    preferences.store_browser_zone(ann, "Asia/Tokyo")
    row = PreferenceRow.objects.get(user=ann)
    assert (row.zone, row.puzzle_due) == (
        "Asia/Tokyo", schedule.next_daily(time.at, 8, "Asia/Tokyo")
    )  # fmt: skip
    prefer(ann, choices={})
    preferences.change_preferences(ann)
    row.refresh_from_db()
    assert row.puzzle_due is None


def test_an_unknown_language_is_that_of_the_account(people, prefer):
    LanguageRow.objects.create(user=people[0], code="de")
    for chosen, expected in (("fr", "fr"), ("", "de"), ("tlh", "de")):
        assert preferences.language_of(prefer(people[0], language=chosen)) == expected

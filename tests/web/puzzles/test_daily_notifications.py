"""The puzzle of the day as a notification: once a day, only for users who ask for it."""

import pytest
from django.db import OperationalError

from antipodes.web.notifications import preferences
from antipodes.web.notifications.kinds import Channel, Frequency, NotificationKind
from antipodes.web.notifications.models import NotificationRow, PreferenceRow
from antipodes.web.notifications.preferences import save_preferences
from antipodes.web.notifications.services import notify
from antipodes.web.platform.clock import now
from antipodes.web.puzzles import daily
from antipodes.web.puzzles.daily import day_of, notify_of_daily, today
from antipodes.web.puzzles.services import Outcome, record
from tests.raising import raising

pytestmark = pytest.mark.django_db

HOUR = 3_600_000
DAY = 24 * HOUR


@pytest.fixture(autouse=True)
def _mail_is_sent(settings):
    settings.MAIL_IS_SENT = True


def of_today():
    """Return the puzzle of the day."""
    found = daily.daily(today())
    assert found is not None
    return found


def choose(user, *channels, hour=8, zone="UTC", frequency=Frequency.DAILY):
    """Choose channels for the puzzle of the day."""
    save_preferences(
        user,
        channels={NotificationKind.DAILY_PUZZLE: channels},
        frequency=frequency,
        hour=hour,
        zone=zone,
        language="",
        reminders=(),
    )
    return PreferenceRow.objects.get(user=user)


def due(row, clocks):
    """Advance the clocks until a user's hour has come."""
    row.refresh_from_db()
    clocks.advance(row.puzzle_due - now() + 1)


def sent(user):
    return list(NotificationRow.objects.filter(user=user, kind=NotificationKind.DAILY_PUZZLE))


def test_it_is_opt_in(ann, clocks):
    notify_of_daily()
    clocks.advance(2 * DAY)
    notify_of_daily()
    assert not NotificationRow.objects.exists()
    assert not PreferenceRow.objects.exclude(puzzle_due=None).exists()


def test_it_comes_at_the_chosen_hour_in_the_time_zone(ann, clocks):
    row = choose(ann, Channel.PAGE, hour=7, zone="Asia/Tokyo")
    assert row.puzzle_due % DAY == 22 * HOUR
    notify_of_daily()
    assert sent(ann) == []
    due(row, clocks)
    notify_of_daily()
    [told] = sent(ann)
    assert told.path == f"/puzzles/{of_today().id}/"


def test_it_comes_once_a_day(ann, clocks):
    row = choose(ann, Channel.PAGE)
    due(row, clocks)
    for _ in range(3):
        notify_of_daily()
    assert len(sent(ann)) == 1
    clocks.advance(DAY)
    notify_of_daily()
    assert len(sent(ann)) == 2


def test_two_workers_send_it_once(ann, clocks):
    row = choose(ann, Channel.PAGE)
    due(row, clocks)
    seen_by_both = daily._due()
    again = daily._due()
    for rows in (seen_by_both, again):
        for one in rows:
            daily._notify(one)
    assert len(sent(ann)) == 1


def test_a_crash_before_the_commit_loses_nothing(ann, clocks, monkeypatch):
    row = choose(ann, Channel.PAGE)
    due(row, clocks)

    monkeypatch.setattr(daily, "notify", raising(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        notify_of_daily()
    monkeypatch.setattr(daily, "notify", notify)
    notify_of_daily()
    assert len(sent(ann)) == 1


def test_an_error_for_one_user_does_not_stop_the_others(ann, bob, clocks, monkeypatch):
    rows = [choose(user, Channel.PAGE) for user in (ann, bob)]
    due(rows[-1], clocks)

    def fail_for_ann(user, *arguments, **more):
        if user == ann:
            raise ValueError
        return notify(user, *arguments, **more)

    monkeypatch.setattr(daily, "notify", fail_for_ann)
    notify_of_daily()
    assert (len(sent(ann)), len(sent(bob))) == (0, 1)


def test_after_a_long_outage_it_is_left_out(ann, clocks):
    row = choose(ann, Channel.PAGE)
    due(row, clocks)
    clocks.advance(13 * HOUR)
    notify_of_daily()
    assert sent(ann) == []
    clocks.advance(DAY - 13 * HOUR)
    notify_of_daily()
    assert len(sent(ann)) == 1


def test_opting_out_stops_it(ann, clocks):
    row = choose(ann, Channel.PAGE, Channel.MAIL)
    due(row, clocks)
    choose(ann)
    clocks.advance(3 * DAY)
    notify_of_daily()
    assert sent(ann) == []


def test_who_has_tried_it_is_not_reminded(ann, clocks):
    row = choose(ann, Channel.PAGE)
    due(row, clocks)
    record(ann, of_today(), Outcome.FAILED)
    notify_of_daily()
    assert sent(ann) == []


@pytest.mark.parametrize(
    ("frequency", "is_mailed"),
    [(Frequency.DAILY, True), (Frequency.EACH, True), (Frequency.NEVER, False)],
)
def test_it_is_mailed_at_the_hour_unless_mail_is_stopped(ann, clocks, frequency, is_mailed):
    row = choose(ann, Channel.MAIL, frequency=frequency)
    due(row, clocks)
    notify_of_daily()
    [told] = sent(ann)
    assert (told.mail_due == told.made_at) is is_mailed
    assert not told.is_shown


def test_a_browsers_zone_moves_the_hour(ann, clocks):
    row = choose(ann, Channel.PAGE, zone="")
    assert row.puzzle_due % DAY == 8 * HOUR
    preferences.store_browser_zone(ann, "Asia/Tokyo")
    row.refresh_from_db()
    assert row.puzzle_due % DAY == 23 * HOUR


def test_a_guest_gets_no_mail(guest, clocks):
    row = choose(guest, Channel.MAIL, Channel.PAGE)
    due(row, clocks)
    notify_of_daily()
    [told] = sent(guest)
    assert told.mail_due is None


@pytest.mark.parametrize("has_browser", [True, False])
def test_it_is_pushed_to_browsers_that_are_subscribed(ann, clocks, has_browser):
    if has_browser:
        ann.subscriptions.create(endpoint="https://push.example/1", made_at=1)
    row = choose(ann, Channel.PUSH)
    due(row, clocks)
    notify_of_daily()
    assert [one.push_due is not None for one in sent(ann)] == [has_browser]


@pytest.mark.parametrize(
    ("error", "stops"), [(OperationalError("away"), True), (ValueError("odd"), False)]
)
def test_an_outage_ends_the_run_and_another_error_skips_a_user(
    ann, clocks, monkeypatch, caplog, error, stops
):
    row = choose(ann, Channel.PAGE)
    due(row, clocks)
    at = row.puzzle_due
    monkeypatch.setattr(daily, "_notify", raising(error))
    if stops:
        with pytest.raises(OperationalError, match="away"):
            notify_of_daily()
    else:
        notify_of_daily()
    row.refresh_from_db()
    assert row.puzzle_due == (at if stops else at + DAY)
    assert (f"puzzle of the day not sent user={ann.pk}" in caplog.text) is not stops


@pytest.mark.parametrize(
    ("late", "is_sent"), [(-1, False), (0, True), (12 * HOUR, True), (12 * HOUR + 1, False)]
)
def test_it_comes_from_the_hour_until_twelve_hours_later(ann, clocks, late, is_sent):
    row = choose(ann, Channel.PAGE)
    clocks.advance(row.puzzle_due + late - now())
    notify_of_daily()
    assert len(sent(ann)) == is_sent


@pytest.mark.parametrize(("away", "is_sent"), [(0, True), (1, False)])
def test_it_comes_when_a_vacation_has_ended(ann, clocks, away, is_sent):
    row = choose(ann, Channel.PAGE)
    clocks.advance(row.puzzle_due - now())
    PreferenceRow.objects.update(away_until=now() + away)
    notify_of_daily()
    assert len(sent(ann)) == is_sent


def test_it_names_the_puzzle_of_the_day_on_which_it_was_due(ann, clocks):
    row = choose(ann, Channel.PAGE, hour=23)
    puzzle = daily.daily(day_of(row.puzzle_due))
    assert puzzle is not None
    clocks.advance(row.puzzle_due + 2 * HOUR - now())
    notify_of_daily()
    [told] = sent(ann)
    assert told.arguments == {"puzzle": puzzle.id, "game": puzzle.game_id}
    assert told.path == f"/puzzles/{puzzle.id}/"
    assert told.key == f"puzzle of {day_of(row.puzzle_due)}"


def test_all_who_are_due_are_notified_the_earliest_first(ann, bob, clocks, monkeypatch):
    for user, hour in ((ann, 9), (bob, 8)):
        choose(user, Channel.PAGE, hour=hour)
    clocks.advance(DAY)
    monkeypatch.setattr(daily, "_LATEST", DAY)
    monkeypatch.setattr(daily, "_BATCH", 1)
    at = now()
    PreferenceRow.objects.filter(user=ann).update(puzzle_due=at - 1)
    PreferenceRow.objects.filter(user=bob).update(puzzle_due=at - 2)
    notify_of_daily()
    rows = NotificationRow.objects.filter(kind=NotificationKind.DAILY_PUZZLE).order_by("pk")
    assert [row.user for row in rows] == [bob, ann]

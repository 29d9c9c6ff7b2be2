"""Due times of e-mails."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.web.notifications import preferences
from antipodes.web.notifications.kinds import Frequency, NotificationKind
from antipodes.web.notifications.models import PreferenceRow
from antipodes.web.notifications.schedule import (
    BOARD_DELAY,
    mail_due,
    next_daily,
    next_full_hour,
    zone_of,
)
from tests.web.notifications.conftest import DAY, HOUR, MINUTE, instant

NOON = instant("2026-03-02 12:30")


def due(frequency, kind=NotificationKind.YOUR_TURN, now=NOON):
    return mail_due(kind, frequency, now, 8, "Europe/Berlin")


def test_single_emails_wait_a_minute():
    assert due(Frequency.EACH) == NOON + MINUTE


def test_hourly_digests_are_sent_at_the_full_hour():
    assert due(Frequency.HOURLY) == instant("2026-03-02 13:00")
    assert next_full_hour(instant("2026-03-02 13:00")) == instant("2026-03-02 14:00")


def test_daily_digests_are_sent_at_the_hour_of_the_users_zone():
    assert due(Frequency.DAILY) == instant("2026-03-03 07:00")
    assert due(Frequency.DAILY, now=instant("2026-03-02 06:59")) == instant("2026-03-02 07:00")
    assert due(Frequency.DAILY, now=instant("2026-03-02 07:00")) == instant("2026-03-03 07:00")


@pytest.mark.parametrize("frequency", [Frequency.REMINDERS, Frequency.NEVER])
def test_mail_can_be_switched_off(frequency):
    assert due(frequency) is None


def test_reminders_are_urgent_unless_mail_is_off():
    for frequency in Frequency:
        wanted = None if frequency is Frequency.NEVER else NOON
        assert due(frequency, NotificationKind.REMINDER) == wanted


def test_the_hour_is_local_when_daylight_saving_time_changes():
    begins, ends = instant("2026-03-28 12:00"), instant("2026-10-24 12:00")
    assert next_daily(begins, 8, "Europe/Berlin") == instant("2026-03-29 06:00")
    assert next_daily(ends, 8, "Europe/Berlin") == instant("2026-10-25 07:00")


def test_a_skipped_hour_is_the_instant_of_the_change():
    assert next_daily(instant("2026-03-28 12:00"), 2, "Europe/Berlin") == instant(
        "2026-03-29 01:00"
    )


def test_a_repeated_hour_counts_once():
    first = next_daily(instant("2026-10-24 12:00"), 2, "Europe/Berlin")
    assert first == instant("2026-10-25 00:00")
    assert next_daily(first, 2, "Europe/Berlin") == instant("2026-10-26 01:00")


@given(
    now=st.integers(instant("2000-01-01"), instant("2037-01-01")),
    hour=st.integers(0, 23),
    zone=st.sampled_from(["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]),
)
def test_a_daily_digest_is_due_within_a_day_at_its_hour(now, hour, zone):
    at = next_daily(now, hour, zone)
    assert now < at <= now + DAY + HOUR
    local = datetime.fromtimestamp(at / 1000, ZoneInfo(zone))
    assert local.hour == hour or (local.hour == hour + 1 and hour < 4)


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "../etc/passwd", "\0"])
def test_an_unknown_zone_is_utc(name):
    assert zone_of(name).key == "UTC"


@pytest.mark.parametrize("frequency", Frequency)
def test_the_puzzle_of_the_day_is_mailed_when_it_comes_unless_mail_is_off(frequency):
    is_off = frequency in (Frequency.NEVER, Frequency.REMINDERS)
    assert due(frequency, NotificationKind.DAILY_PUZZLE) == (None if is_off else NOON)


NIGHT = instant("2026-03-03 08:00")  # hour of the daily e-mail after noon
VACATION = instant("2026-03-10 09:00")


@pytest.mark.parametrize(
    ("kind", "frequency", "has_board", "away_until", "expected"),
    [
        (NotificationKind.YOUR_TURN, Frequency.EACH, True, None, NOON + BOARD_DELAY),
        (NotificationKind.YOUR_TURN, Frequency.EACH, True, VACATION, VACATION + BOARD_DELAY),
        (NotificationKind.YOUR_TURN, Frequency.EACH, False, VACATION, VACATION + MINUTE),
        (NotificationKind.YOUR_TURN, Frequency.EACH, False, NOON - DAY, NOON + MINUTE),
        (NotificationKind.CHAT, Frequency.EACH, True, None, NOON + MINUTE),
        (NotificationKind.CHAT, Frequency.EACH, False, None, None),
        (NotificationKind.YOUR_TURN, Frequency.DAILY, True, None, NIGHT),
        (NotificationKind.YOUR_TURN, Frequency.NEVER, True, None, None),
    ],
)
def test_mail_with_the_board_is_due_at_once_if_each_notification_is_mailed(
    kind, frequency, has_board, away_until, expected
):
    row = PreferenceRow(frequency=frequency, away_until=away_until)
    assert preferences.mail_due(row, kind, NOON, has_board=has_board) == expected

"""Reminders before a player's time runs out."""

import pytest

from antipodes.match import Offer, OfferKind, Play, StartVacation
from antipodes.web.accounts.services import computer
from antipodes.web.matches.services import carry_out
from antipodes.web.matches.snapshots import snapshot_of
from antipodes.web.notifications import reminders
from antipodes.web.notifications.kinds import NotificationKind
from antipodes.web.notifications.messages import text_of
from antipodes.web.notifications.models import NotificationRow
from antipodes.web.notifications.reminders import remind
from tests.web.notifications.conftest import DAY, HOUR, MINUTE

pytestmark = pytest.mark.django_db


@pytest.fixture
def reminded(time):
    """Run the task every so many hours; return the hours and users of reminders."""

    def make(hours, every):
        begun = time.at
        found = []
        for _ in range(0, hours, every):
            known = set(NotificationRow.objects.values_list("pk", flat=True))
            remind()
            new = NotificationRow.objects.exclude(pk__in=known).filter(
                kind=NotificationKind.REMINDER
            )
            found += [((time.at - begun) // HOUR, row.user.username) for row in new]
            time.forward(every * HOUR)
        return found

    return make


def test_default_reminders_are_a_day_and_three_hours_before(slow, reminded):
    slow("3d/move")
    assert reminded(72, every=3) == [(48, "ann"), (69, "ann")]


def test_no_reminder_at_the_beginning_of_a_turn(slow, reminded):
    slow("1d/move")
    assert reminded(24, every=3) == [(21, "ann")]


def test_no_reminders_in_live_games_and_games_without_clock(slow, reminded):
    slow("10m+5s")
    slow("unlimited")
    assert reminded(30, every=3) == []


def test_users_choose_their_reminders(slow, people, prefer, reminded):
    prefer(people[0], reminders=[48, 0])
    slow("10d/move")
    assert reminded(240, every=12) == [(192, "ann"), (216, "ann")]


def test_reminders_can_be_switched_off(slow, people, prefer, reminded):
    prefer(people[0], reminders=[])
    slow("3d/move")
    assert reminded(72, every=3) == []


def test_each_turn_has_its_own_reminders(slow, reminded):
    match = slow("3d/move")
    assert reminded(52, every=4) == [(48, "ann")]
    carry_out(match.slug, Play(seat=0, ply=0, key="12345678", move=5))
    assert reminded(52, every=4) == [(48, "bob")]


def test_after_an_outage_only_the_last_reminder_is_sent(slow, time, reminded):
    slow("3d/move")
    time.forward(70 * HOUR)
    assert reminded(1, every=1) == [(0, "ann")]


def test_no_reminders_during_a_vacation(slow, time, reminded):
    match = slow("3d/move")
    carry_out(match.slug, StartVacation(seat=0, ply=0, key="12345678"))
    assert reminded(29 * 24, every=12) == []
    # The vacation budget is used up, and the clock runs again.
    assert [user for _, user in reminded(96, every=3)] == ["ann", "ann"]


def test_no_reminders_in_a_paused_match(slow, reminded):
    match = slow("3d/move")
    for seat in (0, 1):
        carry_out(match.slug, Offer(seat=seat, ply=0, key=f"pause-{seat}", kind=OfferKind.PAUSE))
    assert reminded(100, every=4) == []


def test_a_reminder_says_when_the_time_runs_out(slow, time):
    slow("3d/move")
    time.forward(2 * DAY + MINUTE)
    remind()
    said = text_of(NotificationRow.objects.get())
    assert said == "Your time in Hex with bob runs out on 5 March 2026, 12:30."


def test_a_reminder_that_fails_does_not_stop_the_others(slow, people, time, monkeypatch, caplog):
    failing, other = slow("3d/move"), slow("3d/move")

    def fail(row):
        if row.pk == failing.pk:
            raise ValueError("broken")
        return snapshot_of(row)

    monkeypatch.setattr(reminders, "snapshot_of", fail)
    time.forward(2 * DAY)
    remind()
    assert NotificationRow.objects.get(kind=NotificationKind.REMINDER).match == other
    assert f"reminder failed match={failing.slug}" in caplog.text


@pytest.mark.parametrize("missing", ["seat_to_move", "deadline"])
def test_a_match_without_a_player_to_move_has_no_reminder(slow, time, missing):
    row = slow("3d/move")
    setattr(row, missing, None)
    reminders._remind(row, time.at + 2 * DAY)
    assert not NotificationRow.objects.filter(kind=NotificationKind.REMINDER).exists()


def test_the_computer_is_not_reminded(slow, time, monkeypatch):
    row = slow("3d/move")
    row.seats.filter(number=row.seat_to_move).update(user=computer("1"))
    monkeypatch.setattr(reminders, "snapshot_of", lambda _: pytest.fail("it was replayed"))
    reminders._remind(row, time.at + 2 * DAY)


@pytest.mark.parametrize(
    ("chosen", "whole", "left", "reached"),
    [
        ([24, 3], 3 * DAY, DAY + 1, None),
        ([24, 3], 3 * DAY, DAY, 24),
        ([3, 24], 3 * DAY, 3 * HOUR + 1, 24),
        ([3, 24], 3 * DAY, 3 * HOUR, 3),
        ([24], 30 * HOUR, DAY, None),  # a turn must be longer by a quarter
        ([24], 30 * HOUR + 1, DAY, 24),
        ([0], 10 * DAY, DAY + 1, None),
        ([0], 10 * DAY, DAY, 0),
        ([0, 24], 11 * DAY, DAY, 24),
        ([0, 24], 9 * DAY, 21 * HOUR, 0),
        ([], 3 * DAY, 0, None),
    ],
)
def test_the_latest_reminder_that_is_due_is_reached(people, prefer, chosen, whole, left, reached):
    prefer(people[0], reminders=chosen)
    assert reminders._due_reminder(people[0], 7 + whole, 7, 7 + whole - left) == reached


def test_a_tenth_of_a_year_is_a_reminder_too(slow, people, prefer, reminded, time):
    prefer(people[0], reminders=[0])
    slow("365d/move")
    time.forward(328 * DAY)
    assert reminded(24, every=6) == [(12, "ann")]


def test_reminders_name_the_deadline_and_come_before_it(slow, people, time):
    row = slow("1d/move")
    for at in (row.deadline, row.deadline - 1):
        time.at = at
        remind()
        told = NotificationRow.objects.filter(user=people[0], kind=NotificationKind.REMINDER)
        assert list(told.values_list("arguments", flat=True)) == (
            [] if at == row.deadline else [{"deadline": row.deadline}]
        )


def test_a_tenth_is_one_of_the_current_turn(slow, people, prefer, reminded, time):
    prefer(people[0], reminders=[0])
    match = slow("10d/move")
    for seat in (0, 1):
        time.forward(5 * DAY)
        carry_out(match.slug, Play(seat=seat, ply=seat, key=f"a key {seat}", move=seat))
    assert reminded(240, every=24) == [(216, "ann")]

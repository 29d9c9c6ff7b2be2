"""Tests of the site's clock: it never jumps when other clocks do, and processes agree on it."""

import logging
import re
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from antipodes.web.platform import clock
from antipodes.web.platform.clock import SERIOUS, SLEW, TOLERANCE, Correction, Reading, SiteClock
from antipodes.web.platform.models import ClockRow

HOUR = 3_600_000


def restart_process(monkeypatch):
    """Continue as a process that was just started."""
    monkeypatch.setattr(clock, "_clock", SiteClock())
    clock.start()


@pytest.mark.django_db
@pytest.mark.parametrize("by", [HOUR, -HOUR, 24 * HOUR, -5_000, 400])
def test_the_sites_clock_is_steady_when_the_wall_clock_jumps(clocks, by):
    clock.start()
    begun = clock.now()
    clocks.set_wall(by)
    assert clock.now() == begun
    for second in range(1, 11):
        clocks.advance(1_000)
        clock.follow()
        assert clock.now() - begun == pytest.approx(1_000 * second, abs=second)


@pytest.mark.django_db
@pytest.mark.parametrize("by", [HOUR, -HOUR])
def test_a_process_started_after_a_jump_has_the_sites_time(clocks, by, monkeypatch):
    clock.start()
    clocks.set_wall(by)
    clock.follow()
    before = clock.now()
    restart_process(monkeypatch)
    assert clock.now() == pytest.approx(before, abs=1)


@pytest.mark.django_db
@pytest.mark.parametrize("by", [HOUR, -HOUR])
def test_a_process_started_right_after_a_jump_follows_the_older_ones(clocks, by, monkeypatch):
    clock.start()
    old = clock._clock
    clocks.set_wall(by)
    restart_process(monkeypatch)
    new = clock._clock
    assert clock.now() == clocks.wall
    for one in (old, new):
        monkeypatch.setattr(clock, "_clock", one)
        clock.follow()
    assert new.now(clocks.monotonic) == old.now(clocks.monotonic)
    assert clock.now() == pytest.approx(clocks.wall - by, abs=1)


@pytest.mark.django_db
def test_a_jump_is_logged_with_advice(clocks, caplog):
    clock.start()
    assert clock.advice() is None
    clocks.set_wall(HOUR)
    clock.follow()
    assert [record.levelno for record in caplog.records] == [logging.ERROR]
    assert "clock jumped by=+3600.0s" in caplog.text
    assert re.fullmatch(
        "3600 s behind the (machine|database)'s clock; restart the site to take its time",
        clock.advice() or "",
    )


@pytest.mark.django_db
def test_a_clock_that_is_corrected_needs_no_restart(clocks):
    clock.start()
    for by in (HOUR, -HOUR):
        clocks.set_wall(by)
        clock.follow()
        clocks.advance(1_000)
    assert clock.advice() is None
    assert abs(clock.now() - clocks.wall) < SERIOUS


@pytest.mark.django_db
def test_small_differences_are_slewed(clocks):
    clock.start()
    clocks.set_wall(TOLERANCE)
    for second in range(1, TOLERANCE + 1):
        clocks.advance(1_000)
        clock.follow()
        assert clocks.wall - clock.now() == TOLERANCE - second
    assert not ClockRow.objects.exclude(ahead=0).exists()


@pytest.mark.django_db
def test_a_difference_shrinks_by_a_thousandth_of_the_time(clocks):
    clock.start()
    clocks.set_wall(60_000)
    clock.follow()
    for _ in range(1_000):
        clocks.advance(10_000)
        clock.follow()
    assert clocks.wall - clock.now() == pytest.approx(50_000, abs=30)


@pytest.mark.django_db
def test_a_clock_started_afresh_takes_the_time_of_the_machine(clocks):
    clock.start()
    clocks.set_wall(HOUR)
    clock.follow()
    clock.start(afresh=True)
    assert clock.now() == clocks.wall
    assert clock.advice() is None


class Machine:
    """One of several machines, with its process."""

    def __init__(self, monotonic):
        self.monotonic, self.site = monotonic, SiteClock()

    def now(self):
        return self.site.now(self.monotonic)


class Machines:
    """Machines that share a database, whose clock is the reference."""

    def __init__(self, count):
        self.reference, self.row = 1_000_000_000, Correction()
        self.machines = [Machine(5_000_000 * number) for number in range(count)]

    def follow(self, one):
        """Do what `clock.follow` does with the database."""
        reading = Reading(one.monotonic, self.reference)
        self.row = one.site.follow(reading, self.row) or self.row

    def advance(self, milliseconds, asleep=None):
        """Let time pass; a sleeping virtual machine may not notice."""
        self.reference += milliseconds
        for one in self.machines:
            if one is not asleep:
                one.monotonic += milliseconds


def changes():
    """Strategies for events of two machines and the clock of their database."""
    return st.lists(
        st.one_of(
            st.tuples(st.just("pass"), st.integers(1, 30_000)),
            st.tuples(st.just("jump"), st.integers(-24 * HOUR, 24 * HOUR)),
            st.tuples(st.just("follow"), st.integers(0, 1)),
        ),
        max_size=60,
    )


@given(changes())
@example(  # the second machine finds the row changed, but not yet for the second jump
    [("jump", HOUR), ("follow", 0), ("jump", -60_000), ("follow", 1), ("follow", 0), ("follow", 1)]
)
def test_machines_agree_on_a_clock_that_measures_elapsed_time(events):
    site = Machines(2)
    for one in site.machines:
        site.follow(one)
    begun, passed, rounds = site.machines[0].now(), 0, 0
    latest = [one.now() for one in site.machines]
    for what, *arguments in events:
        match what:
            case "pass":
                site.advance(*arguments)
                passed += arguments[0]
            case "jump":
                site.reference += arguments[0]
            case "follow":
                site.follow(site.machines[arguments[0]])
                rounds += 1
        error = TOLERANCE + passed // SLEW + 2 * rounds
        for number, one in enumerate(site.machines):
            assert one.now() >= latest[number]
            assert one.now() - begun == pytest.approx(passed, abs=error)
            latest[number] = one.now()


def test_a_machine_that_slept_unnoticed_takes_the_time_of_the_others():
    site = Machines(3)
    for _ in range(20):
        site.advance(1_000)
        for one in site.machines:
            site.follow(one)
    asleep = site.machines[1]
    site.advance(60_000, asleep=asleep)
    right = site.machines[0].now()
    for _ in range(3):
        for one in (asleep, *site.machines):
            site.follow(one)
    assert [one.now() for one in site.machines] == pytest.approx([right] * 3, abs=1_000)
    assert asleep.now() >= right


def test_a_clock_starts_without_its_database(monkeypatch, caplog):
    def fail():
        raise OSError("away")

    monkeypatch.setattr(clock, "follow", fail)
    clock.start()
    assert caplog.messages == ["clock not synchronised yet error=away"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("steps", "read"),
    [([50], True), ([51, 50], True), ([51, 51, 50], True), ([51, 51, 51, 50], False)],
)
def test_readings_that_take_too_long_are_not_used(clocks, monkeypatch, steps, read):
    begun = clocks.monotonic
    times = [begun]
    for step in steps:
        times += [times[-1] + step, times[-1] + step]
    left = iter(times)
    monkeypatch.setattr(clock, "_monotonic", lambda: next(left))
    clock.follow()
    assert clock._clock.is_set is read
    if read:
        used = times[2 * len(steps) - 2]
        assert clock._clock._last == Reading(used + 25, clocks.wall)
    else:
        assert list(left) == times[6:]


@pytest.mark.django_db
def test_a_jump_is_not_stored_if_the_clocks_cannot_be_read_again(clocks, monkeypatch, caplog):
    clock.start()
    clocks.set_wall(HOUR)
    readings = [clock._read(), None]
    monkeypatch.setattr(clock, "_read", lambda: readings.pop(0))
    clock.follow()
    assert readings == []
    assert not ClockRow.objects.exclude(ahead=0).exists()
    assert caplog.messages == []


@pytest.mark.parametrize(("age", "is_adopted"), [(9_999, True), (10_000, False)])
def test_a_process_adopts_an_earlier_time_of_others_in_its_first_ten_seconds(age, is_adopted):
    begun, reference, earlier = 5_000, 1_000_000, -60_000
    site = SiteClock()
    site.follow(Reading(begun, reference), Correction())
    reading = Reading(begun + age, reference + age)
    stored = site.follow(reading, Correction(earlier, reference))
    assert (stored is None) is is_adopted
    expected = reading.reference + (earlier if is_adopted else 0)
    assert site.now(reading.monotonic) == pytest.approx(expected, abs=age // SLEW + 1)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("passed", "left"),
    [(-5_000, 5), (0, 5), (999, 5), (1_000, 4), (4_999, 1), (5_000, 0), (60_000, 0)],
)
def test_a_correction_shrinks_by_a_millisecond_each_second_until_nothing_is_left(
    passed, left, sign
):
    assert Correction(sign * 5, since=1_000).ahead_at(1_000 + passed) == sign * left


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("more", [0, 1])
def test_clocks_disagree_if_they_differ_by_more_than_the_tolerance(sign, more):
    site = SiteClock()
    reading = Reading(5_000, 1_000_000)
    assert not site.disagrees(reading, Correction()), "it is not set yet"
    site.follow(reading, Correction())
    later = Reading(6_000, 1_001_000 + sign * (TOLERANCE + more))
    assert site.disagrees(later, Correction()) is bool(more)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    ("passed", "by"), [(10, 1), (1_999, 1), (2_000, 2), (10_000, 10), (500_000, 50)]
)
def test_a_small_difference_is_slewed_by_a_thousandth_of_the_time_since_the_last_reading(
    passed, by, sign
):
    site = SiteClock()
    site.follow(Reading(5_000, 1_000_000), Correction())
    reading = Reading(5_000 + passed, 1_000_000 + passed + sign * 50)
    assert site.follow(reading, Correction()) is None
    assert site.now(reading.monotonic) == 1_000_000 + passed + sign * by


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("more", [0, 1])
def test_a_process_adopts_a_later_time_of_others_unless_the_reference_clock_has_jumped(
    caplog, sign, more
):
    passed, jump, stored = 20_000, sign * (TOLERANCE + more), 60_000
    site = SiteClock()
    site.follow(Reading(5_000, 1_000_000), Correction())
    assert caplog.messages == []
    reading = Reading(5_000 + passed, 1_000_000 + passed + jump)
    assert site.follow(reading, Correction(stored, reading.reference)) is None
    if more:
        assert site.now(reading.monotonic) == 1_000_000 + passed
    else:
        assert site.now(reading.monotonic) == reading.reference + stored
        by = (stored + jump) / 1_000
        assert caplog.messages == [f"clock adopted from other processes by={by:+.1f}s"]


@pytest.mark.django_db
@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("by", "level"), [(SERIOUS, "WARNING"), (SERIOUS + 1, "ERROR")])
def test_each_jump_is_logged_and_one_of_more_than_ten_seconds_is_an_error(
    clocks, caplog, sign, by, level
):
    clock.start()
    for milliseconds in (by, 5_000):
        clocks.set_wall(sign * milliseconds)
        clock.follow()
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        (level, f"clock jumped by={sign * 10:+.1f}s, compensated"),
        ("WARNING", f"clock jumped by={sign * 5:+.1f}s, compensated"),
    ]


def test_a_machine_is_ahead_of_the_database_where_that_is_the_reference(clocks, monkeypatch):
    monkeypatch.setattr(clock, "_database_now", lambda: clocks.wall - 5_000)
    for is_of_database, skew in ((False, 0), (True, 5_000)):
        monkeypatch.setattr(clock, "_is_of_database", lambda found=is_of_database: found)
        assert clock.skew() == skew


@pytest.mark.parametrize(
    ("by", "is_of_database", "advice"),
    [
        (SERIOUS, False, None),
        (-SERIOUS, True, None),
        (SERIOUS + 1, False, "10 s ahead of the machine's clock"),
        (-SERIOUS - 1, False, "10 s behind the machine's clock"),
        (65_999, True, "65 s ahead of the database's clock"),
    ],
)
def test_a_restart_is_advised_if_the_clocks_differ_by_more_than_ten_seconds(
    monkeypatch, by, is_of_database, advice
):
    monkeypatch.setattr(clock, "ahead", lambda: by)
    monkeypatch.setattr(clock, "_is_of_database", lambda: is_of_database)
    expected = advice and f"{advice}; restart the site to take its time"
    assert clock.advice() == expected


def test_all_clocks_count_milliseconds_and_one_that_was_not_started_is_the_wall_clock(monkeypatch):
    monkeypatch.setattr(clock, "_clock", SiteClock())
    assert clock.ahead() == 0
    assert clock.now() == pytest.approx(1_000 * time.time(), abs=5_000)
    number = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    assert clock._monotonic() == pytest.approx(1_000 * time.clock_gettime(number), abs=5_000)

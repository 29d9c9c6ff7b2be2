"""Tests of the site's clock: it never goes back, and processes agree on it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.web.platform import clock
from antipodes.web.platform.clock import SERIOUS, TOLERANCE, Lead, Reading, SiteClock
from tests.raising import raising

HOUR = 3_600_000


def restart_process(monkeypatch):
    """Continue as a process that was just started."""
    monkeypatch.setattr(clock, "_clock", SiteClock())
    clock.start()


@pytest.mark.django_db
@pytest.mark.parametrize("by", [400, 5_000, HOUR])
def test_the_sites_clock_is_set_forward_with_the_wall_clock(clocks, by):
    clock.start()
    clocks.set_wall(by)
    clocks.advance(1_000)
    clock.follow()
    assert clock.now() == clocks.wall
    assert clock.ahead() == 0


@pytest.mark.django_db
@pytest.mark.parametrize("by", [-400, -5_000, -HOUR])
def test_the_sites_clock_goes_on_when_the_wall_clock_is_set_back(clocks, by):
    clock.start()
    begun = clock.now()
    clocks.set_wall(by)
    for second in range(1, 11):
        clocks.advance(1_000)
        clock.follow()
        assert clock.now() - begun == pytest.approx(1_000 * second, abs=10 * second)


@pytest.mark.django_db
def test_a_clock_that_is_ahead_runs_one_per_cent_slower_until_both_agree(clocks):
    clock.start()
    clocks.set_wall(-1_000)
    for second in range(1, 121):
        clocks.advance(1_000)
        before = clock.now()
        clock.follow()
        assert clock.now() == before, "it does not go back at once"
        left = max(0, 1_000 - 10 * second)
        assert before - clocks.wall == pytest.approx(left, abs=20)


@pytest.mark.django_db
@pytest.mark.parametrize("by", [HOUR, -HOUR])
@pytest.mark.parametrize("is_noticed", [True, False])
def test_processes_agree_although_one_starts_when_the_wall_clock_is_set(
    clocks, by, is_noticed, monkeypatch
):
    clock.start()
    old = clock._clock
    clocks.set_wall(by)
    if is_noticed:
        clock.follow()
    restart_process(monkeypatch)
    new = clock._clock
    for process in (old, new):
        monkeypatch.setattr(clock, "_clock", process)
        clock.follow()
    assert new.now(clocks.monotonic) == old.now(clocks.monotonic)
    assert clock.now() == clocks.wall - min(by, 0)


@pytest.mark.django_db
@pytest.mark.parametrize(("by", "level"), [(SERIOUS, "WARNING"), (SERIOUS + 1, "ERROR")])
def test_each_jump_is_logged_and_one_of_more_than_ten_seconds_is_an_error(
    clocks, caplog, by, level
):
    clock.start()
    for milliseconds in (by, TOLERANCE):
        clocks.set_wall(milliseconds)
        clock.follow()
    assert [record.levelname for record in caplog.records] == [level]
    assert caplog.messages == ["clock set forward by=10.0s"]


def test_a_clock_is_set_forward_to_an_instant_unless_that_has_passed():
    site = SiteClock()
    site.follow(Reading(5_000, 1_000_000), Lead())
    for instant in (2_000_000, 1_500_000):
        site.reach(instant, 5_000)
        assert site.now(5_000) == 2_000_000


class Machine:
    """One of several machines, with its process."""

    def __init__(self, monotonic):
        self.monotonic, self.site = monotonic, SiteClock()

    def now(self):
        return self.site.now(self.monotonic)


class Machines:
    """Machines that share a database, whose clock is the reference."""

    def __init__(self, count):
        self.reference, self.row = 1_000_000_000, Lead()
        self.machines = [Machine(5_000_000 * number) for number in range(count)]

    def follow(self, machine):
        """Do what `clock.follow` does with the database."""
        machine.site.follow(Reading(machine.monotonic, self.reference), self.row)
        if abs(machine.site.ahead - self.row.at(self.reference)) > TOLERANCE:
            self.row = Lead(machine.site.ahead, self.reference)

    def advance(self, milliseconds, asleep=None):
        """Let time pass; a sleeping virtual machine may not notice."""
        self.reference += milliseconds
        for machine in self.machines:
            if machine is not asleep:
                machine.monotonic += milliseconds


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
def test_no_machine_goes_back_and_all_agree_when_they_have_followed(events):
    site = Machines(2)
    for machine in site.machines:
        site.follow(machine)
    latest = [machine.now() for machine in site.machines]
    for what, amount in events:
        match what:
            case "pass":
                site.advance(amount)
            case "jump":
                site.reference += amount
            case "follow":
                site.follow(site.machines[amount])
        for number, machine in enumerate(site.machines):
            assert machine.now() >= latest[number]
            latest[number] = machine.now()
    for _ in range(2):
        for machine in site.machines:
            site.follow(machine)
    first, second = site.machines
    assert first.now() == pytest.approx(second.now(), abs=2 * TOLERANCE)
    assert first.now() >= site.reference - TOLERANCE


def test_a_machine_that_slept_unnoticed_takes_the_time_of_the_others():
    site = Machines(3)
    for machine in site.machines:
        site.follow(machine)
    asleep = site.machines[1]
    site.advance(60_000, asleep=asleep)
    for machine in site.machines:
        site.follow(machine)
    assert {machine.now() for machine in site.machines} == {site.reference}


@pytest.mark.parametrize(
    ("passed", "left"), [(-5_000, 5), (0, 5), (99, 5), (100, 4), (499, 1), (500, 0), (60_000, 0)]
)
def test_a_lead_shrinks_by_one_per_cent_of_the_time_until_nothing_is_left(passed, left):
    assert Lead(5, since=1_000).at(1_000 + passed) == left


@pytest.mark.parametrize(("passed", "by"), [(10, 0), (100, 1), (1_999, 19), (500_000, 50)])
def test_a_small_lead_is_lost_by_one_per_cent_of_the_time_since_the_last_reading(passed, by):
    site = SiteClock()
    site.follow(Reading(5_000, 1_000_000), Lead())
    reading = Reading(5_000 + passed, 1_000_000 + passed - 50)
    assert site.follow(reading, Lead()) == 0
    site._latest = 0
    assert site.now(reading.monotonic) == 1_000_000 + passed - by


def test_a_clock_starts_without_its_database(monkeypatch, caplog):
    monkeypatch.setattr(clock, "follow", raising(OSError("away")))
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


def test_a_machine_is_ahead_of_the_database_where_that_is_the_reference(clocks, monkeypatch):
    monkeypatch.setattr(clock, "_database_now", lambda: clocks.wall - 5_000)
    for is_of_database, skew in ((False, 0), (True, 5_000)):
        monkeypatch.setattr(clock, "_is_of_database", lambda found=is_of_database: found)
        assert clock.skew() == skew


@pytest.mark.parametrize(
    ("by", "is_of_database", "notice"),
    [
        (SERIOUS, False, None),
        (-HOUR, True, None),
        (SERIOUS + 1, False, "10 s ahead of the machine's clock"),
        (65_999, True, "65 s ahead of the database's clock"),
    ],
)
def test_the_host_is_told_of_a_lead_of_more_than_ten_seconds(
    monkeypatch, by, is_of_database, notice
):
    monkeypatch.setattr(clock, "ahead", lambda: by)
    monkeypatch.setattr(clock, "_is_of_database", lambda: is_of_database)
    expected = notice and f"{notice}, which was set back; it is losing that time"
    assert clock.notice() == expected


def test_all_clocks_count_milliseconds_and_one_that_was_not_started_is_the_wall_clock(monkeypatch):
    monkeypatch.setattr(clock, "_clock", SiteClock())
    assert clock.ahead() == 0
    assert clock.now() == pytest.approx(1_000 * time.time(), abs=5_000)
    number = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    assert clock._monotonic() == pytest.approx(1_000 * time.clock_gettime(number), abs=5_000)

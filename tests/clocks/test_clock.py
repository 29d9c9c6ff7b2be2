"""Laws of the clock, and a machine that plays against a slow, obvious second clock."""

from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from antipodes.clocks import Clock, TimeControl, read_control
from tests.thorough import repetitions

SEATS = 3


def test_fischers_clock_takes_the_time_used_and_adds_the_increment():
    clock = Clock.ready(read_control("1m+2s"), 2).turn_to(0, now=0)
    clock = clock.turn_to(1, now=10_000)
    assert clock.left(0, now=10_000) == 52_000
    assert clock.left(1, now=15_000) == 55_000


def test_time_for_a_move_is_not_kept():
    clock = Clock.ready(read_control("30s/move"), 2).turn_to(0, now=0).turn_to(1, now=1_000)
    assert clock.left(0, now=1_000) == 30_000


def test_the_bank_is_used_only_after_the_time_for_the_move():
    clock = Clock.ready(read_control("1d/move+1d"), 2).turn_to(0, now=0)
    day = 86_400_000
    clock = clock.turn_to(1, now=day).turn_to(0, now=day)
    assert clock.left(0, now=day) == 2 * day
    clock = clock.turn_to(1, now=2 * day + day // 2)
    assert clock.left(0, now=2 * day + day // 2) == day + day // 2


def test_the_flag_falls_at_the_deadline_and_not_before():
    clock = Clock.ready(read_control("5m+3s"), 2).turn_to(1, now=1_000)
    assert clock.deadline == 301_000
    assert clock.flagged(300_999) is None
    assert clock.flagged(301_000) == 1


def test_without_a_limit_no_flag_falls():
    clock = Clock.ready(TimeControl(), 2).turn_to(0, now=0)
    assert clock.flagged(10**15) is None
    assert clock.deadline is None
    assert clock.left(0, 10**15) is None


def test_an_instant_that_goes_back_gives_no_time():
    clock = Clock.ready(read_control("1m"), 2).turn_to(0, now=100_000)
    assert clock.left(0, now=50_000) == 60_000
    clock = clock.turn_to(1, now=50_000)
    assert clock.left(0, now=50_000) == 60_000


@pytest.mark.parametrize(
    ("control", "left"), [("5m+3s", 0), ("30s/move", 0), ("1m/move+5m", 60_000)]
)
def test_a_clock_that_stops_gives_no_increment_to_the_player_to_move(control, left):
    clock = Clock.ready(read_control(control), 2).turn_to(0, now=0).stop(now=300_000)
    assert clock.left(0, now=300_000) == left


def test_a_takeback_gives_no_increment_and_takes_that_of_the_move_back():
    clock = Clock.ready(read_control("1m+30s"), 2).turn_to(0, now=0)
    for at in range(5):
        clock = clock.turn_to(1, now=at).take_back([0], 0, now=at)
    assert clock.left(0, now=4) == 60_000 - 4
    assert clock.left(1, now=4) == 60_000


def test_a_turn_that_is_taken_back_goes_on_with_the_time_for_its_move():
    clock = Clock.ready(read_control("30s/move"), 2).turn_to(0, now=0)
    clock = clock.turn_to(1, now=20_000).take_back([0], 0, now=45_000)
    assert clock.left(0, now=46_000) == 9_000
    assert clock.left(1, now=46_000) == 5_000
    clock = clock.turn_to(1, now=46_000)
    assert clock.flagged(50_999) is None
    assert clock.flagged(51_000) == 1


def test_a_vacation_ends_by_itself_when_it_is_used_up():
    month = read_control("1d/move").vacation
    clock = Clock.ready(read_control("1d/move"), 2).turn_to(0, now=0).leave(0, now=1_000)
    assert clock.deadline == 1_000 + month + 86_400_000 - 1_000
    assert clock.left(0, now=month) == 86_400_000 - 1_000
    clock = clock.come_back(0, now=5_000).leave(0, now=7_000)
    assert clock.left(0, now=7_000) == 86_400_000 - 3_000
    assert clock.deadline == 7_000 + month - 4_000 + 86_400_000 - 3_000


@pytest.mark.parametrize("control", ["5m+3s", "30s/move", "unlimited"])
def test_there_is_no_vacation_but_in_correspondence(control):
    assert read_control(control).vacation == 0


class AgainstASecondBySecondClock(RuleBasedStateMachine):
    """Each rule goes on some seconds; the second clock counts every one of them."""

    def __init__(self):
        super().__init__()
        self.control = TimeControl(bank=40_000, per_move=5_000, increment=3_000)
        self.clock = replace(Clock.ready(self.control, SEATS), vacations=(15_000,) * SEATS)
        self.vacations = [15] * SEATS
        self.now = 0
        self.banks = [40] * SEATS
        self.turn_left = 5
        self.seat: int | None = None
        self.stopped: int | None = None  # the last seat, for ever
        self.paused = False
        self.away = set()

    def pass_time(self, seconds):
        self.now += 1000 * seconds
        for _ in range(seconds):
            resting = {seat for seat in self.away if self.vacations[seat]}
            for seat in resting:
                self.vacations[seat] -= 1
            if self.seat is None or self.paused or self.seat in resting:
                continue
            if self.turn_left > 0:
                self.turn_left -= 1
            else:
                self.banks[self.seat] -= 1

    def is_up(self):
        return self.seat is not None and self.turn_left == 0 and self.banks[self.seat] <= 0

    @precondition(lambda self: self.stopped is None)
    @rule(seconds=st.integers(0, 12), seat=st.integers(0, SEATS - 1))
    def turn_to(self, seconds, seat):
        self.pass_time(seconds)
        if self.is_up():
            return
        self.clock = self.clock.turn_to(seat, self.now)
        if self.seat is not None:
            self.banks[self.seat] += 3
        self.seat, self.turn_left = seat, 5

    @rule(seconds=st.integers(0, 12))
    def look(self, seconds):
        self.pass_time(seconds)

    @rule(seconds=st.integers(0, 12))
    def pause_or_resume(self, seconds):
        self.pass_time(seconds)
        change = self.clock.resume if self.paused else self.clock.pause
        self.clock = change(self.now)
        self.paused = not self.paused

    @rule(seconds=st.integers(0, 12), seat=st.integers(0, SEATS - 1))
    def leave_or_come_back(self, seconds, seat):
        self.pass_time(seconds)
        change = self.clock.come_back if seat in self.away else self.clock.leave
        self.clock = change(seat, self.now)
        self.away ^= {seat}

    @precondition(lambda self: self.seat is not None)
    @rule(seconds=st.integers(0, 12))
    def stop(self, seconds):
        self.pass_time(seconds)
        if self.is_up():
            return
        self.clock = self.clock.stop(self.now)
        self.stopped, self.seat = self.seat, None

    @invariant()
    def both_show_the_same(self):
        for seat in range(SEATS):
            turn = self.turn_left if seat in {self.seat, self.stopped} else 5
            assert self.clock.left(seat, self.now) == 1000 * (self.banks[seat] + turn)
        assert self.clock.flagged(self.now) == (self.seat if self.is_up() else None)

    @invariant()
    def the_deadline_is_when_the_flag_falls(self):
        deadline = self.clock.deadline
        assert (deadline is not None) == self.clock.is_running
        if deadline is not None and not self.is_up():
            assert self.clock.flagged(deadline) == self.seat
            assert self.clock.flagged(deadline - 1) is None


TestAgainstASecondBySecondClock = AgainstASecondBySecondClock.TestCase
TestAgainstASecondBySecondClock.settings = settings(
    max_examples=repetitions(20, 60), stateful_step_count=30
)

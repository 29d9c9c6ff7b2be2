"""A clock with a face for each seat: an immutable value that gets the time as an argument."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from antipodes.clocks.control import TimeControl

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """The time of all seats, and whose clock runs; all times in milliseconds.

    Instants are milliseconds of any one clock that never goes back, such as those since 1970. A
    change at an earlier instant than the last one counts as made at the last one. Only in a pause
    that clock may be set back.

    Attributes:
        control: how much time there is.
        banks: time left in each seat's bank, without the turn that runs.
        vacations: how long each seat may still be on vacation.
        until: when each seat's vacation is used up, for seats on vacation; ``None`` for others.
        turns: how many turns each seat has ended.
        grace: for how long each seat's time still stands still in its first turn, so that players
            can come to the board.
        ends_late: whether time that runs in a first turn is too much, and the match ends instead.
        used_per_move: how much of its time for one move each seat used in each of its turns. After
            a takeback these are more than ``turns``: a turn goes on where it was.
        seat: whose turn it is, or ``None`` before the start and after the end.
        spent: time that the turn had used up when the clock was last read.
        since: from when on the time runs, which may be after a vacation; ``None`` while it stands
            still.
        latest: the last instant that the clock was told of.
        paused: whether the clock stands still for all.
    """

    control: TimeControl
    banks: tuple[int, ...]
    vacations: tuple[int, ...]
    until: tuple[int | None, ...]
    turns: tuple[int, ...]
    used_per_move: tuple[tuple[int, ...], ...]
    grace: tuple[int, ...]
    ends_late: bool = False
    seat: int | None = None
    spent: int = 0
    since: int | None = None
    latest: int = 0
    paused: bool = False

    @classmethod
    def ready(
        cls, control: TimeControl, seats: int, grace: int = 0, *, ends_late: bool = False
    ) -> Clock:
        """Return a clock that has not been started."""
        return cls(
            control=control,
            banks=(control.bank,) * seats,
            vacations=(control.vacation,) * seats,
            until=(None,) * seats,
            turns=(0,) * seats,
            used_per_move=((),) * seats,
            grace=(grace,) * seats,
            ends_late=ends_late,
        )

    @property
    def away(self) -> frozenset[int]:
        """Seats on vacation; in their turns the clock stands still until it is used up."""
        return frozenset(seat for seat, until in enumerate(self.until) if until is not None)

    @property
    def is_running(self) -> bool:
        """Whether the time of a seat runs, or will run from an instant on."""
        return self.since is not None

    @property
    def free_until(self) -> int | None:
        """Until when a first turn that has begun costs no time; ``None`` in other turns."""
        if self.seat is None or self.since is None or not self.grace[self.seat]:
            return None
        return self.since

    @property
    def turn_since(self) -> int | None:
        """From when on the turn goes on, in a first turn before its time runs."""
        if self.seat is None or self.since is None:
            return None
        return self.since - self.grace[self.seat]

    def turn_to(self, seat: int, now: int) -> Clock:
        """End the turn that runs, if any, and begin the turn of ``seat``.

        The flag is not looked at; ask :meth:`flagged` first.
        """
        return _begun(_ended(_read(self, now)), seat)

    def take_back(self, withdrawn: Iterable[int], seat: int, now: int) -> Clock:
        """Begin the turn of ``seat`` again, which is the first one whose move is withdrawn.

        No player gains time: used time remains used, the turn that runs gets no increment, and
        withdrawn moves lose theirs. A bank that this leaves below zero is for the caller to refuse.

        Args:
            withdrawn: the seats of the withdrawn moves.
            seat: the seat to move afterwards.
            now: the time.
        """
        read = _read(self, now)
        if read.seat is None or read.control.is_unlimited:
            return _running(replace(read, seat=seat, spent=0))
        booked = _booked(read, read.seat)
        banks, turns = list(booked.banks), list(booked.turns)
        for withdrawn_seat in withdrawn:
            # One turn fewer: the seat goes on with the time that `used_per_move` has for that turn.
            banks[withdrawn_seat] -= booked.control.increment
            turns[withdrawn_seat] -= 1
        return _begun(replace(booked, banks=tuple(banks), turns=tuple(turns)), seat)

    def stop(self, now: int) -> Clock:
        """Stop for ever: the turn that runs is not ended, so it gets no increment."""
        read = _read(self, now)
        if read.seat is not None and not read.control.is_unlimited:
            read = _booked(read, read.seat)
        return replace(read, seat=None, spent=0)

    def pause(self, now: int) -> Clock:
        """Let the clock stand still."""
        return replace(_read(self, now), paused=True)

    def resume(self, now: int) -> Clock:
        """Let the clock go on after a pause."""
        return _running(replace(_read(self, now), paused=False))

    def leave(self, seat: int, now: int) -> Clock:
        """Let a seat's time stand still for as long as it has vacation: its player is away."""
        read = _read(self, now)
        until = read.latest + read.vacations[seat]
        return _running(replace(read, until=_with(read.until, seat, until)))

    def come_back(self, seat: int, now: int) -> Clock:
        """Let a seat's time run again in its turns."""
        read = _read(self, now)
        left = max(0, (read.until[seat] or 0) - read.latest)
        vacations = _with(read.vacations, seat, left)
        return _running(replace(read, vacations=vacations, until=_with(read.until, seat, None)))

    def used(self, now: int) -> int:
        """Return what the turn that runs has used up so far."""
        return self.spent + (max(0, now - self.since) if self.since is not None else 0)

    def used_before(self, seat: int) -> int:
        """Return what a seat has used of the time for its next move, before a takeback."""
        used, turn = self.used_per_move[seat], self.turns[seat]
        return used[turn] if turn < len(used) else 0

    def left(self, seat: int, now: int) -> int | None:
        """Return what a seat has left for its turn; negative past its flag, ``None`` unlimited.

        For the seat whose turn it is, that is until its flag falls; for another one what it would
        have if its turn began.
        """
        if self.control.is_unlimited:
            return None
        used = self.used(now) if seat == self.seat else self.used_before(seat)
        return self.control.per_move + self.banks[seat] - used

    def flagged(self, now: int) -> int | None:
        """Return the seat whose time is up, or ``None``."""
        if self.seat is None or self.control.is_unlimited:
            return None
        if self.is_late(now):
            return self.seat
        return (
            self.seat if self.used(now) >= self.control.per_move + self.banks[self.seat] else None
        )

    def is_late(self, now: int) -> bool:
        """Return whether a first move has not come in time, so that the match ends."""
        return self.ends_late and self.free_until is not None and self.free_until <= now

    @property
    def deadline(self) -> int | None:
        """The instant at which the flag of the seat to move falls; ``None`` while none will."""
        if self.seat is None or self.since is None or self.control.is_unlimited:
            return None
        if self.ends_late and self.free_until is not None:
            return self.free_until
        return self.since + self.control.per_move + self.banks[self.seat] - self.spent


def _read(clock: Clock, now: int) -> Clock:
    """Book what has run until now, and let the clock stand still."""
    grace = clock.grace
    # The free time that has passed is lost, also if the clock is stopped and runs again.
    if clock.seat is not None and clock.turn_since is not None and grace[clock.seat]:
        passed = max(0, now - clock.turn_since)
        grace = _with(grace, clock.seat, max(0, grace[clock.seat] - passed))
    return replace(
        clock, spent=clock.used(now), since=None, latest=max(now, clock.latest), grace=grace
    )


def _running(clock: Clock) -> Clock:
    """Let a clock that has just been read run on, if the time of a seat runs."""
    if clock.seat is None or clock.paused:
        return clock
    # An instant in the future: until the vacation and the free time before a first move are over,
    # no time passes. So neither needs a timer that starts the clock.
    since = max(clock.latest, clock.until[clock.seat] or 0) + clock.grace[clock.seat]
    return replace(clock, since=since)


def _begun(clock: Clock, seat: int) -> Clock:
    """Let the turn of a seat begin, or go on after a takeback."""
    return _running(replace(clock, seat=seat, spent=clock.used_before(seat)))


def _ended(clock: Clock) -> Clock:
    """Take what the turn has used from the bank, and give the increment."""
    seat = clock.seat
    if seat is None or clock.control.is_unlimited:
        return clock
    booked = _booked(replace(clock, grace=_with(clock.grace, seat, 0)), seat)
    bank = booked.banks[seat] + clock.control.increment
    turns = _with(clock.turns, seat, clock.turns[seat] + 1)
    return replace(booked, banks=_with(booked.banks, seat, bank), turns=turns)


def _booked(clock: Clock, seat: int) -> Clock:
    """Take what the turn of a seat has used from its time for the move, and then from its bank."""
    per_move = clock.control.per_move
    bank = max(0, clock.banks[seat] - max(0, clock.spent - per_move))
    booked = replace(clock, banks=_with(clock.banks, seat, bank))
    if not per_move:
        return booked
    used, turn = clock.used_per_move[seat], clock.turns[seat]
    # Kept for each turn: after a takeback the turn goes on with the time that it had left, or a
    # player could gain time by repeated takebacks.
    used = (*used[:turn], min(clock.spent, per_move), *used[turn + 1 :])
    return replace(booked, used_per_move=_with(clock.used_per_move, seat, used))


def _with(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """Return a tuple with another value in one place."""
    return (*values[:place], value, *values[place + 1 :])

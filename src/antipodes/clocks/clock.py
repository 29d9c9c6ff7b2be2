"""A clock with a face for each seat: an immutable value that is told what time it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from antipodes.clocks.control import TimeControl


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """Whose time runs, and how much everybody has left; all times in milliseconds.

    Instants are milliseconds of any one clock that never goes back, such as those since 1970. What
    arrives with an earlier instant than the last one counts as arriving at the last one.

    Attributes:
        control: how much time there is.
        banks: what is left in each seat's bank, without the turn that runs.
        seat: whose turn it is, or ``None`` before the start and after the end.
        spent: what the turn had used up when the clock was last read.
        since: when that was, while the time runs; ``None`` while it stands still.
        paused: whether the clock stands still for everybody.
        away: seats on vacation; in their turns the clock stands still.
    """

    control: TimeControl
    banks: tuple[int, ...]
    seat: int | None = None
    spent: int = 0
    since: int | None = None
    paused: bool = False
    away: frozenset[int] = frozenset()

    @classmethod
    def ready(cls, control: TimeControl, seats: int) -> Clock:
        """Return a clock that has not been started."""
        return cls(control=control, banks=(control.bank,) * seats)

    @property
    def is_running(self) -> bool:
        """Whether somebody's time runs."""
        return self.since is not None

    def turn_to(self, seat: int, now: int) -> Clock:
        """End the turn that runs, if any, and begin the turn of ``seat``.

        The flag is not looked at; ask :meth:`flagged` first.
        """
        return _settled(replace(self._ended(now), seat=seat, spent=0, since=None), now)

    def stop(self, now: int) -> Clock:
        """End the turn that runs, if any; nobody's time runs from then on."""
        return replace(self._ended(now), seat=None, spent=0, since=None)

    def pause(self, now: int) -> Clock:
        """Let the clock stand still."""
        return _settled(replace(self._read(now), paused=True), now)

    def resume(self, now: int) -> Clock:
        """Let the clock go on after a pause."""
        return _settled(replace(self._read(now), paused=False), now)

    def leave(self, seat: int, now: int) -> Clock:
        """Let a seat's time stand still: its player is on vacation."""
        return _settled(replace(self._read(now), away=self.away | {seat}), now)

    def come_back(self, seat: int, now: int) -> Clock:
        """Let a seat's time run again in its turns."""
        return _settled(replace(self._read(now), away=self.away - {seat}), now)

    def used(self, now: int) -> int:
        """Return what the turn that runs has used up so far."""
        return self.spent + (max(0, now - self.since) if self.since is not None else 0)

    def left(self, seat: int, now: int) -> int | None:
        """Return what a seat has left for its turn; negative past its flag, ``None`` unlimited.

        For the seat whose turn it is, that is until its flag falls; for another one what it would
        have if its turn began.
        """
        if self.control.is_unlimited:
            return None
        whole = self.control.per_move + self.banks[seat]
        return whole - self.used(now) if seat == self.seat else whole

    def flagged(self, now: int) -> int | None:
        """Return the seat whose time is up, or ``None``."""
        if self.seat is None or self.control.is_unlimited:
            return None
        return (
            self.seat if self.used(now) >= self.control.per_move + self.banks[self.seat] else None
        )

    @property
    def deadline(self) -> int | None:
        """The instant at which the flag of the seat to move falls; ``None`` while none will."""
        if self.seat is None or self.since is None or self.control.is_unlimited:
            return None
        return self.since + self.control.per_move + self.banks[self.seat] - self.spent

    def with_bank(self, seat: int, bank: int) -> Clock:
        """Return the clock with another amount in a seat's bank: given time, or a restored one."""
        return replace(self, banks=self._banks_with(seat, max(0, bank)))

    def _read(self, now: int) -> Clock:
        """Book what has run until now."""
        if self.since is None:
            return self
        return replace(self, spent=self.used(now), since=max(now, self.since))

    def _ended(self, now: int) -> Clock:
        """Take what the turn has used from the bank, and give the increment."""
        if self.seat is None or self.control.is_unlimited:
            return self
        over = max(0, self.used(now) - self.control.per_move)
        bank = max(0, self.banks[self.seat] - over) + self.control.increment
        return replace(self, banks=self._banks_with(self.seat, bank))

    def _banks_with(self, seat: int, bank: int) -> tuple[int, ...]:
        return (*self.banks[:seat], bank, *self.banks[seat + 1 :])


def _settled(clock: Clock, now: int) -> Clock:
    """Let the clock run from now on or stand still, whichever is right."""
    runs = clock.seat is not None and not clock.paused and clock.seat not in clock.away
    if not runs:
        return replace(clock, since=None)
    return replace(clock, since=now if clock.since is None else clock.since)

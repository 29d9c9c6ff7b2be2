"""The site's clock: a wall clock that never jumps and that all processes share.

It follows the reference clock: the wall clock of the machine, or that of PostgreSQL where several
machines share the site. In between it advances with the machine's monotonic clock. If the reference
clock is set, the site's clock goes on as before, and a row says by how much the two differ, so that
all processes agree. The difference shrinks by a thousandth of the time that passes.

A clock that has not been started, as in a command of its own, is the wall clock of the machine.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from django.db import connection, transaction

from antipodes.web.platform.models import ClockRow

logger = logging.getLogger(__name__)

TOLERANCE = 100  # milliseconds between two clocks that count as agreeing
SERIOUS = 10_000  # milliseconds; larger jumps are logged as errors
SLEW = 1_000  # milliseconds in which the clock is slewed by one
_YOUNG = 10_000  # milliseconds after its start in which a process adopts the time
_SHARP = 50  # milliseconds; slower readings are discarded
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Reading:
    """Readings of both clocks at one instant, in milliseconds.

    Attributes:
        monotonic: of this machine, time asleep included.
        reference: the clock that the site follows.
    """

    monotonic: int
    reference: int


@dataclass(frozen=True, slots=True)
class Correction:
    """How far the site's clock is ahead of the reference clock.

    Attributes:
        ahead: milliseconds, at the instant ``since``.
        since: milliseconds of the reference clock.
    """

    ahead: int = 0
    since: int = 0

    def ahead_at(self, reference: int) -> int:
        """Return the remaining difference at an instant of the reference clock."""
        left = max(0, abs(self.ahead) - max(0, reference - self.since) // SLEW)
        return left if self.ahead > 0 else -left


class SiteClock:
    """The clock of one process, without access to other clocks."""

    def __init__(self) -> None:
        """Create a clock that is not set yet."""
        self._offset: int | None = None
        self._latest = 0
        self._begun = 0
        self._last: Reading | None = None
        self._correction = Correction()

    @property
    def is_set(self) -> bool:
        """Whether the clock is set."""
        return self._offset is not None

    @property
    def ahead(self) -> int:
        """Milliseconds by which it was ahead of the reference clock at the latest reading."""
        return 0 if self._last is None else self._correction.ahead_at(self._last.reference)

    def now(self, monotonic: int) -> int:
        """Return the site's time; it never goes back."""
        assert self._offset is not None
        self._latest = max(self._latest, monotonic + self._offset)
        return self._latest

    def disagrees(self, reading: Reading, correction: Correction) -> bool:
        """Return whether the clocks differ so much that one of them must have been set."""
        return self.is_set and abs(self._error(reading, correction)) > TOLERANCE

    def _error(self, reading: Reading, correction: Correction) -> int:
        assert self._offset is not None
        site = reading.reference + correction.ahead_at(reading.reference)
        return site - reading.monotonic - self._offset

    def follow(self, reading: Reading, correction: Correction) -> Correction | None:
        """Follow the reference clock; return a new correction if it has been set."""
        before, known = self._last, self._correction
        self._last, self._correction = reading, correction
        if self._offset is None or before is None:
            self._begun, self._offset = reading.monotonic, 0
            self._set_by(self._error(reading, correction))
            return None
        error = self._error(reading, correction)
        if abs(error) <= TOLERANCE:
            most = max(1, (reading.monotonic - before.monotonic) // SLEW)
            self._offset += max(-most, min(most, error))
            return None
        is_young = reading.monotonic - self._begun < _YOUNG
        passed = reading.monotonic - before.monotonic
        if correction != known and abs(reading.reference - before.reference - passed) > TOLERANCE:
            return None  # the reference clock was set; another process may have stored a correction
        if correction != known and (error > 0 or is_young):
            # Another process has stored that the reference clock was set, or this machine slept.
            self._set_by(error)
            return None
        ahead = correction.ahead_at(reading.reference) - error
        self._correction = Correction(ahead, reading.reference)
        return self._correction

    def _set_by(self, error: int) -> None:
        """Jump, because this process has just started or was asleep."""
        assert self._offset is not None
        self._offset += error
        self._latest = 0
        if self._last is not None and self._begun != self._last.monotonic:
            logger.warning("clock adopted from other processes by=%+.1fs", error / 1_000)


_clock = SiteClock()


def now() -> int:
    """Return the site's time in milliseconds since 1970."""
    return _clock.now(_monotonic()) if _clock.is_set else _wall()


def start(*, afresh: bool = False) -> None:
    """Take the site's time from other processes, or ``afresh`` from the reference clock.

    If the database does not answer, :func:`follow` does it later.
    """
    global _clock  # noqa: PLW0603
    if afresh:
        ClockRow.objects.update_or_create(pk=1, defaults={"ahead": 0, "since": 0})
        _clock = SiteClock()
    try:
        follow()
    except Exception as error:  # noqa: BLE001 - the database may be unavailable
        logger.warning("clock not synchronised yet error=%s", error)


def follow() -> None:
    """Compare the site's clock with the reference clock; called once a second."""
    reading = _read()
    if reading is None:
        return
    known = _stored()
    if not _clock.disagrees(reading, known):
        _clock.follow(reading, known)
        return
    with transaction.atomic():
        # Another process may have noticed it too: read again with the row locked.
        row, _ = ClockRow.objects.select_for_update().get_or_create(pk=1)
        known = Correction(row.ahead, row.since)
        reading = _read()
        changed = None if reading is None else _clock.follow(reading, known)
        if reading is None or changed is None:
            return
        row.ahead, row.since = changed.ahead, changed.since
        row.save()
    by = known.ahead_at(reading.reference) - changed.ahead
    level = logging.ERROR if abs(by) > SERIOUS else logging.WARNING
    logger.log(level, "clock jumped by=%+.1fs, compensated", by / 1_000)


def ahead() -> int:
    """Return by how many milliseconds the site's clock is ahead of the reference clock."""
    return _clock.ahead


def skew() -> int:
    """Return by how many milliseconds this machine's clock is ahead of the reference clock."""
    return _wall() - _database_now() if _is_of_database() else 0


def advice() -> str | None:
    """Return what the host should do about the clock, if anything."""
    by = ahead()
    if abs(by) <= SERIOUS:
        return None
    which = "database's" if _is_of_database() else "machine's"
    word = "ahead of" if by > 0 else "behind"
    return f"{abs(by) // 1_000} s {word} the {which} clock; restart the site to take its time"


def _is_of_database() -> bool:
    return connection.vendor == "postgresql"


def _stored() -> Correction:
    found = ClockRow.objects.filter(pk=1).values_list("ahead", "since").first()
    return Correction(*found) if found else Correction()


def _read() -> Reading | None:
    """Read all clocks; ``None`` if each attempt took too long to compare them."""
    for _ in range(_ATTEMPTS):
        before = _monotonic()
        reference = _database_now() if _is_of_database() else _wall()
        after = _monotonic()
        if after - before <= _SHARP:
            return Reading((before + after) // 2, reference)
    return None


def _database_now() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        return int(cursor.fetchone()[0])


def _wall() -> int:
    return time.time_ns() // 1_000_000


def _monotonic() -> int:
    """Return monotonic milliseconds, including sleep of the machine where supported."""
    number = getattr(time, "CLOCK_BOOTTIME", getattr(time, "CLOCK_MONOTONIC", None))
    nanoseconds = time.monotonic_ns() if number is None else time.clock_gettime_ns(number)
    return nanoseconds // 1_000_000

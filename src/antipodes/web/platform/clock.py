"""The site's clock: a wall clock that never goes back and that all processes share.

It follows the reference clock: the wall clock of the machine, or that of PostgreSQL where several
machines share the site. In between it advances with the machine's monotonic clock. If the reference
clock is set forward, so is the site's: that is a downtime, and `heartbeats` gives players the time
back. If it is set back, the site's clock is ahead of it and runs one per cent slower until both
agree. A row says how far it is ahead, so that processes which start later are ahead too.

A clock that has not been started, as in a command of its own, is the wall clock of the machine.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass

from django.db import connection

from antipodes.web.platform.models import ClockRow

logger = logging.getLogger(__name__)

TOLERANCE = 100  # milliseconds between two clocks that count as agreeing
SERIOUS = 10_000  # milliseconds; larger jumps are logged as errors
SLEW = 100  # milliseconds in which a clock that is ahead loses one
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
class Lead:
    """How far the site's clock is ahead of the reference clock.

    Attributes:
        ahead: milliseconds, at the instant ``since``.
        since: milliseconds of the reference clock.
    """

    ahead: int = 0
    since: int = 0

    def at(self, reference: int) -> int:
        """Return the lead that is left at an instant of the reference clock."""
        return max(0, self.ahead - max(0, reference - self.since) // SLEW)


class SiteClock:
    """The clock of one process, without access to other clocks."""

    def __init__(self) -> None:
        """Create a clock that is not set yet."""
        self._offset: int | None = None
        self._latest = 0
        self._last: Reading | None = None

    @property
    def is_set(self) -> bool:
        return self._offset is not None

    @property
    def ahead(self) -> int:
        """Milliseconds by which it was ahead of the reference clock at the latest reading."""
        return 0 if self._last is None else self.now(self._last.monotonic) - self._last.reference

    def now(self, monotonic: int) -> int:
        """Return the site's time; it never goes back."""
        assert self._offset is not None
        self._latest = max(self._latest, monotonic + self._offset)
        return self._latest

    def reach(self, instant: int, monotonic: int) -> None:
        """Set the clock forward to an instant, unless it has passed."""
        assert self._offset is not None
        self._offset = max(self._offset, instant - monotonic)

    def follow(self, reading: Reading, stored: Lead) -> int:
        """Follow the reference clock; return by how many milliseconds the clock was set forward.

        Args:
            reading: of the clocks.
            stored: the lead of the clocks of all processes.
        """
        before, self._last = self._last, reading
        if self._offset is None or before is None:
            self._offset = reading.reference + stored.at(reading.reference) - reading.monotonic
            return 0
        passed = reading.monotonic - before.monotonic
        was_set = abs(reading.reference - before.reference - passed) > TOLERANCE
        # A lead that was stored before the reference clock was set is not the present one.
        lead = 0 if was_set else stored.at(reading.reference)
        behind = reading.reference + lead - self.now(reading.monotonic)
        if behind >= 0:
            self._offset += behind
            return behind
        # Ahead: it runs slower until the reference clock has caught up, since it may not go back.
        self._offset -= min(max(0, self.ahead), passed // SLEW)
        return 0


_clock = SiteClock()


def now() -> int:
    """Return the site's time in milliseconds since 1970."""
    return _clock.now(_monotonic()) if _clock.is_set else _wall()


def start() -> None:
    """Take the site's time; if the database does not answer, :func:`follow` does it later."""
    try:
        follow()
    except Exception as error:  # noqa: BLE001 - the database may be unavailable
        logger.warning("clock not synchronised yet error=%s", error)


def reach(instant: int) -> None:
    """Set the site's clock forward to an instant, unless it has passed."""
    _clock.reach(instant, _monotonic())


def follow() -> None:
    """Follow the reference clock, and store how far the site is ahead; called once a second."""
    stored = _stored()  # before the clocks, which may be set in between
    reading = _read()
    if reading is None:
        return
    jump = _clock.follow(reading, stored)
    if jump > TOLERANCE:
        level = logging.ERROR if jump > SERIOUS else logging.WARNING
        logger.log(level, "clock set forward by=%.1fs", jump / 1_000)
    if abs(_clock.ahead - stored.at(reading.reference)) > TOLERANCE:
        lead = {"ahead": _clock.ahead, "since": reading.reference}
        ClockRow.objects.update_or_create(pk=1, defaults=lead)


def ahead() -> int:
    """Return by how many milliseconds the site's clock is ahead of the reference clock."""
    return _clock.ahead


def skew() -> int:
    """Return by how many milliseconds this machine's clock is ahead of the reference clock."""
    return _wall() - _database_now() if _is_of_database() else 0


def notice() -> str | None:
    """Return what the host should know about the clock, if anything."""
    by = ahead()
    if by <= SERIOUS:
        return None
    which = "database's" if _is_of_database() else "machine's"
    return f"{by // 1_000} s ahead of the {which} clock, which was set back; it is losing that time"


def _is_of_database() -> bool:
    return connection.vendor == "postgresql"


def _stored() -> Lead:
    found = ClockRow.objects.filter(pk=1).values_list("ahead", "since").first()
    return Lead(*found) if found else Lead()


def _read() -> Reading | None:
    """Read all clocks; ``None`` if each attempt took too long to compare them."""
    for _ in range(_ATTEMPTS):
        before = _monotonic()
        reference = _database_now() if _is_of_database() else _wall()
        after = _monotonic()
        if after - before <= _SHARP:
            # The reference was read in between: half of _SHARP is the largest error.
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

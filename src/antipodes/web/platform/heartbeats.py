"""Heartbeats: which processes run, and when the site could accept moves.

Web processes beat once a second on the path of a player's move: through the event loop and the
thread of sockets into the database. Engines beat for the computer. A row holds the latest beat of
each kind; a gap between two beats is a downtime, in which moves of that kind could not be made.
`matches.downtime` gives players the time of downtimes back; games end on time only for time before
the latest beat.
"""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import close_old_connections, connection, transaction
from django.db.models import QuerySet

from antipodes.clocks import HOUR
from antipodes.web.platform import clock, locks, metrics, write_probe
from antipodes.web.platform.background import Task, run_task
from antipodes.web.platform.models import HeartbeatRow, ProcessKind, ProcessRow

logger = logging.getLogger(__name__)

# All in milliseconds.
SHORTEST = 3_000  # of a downtime; a shorter gap may be a slow heartbeat
GRACE = 10_000  # after a downtime, for players to reconnect
LATELY = 20_000  # a process with a later heartbeat counts as running
_FORGOTTEN = HOUR

BEAT = 1.0  # seconds between two heartbeats
_PROCESS_BEAT = 5.0  # seconds between two heartbeats of a process

_PKS = {ProcessKind.WEB: 1, ProcessKind.ENGINE: 2}  # of HeartbeatRow


@dataclass(frozen=True, slots=True)
class Downtime:
    """A period in which moves could not be made, in milliseconds of the site's clock.

    Attributes:
        stopped: the latest heartbeat before it.
        ended: the first one after it.
    """

    stopped: int
    ended: int

    @property
    def resumed(self) -> int:
        """When players' clocks run again: some seconds later, for players to reconnect."""
        return self.ended + GRACE

    @classmethod
    def of(cls, row: HeartbeatRow) -> Downtime | None:
        """Return the downtime of a row that has not been given back to all players yet."""
        if row.stopped_at is None or row.resumed_at is None:
            return None
        return cls(row.stopped_at, row.resumed_at - GRACE)


_beats: dict[ProcessKind, tuple[int, Downtime | None]] = {}  # the latest of this process, by kind


def is_shared() -> bool:
    """Return whether several machines may share the database."""
    return connection.vendor != "sqlite"


def start_clock() -> None:
    """Start the site's clock before the site is served.

    It goes on from the latest heartbeat if the reference clock was set back meanwhile. The time
    without heartbeats is a downtime, and so is a restart whose length is not known therefore.
    """
    row = HeartbeatRow.objects.filter(pk=_PKS[ProcessKind.WEB]).first()
    clock.start()
    if row is None:
        return
    passed = clock.now() - row.at
    clock.reach(row.at)
    if abs(passed) > SHORTEST:
        _resume()


def _resume() -> None:
    at = clock.now()
    with transaction.atomic():
        for row in HeartbeatRow.objects.select_for_update().order_by("pk"):
            _note_downtime(row, at)
            row.at = at
            row.save()


def beat(kind: ProcessKind) -> Downtime | None:
    """Record that moves of a kind can be made now.

    Returns:
        The downtime of this process, if only its own heartbeat paused; ``None`` if it did not, or
        if all paused: then the row has the downtime.
    """
    clock.follow()
    at = clock.now()
    with _without_waiting_for_the_disk(), transaction.atomic():
        row, _ = HeartbeatRow.objects.select_for_update().get_or_create(
            pk=_PKS[kind], defaults={"at": at}
        )
        is_downtime = at - row.at > SHORTEST
        if is_downtime:
            _note_downtime(row, at)
        # The instant was read before the lock was granted; another process may have beaten since.
        row.at = max(row.at, at)
        row.save()
    before, _beats[kind] = _beats.get(kind), (at, Downtime.of(row))
    write_probe.note(None)
    if is_downtime or before is None or at - before[0] <= SHORTEST:
        return None
    return Downtime(before[0], at)


@contextmanager
def _without_waiting_for_the_disk() -> Iterator[None]:
    """Let SQLite commit without a sync; a beat lost by a power failure only gives players time."""
    if is_shared() or connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA synchronous=NORMAL")
        try:
            yield
        finally:
            cursor.execute("PRAGMA synchronous=FULL")


def _note_downtime(row: HeartbeatRow, at: int) -> None:
    """Record a downtime that ends now; it includes an earlier one that was not given back yet."""
    logger.warning("downtime recorded row=%s seconds=%.1f", row.pk, (at - row.at) / 1_000)
    row.stopped_at = row.at if row.stopped_at is None else row.stopped_at
    row.resumed_at = at + GRACE


def latest(kind: ProcessKind) -> int | None:
    """Return when moves of a kind could last be made; ``None`` if never."""
    return HeartbeatRow.objects.filter(pk=_PKS[kind]).values_list("at", flat=True).first()


def downtime(kind: ProcessKind, at: int) -> Downtime | None:
    """Return the downtime that has not been given back at an instant, if there is one.

    A downtime in progress ends at that instant. No query is needed in a process that beats itself.
    """
    if kind in _beats:
        beat_at, noted = _beats[kind]
    else:
        row = HeartbeatRow.objects.filter(pk=_PKS[kind]).first()
        if row is None:
            return None
        beat_at, noted = row.at, Downtime.of(row)
    if at - beat_at > SHORTEST:
        return Downtime(beat_at if noted is None else noted.stopped, at)
    return noted


def downtimes() -> dict[ProcessKind, Downtime]:
    """Return the downtimes that have not been given back to all players."""
    rows = HeartbeatRow.objects.in_bulk(list(_PKS.values()))
    found = {kind: Downtime.of(rows[pk]) for kind, pk in _PKS.items() if pk in rows}
    return {kind: downtime for kind, downtime in found.items() if downtime is not None}


def mark_given_back(kind: ProcessKind, downtime: Downtime) -> None:
    """Mark a downtime as given back to all players, unless it was extended meanwhile."""
    rows = HeartbeatRow.objects.filter(pk=_PKS[kind], resumed_at=downtime.resumed)
    rows.update(stopped_at=None, resumed_at=None)


class EngineHeartbeat(threading.Thread):
    """Heartbeat of the computer in an engine: a thread that beats once a second."""

    def __init__(self) -> None:
        """Create the thread without starting it."""
        super().__init__(name="heartbeat", daemon=True)

    def run(self) -> None:
        """Beat until the process ends."""
        pause = threading.Event()
        while True:
            close_old_connections()
            try:
                beat(ProcessKind.ENGINE)
            except Exception as error:  # noqa: BLE001 - the database may be unavailable
                write_probe.note(error)
                logger.warning("heartbeat failed error=%s", error)
            pause.wait(BEAT)


class ProcessHeartbeat(threading.Thread):
    """Heartbeat of a process: a thread that updates its row every few seconds."""

    def __init__(
        self,
        kind: ProcessKind,
        count_done: Callable[[], int] = lambda: 0,
        list_online: Callable[[], Collection[int]] = frozenset,
        tasks: Sequence[Task] = (),
    ) -> None:
        """Create the thread without starting it.

        Args:
            kind: of the process.
            count_done: returns how many jobs this process has done.
            list_online: returns the ids of the users who have a page of this process open.
            tasks: run at each beat.
        """
        super().__init__(name="process heartbeat", daemon=True)
        self._kind = kind
        self._count_done = count_done
        self._list_online = list_online
        self._tasks = tasks
        self._begun = clock.now()
        self._is_ending = threading.Event()

    def run(self) -> None:
        """Beat until the process ends."""
        while not self._is_ending.is_set():
            close_old_connections()
            try:
                self._note()
            except Exception as error:  # noqa: BLE001 - the database may be unavailable
                write_probe.note(error)
                logger.warning("process heartbeat failed error=%s", error)
            else:
                write_probe.note(None)
            for task in self._tasks:
                run_task(task)
            self._is_ending.wait(_PROCESS_BEAT)

    def _note(self) -> None:
        current = {
            "seen_at": clock.now(),
            "done": self._count_done(),
            "unreadable": metrics.unreadable_addresses(),
            "online": sorted(self._list_online()),
        }
        lasting = {
            "kind": self._kind,
            "host": socket.gethostname()[:80],
            "begun_at": self._begun,
        }
        ProcessRow.objects.update_or_create(
            name=locks.THIS_PROCESS, defaults=current, create_defaults={**lasting, **current}
        )

    def stop(self) -> None:
        """Delete the row of the process."""
        self._is_ending.set()
        close_old_connections()  # the connection may have been lost
        try:
            ProcessRow.objects.filter(name=locks.THIS_PROCESS).delete()
        except Exception as error:  # noqa: BLE001 - the row expires anyway
            logger.warning("process row not deleted error=%s", error)


def delete_stale_processes() -> None:
    """Delete rows of processes that were killed long ago."""
    ProcessRow.objects.filter(seen_at__lt=clock.now() - _FORGOTTEN).delete()


def running(kind: ProcessKind) -> int:
    """Return how many processes of a kind run, by their latest heartbeats."""
    return _fresh(kind).count()


def online() -> frozenset[int]:
    """Return the ids of the users who have a page of the site open."""
    return frozenset().union(*_fresh(ProcessKind.WEB).values_list("online", flat=True))


def _fresh(kind: ProcessKind) -> QuerySet[ProcessRow]:
    return ProcessRow.objects.filter(seen_at__gte=clock.now() - LATELY, kind=kind)

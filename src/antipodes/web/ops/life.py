"""Signs of life: which processes there are, and when the site was last known to run.

On one machine a file is touched once a second; it costs nothing. Several machines share a row.
"""

from __future__ import annotations

import logging
import socket
import threading
import time
from pathlib import Path

from django.db import close_old_connections, connection, transaction
from django.db.backends.signals import connection_created
from django.db.models import Q

from antipodes.web import jobs
from antipodes.web.config import data_folder
from antipodes.web.matches import services
from antipodes.web.ops import leases, metrics, write_probe
from antipodes.web.ops.models import Kind, LifeRow, ProcessRow

logger = logging.getLogger(__name__)

# All in milliseconds.
SHORTEST_OUTAGE = 3_000  # what is shorter may be a slow round
GRACE = 10_000  # after an outage, for people to find their way back
LATELY = 20_000  # a process that gave a sign of life since then runs
_FORGOTTEN = 3_600_000

_EACH = 5.0  # seconds between two signs of a process
_BRIDGING = 30.0  # seconds that one process has for giving time back
_PATIENCE = 5.0  # seconds that others wait for it


def is_shared() -> bool:
    """Return whether several machines may share the database."""
    return connection.vendor != "sqlite"


def sign_of_life() -> Path:
    """Return the file that is touched as long as a site on one machine is served."""
    return data_folder() / "alive"


def is_alive() -> bool:
    """Return whether people can play on a site on one machine."""
    try:
        silence = time.time() - sign_of_life().stat().st_mtime
    except FileNotFoundError:
        return True  # nothing has been served here yet
    return silence * 1_000 < SHORTEST_OUTAGE


def sign() -> None:
    """Note in the database that the site runs; after an outage players get their time back."""
    at = leases.database_now()
    with transaction.atomic():
        LifeRow.objects.get_or_create(pk=1, defaults={"at": at})
        row = LifeRow.objects.select_for_update().get(pk=1)
        if row.stopped_at is None and at - row.at > SHORTEST_OUTAGE:
            row.stopped_at, row.resumed_at = row.at, at + GRACE
        row.at = max(row.at, at)
        row.save()
    if row.stopped_at is not None:
        _bridge_or_wait()


def is_running() -> bool:
    """Return whether people can play, and none of them waits for time to be given back."""
    fresh = leases.database_now() - SHORTEST_OUTAGE
    return LifeRow.objects.filter(pk=1, at__gte=fresh, stopped_at=None).exists()


def _bridge_or_wait() -> None:
    """Give time back, or wait for another process that does: nobody shall move before."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end:
        row = LifeRow.objects.get(pk=1)
        if row.stopped_at is None or row.resumed_at is None:
            return
        if leases.hold("bridging", _BRIDGING):
            services.bridge_outage(row.stopped_at, row.resumed_at)
            LifeRow.objects.filter(pk=1, resumed_at=row.resumed_at).update(
                stopped_at=None, resumed_at=None
            )
            leases.let_go("bridging")
            return
        time.sleep(0.1)


def bridge_with_each_connection() -> None:
    """Look for an outage before anything is done on a new connection to the database.

    A command that arrives right after the database came back would else find its clock run out.
    """
    if is_shared():
        connection_created.connect(_look_first, dispatch_uid=__name__)


_looking = threading.local()


def _look_first(**_: object) -> None:
    if getattr(_looking, "now", False):
        return
    _looking.now = True
    try:
        sign()
    finally:
        _looking.now = False


class Sign(threading.Thread):
    """Notes again and again that this process runs."""

    def __init__(self, kind: Kind) -> None:
        """Prepare; nothing runs yet."""
        super().__init__(name="sign of life", daemon=True)
        self._kind = kind
        self._begun = services.now()
        self._is_ending = threading.Event()

    def run(self) -> None:
        """Go on for as long as the process lives."""
        while not self._is_ending.is_set():
            metrics.share()
            close_old_connections()
            try:
                self._note()
            except Exception as error:  # noqa: BLE001 - the database is away, and comes back
                write_probe.note(error)
                logger.warning("a sign of life could not be written: %s", error)
            else:
                write_probe.note(None)
            self._is_ending.wait(_EACH)

    def _note(self) -> None:
        at = leases.database_now()
        ProcessRow.objects.update_or_create(
            name=leases.THIS_PROCESS,
            defaults={"seen_at": at, "done": jobs.done_here()},
            create_defaults={
                "kind": self._kind,
                "host": socket.gethostname()[:80],
                "begun_at": self._begun,
                "seen_at": at,
            },
        )

    def stop(self) -> None:
        """Note that the process is gone."""
        self._is_ending.set()
        metrics.share()
        close_old_connections()  # the last one may have broken long ago
        try:
            ProcessRow.objects.filter(name=leases.THIS_PROCESS).delete()
        except Exception as error:  # noqa: BLE001 - it is found out without that as well
            logger.warning("the end of the process could not be noted: %s", error)


def forget_the_dead() -> None:
    """Delete what is left of processes that were killed long ago."""
    ProcessRow.objects.filter(seen_at__lt=leases.database_now() - _FORGOTTEN).delete()


def running(kind: Kind) -> int:
    """Return how many processes of a kind gave a sign of life lately."""
    fresh = Q(seen_at__gte=leases.database_now() - LATELY)
    return ProcessRow.objects.filter(fresh, kind=kind).count()

"""Scheduler: runs periodic tasks."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Sequence
from contextlib import suppress

from django.db import close_old_connections

from antipodes.web.notifications import delivery
from antipodes.web.platform import heartbeats, locks
from antipodes.web.platform.background import PeriodicTask, Task, run_task
from antipodes.web.platform.outages import OUTAGES

logger = logging.getLogger(__name__)

_CHECK_EVERY = 1.0  # seconds


_LEASE = "scheduler"
_LEASED = 5.0  # seconds after which another worker takes over if this one is killed


class Scheduler(threading.Thread):
    """A thread that runs due tasks once a second, in one worker at a time."""

    def __init__(self, tasks: Sequence[PeriodicTask]) -> None:
        """Create the thread without starting it; ``is_active`` tells whether it runs tasks now."""
        super().__init__(name="scheduler", daemon=True)
        self.is_active = False
        self._tasks = tasks
        self._due: dict[Task, float] = {}
        self._is_ending = threading.Event()

    def run(self) -> None:
        """Run due tasks until the process ends."""
        while not self._is_ending.is_set():
            was_active, self.is_active = self.is_active, self._has_lease()
            if self.is_active and not was_active:
                delivery.alarm.ring()
            if self.is_active:
                self.run_due_tasks()
            self._is_ending.wait(_CHECK_EVERY)

    def stop(self) -> None:
        """Stop, and let another worker take over at once."""
        self._is_ending.set()
        if heartbeats.is_shared():
            with suppress(*OUTAGES):
                locks.release_lease(_LEASE)

    @staticmethod
    def _has_lease() -> bool:
        if not heartbeats.is_shared():
            return True
        close_old_connections()
        try:
            return locks.acquire_lease(_LEASE, _LEASED)
        except Exception as error:  # noqa: BLE001 - the database may be unavailable
            logger.warning("scheduler lease not acquired error=%s", error)
            return False

    def run_due_tasks(self) -> None:
        at = time.monotonic()
        for seconds, task in self._tasks:
            if at >= self._due.get(task, at):
                self._due[task] = at + seconds
                run_task(task)

"""Scheduler: runs periodic tasks, gives players the time of downtimes back, ends games on time."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from django.db import close_old_connections
from django.db.models import Q

from antipodes.clocks import DAY
from antipodes.web.challenges.models import ChallengeRow
from antipodes.web.matches import downtime, services
from antipodes.web.matches.models import MatchRow
from antipodes.web.notifications import delivery
from antipodes.web.platform import heartbeats, locks
from antipodes.web.platform.background import run_task
from antipodes.web.platform.clock import now
from antipodes.web.platform.models import Kind
from antipodes.web.platform.outages import OUTAGES
from antipodes.web.platform.periodic import every, periodic_tasks

logger = logging.getLogger(__name__)

_CHECK_EVERY = 1.0  # seconds


_LEASE = "scheduler"
_LEASED = 5.0  # seconds after which another worker takes over if this one is killed


@every(1)
def give_back_downtimes() -> None:
    """Give players the time of downtimes back, once for each match."""
    for kind, gap in heartbeats.downtimes().items():
        for slug in downtime.unbridged(kind, gap):
            services.give_back(slug, gap)
        heartbeats.mark_given_back(kind, gap)


@every(1)
def let_flags_fall() -> None:
    """End matches in which a player ran out of time while moves could be made."""
    running = MatchRow.objects.filter(ended_at=None)
    computers = running.filter(downtime.COMPUTER_MOVES).values("pk")
    for kind, whose in ((Kind.WEB, ~Q(pk__in=computers)), (Kind.ENGINE, Q(pk__in=computers))):
        until = heartbeats.latest(kind)
        if until is not None:
            fallen = running.filter(whose, deadline__lte=until)
            for slug in list(fallen.values_list("slug", flat=True)):
                services.let_flag_fall(slug, until)


@every(3_600)
def delete_abandoned_challenges() -> None:
    """Delete challenges of guests that had no player after a day."""
    old = ChallengeRow.objects.filter(match=None, joins=None, made_at__lt=now() - DAY)
    old.filter(by__is_guest=True).delete()


class Scheduler(threading.Thread):
    """A thread that runs due tasks once a second, in one worker at a time."""

    def __init__(self) -> None:
        """Create the thread without starting it; ``is_active`` tells whether it runs tasks now."""
        super().__init__(name="scheduler", daemon=True)
        self.is_active = False
        self._due: dict[Callable[[], None], float] = {}
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
        """Run all due tasks."""
        at = time.monotonic()
        for one in periodic_tasks:
            if at >= self._due.get(one.task, at):
                self._due[one.task] = at + one.seconds
                run_task(one.task)

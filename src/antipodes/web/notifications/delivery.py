"""Delivery loop: turns match events into notifications, and those into e-mails and pushes.

A thread of the worker runs all delivery tasks in rounds. Between two rounds it sleeps without
queries, until

- another thread or process wakes it by pub/sub, after a commit with something to deliver;
- an instant comes for which a task has asked, such as the due time of an e-mail;
- the fallback interval is over. That catches lost wake-ups: tasks find their work in the database.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial

from django.db import transaction

from antipodes.web.platform import pubsub
from antipodes.web.platform.background import Task, run_task
from antipodes.web.platform.clock import now

WAITING = "delivery-waiting"  # pub/sub topic

FALLBACK = 30.0  # seconds
_PAUSE = 1.0  # seconds between two rounds at least, in which wake-ups are collected
_RETRY = 5_000  # milliseconds until the next round after a task has failed


def wake(**_: object) -> None:
    """Wake the delivery loop, in whatever process it runs, after the current transaction."""
    transaction.on_commit(partial(pubsub.send_to_workers, WAITING, {}))


class Alarm:
    """Ends the sleep of the delivery loop in this process."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._is_ringing = False
        self._instant: int | None = None

    def ring(self) -> None:
        """End the sleep now; without a sleeper, the next sleep ends at once."""
        with self._changed:
            self._is_ringing = True
            self._changed.notify()

    def set_at(self, instant: int | None) -> None:
        """End the next sleep at an instant, in milliseconds since 1970, or earlier."""
        if instant is not None:
            with self._changed:
                self._instant = instant if self._instant is None else min(self._instant, instant)
                self._changed.notify()

    def sleep(self, seconds: float) -> None:
        """Sleep until the alarm rings, for so many seconds at most; then reset the alarm."""
        end = time.monotonic() + seconds
        with self._changed:
            while not self._is_ringing and (left := self._left(end)) > 0:
                self._changed.wait(left)
            self._is_ringing, self._instant = False, None

    def _left(self, end: float) -> float:
        left = end - time.monotonic()
        return left if self._instant is None else min(left, (self._instant - now()) / 1_000)


alarm = Alarm()


class DeliveryLoop(threading.Thread):
    """The thread that runs delivery tasks; of several workers, one at a time is active."""

    def __init__(
        self,
        tasks: Sequence[Task],
        is_active: Callable[[], bool] = lambda: True,
        fallback: float = FALLBACK,
    ) -> None:
        """Create the thread without starting it.

        Args:
            tasks: run in each round. They are idempotent, and find their work in the database.
            is_active: tells whether this worker runs delivery tasks.
            fallback: seconds after which a round begins without a wake-up.
        """
        super().__init__(name="delivery", daemon=True)
        self._tasks = tasks
        self._is_active = is_active
        self._fallback = fallback
        self._is_ending = threading.Event()

    def run(self) -> None:
        """Run rounds until :meth:`stop`."""
        pubsub.subscribe(WAITING, lambda _: alarm.ring())
        while not self._is_ending.is_set():
            if self._is_active():
                run_round(self._tasks)
            self._is_ending.wait(_PAUSE)
            alarm.sleep(self._fallback)

    def stop(self) -> None:
        """End the thread after the current round."""
        self._is_ending.set()
        alarm.ring()


def run_round(tasks: Iterable[Task]) -> None:
    """Run delivery tasks; if one fails, ask for another round soon."""
    for task in tasks:
        if not run_task(task):
            alarm.set_at(now() + _RETRY)

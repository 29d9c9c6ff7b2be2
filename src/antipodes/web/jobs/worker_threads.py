"""Worker threads of an engine: one for each lane, which runs one job at a time.

One lane is for short jobs only, so that a long search never delays a quick move. Another is for
jobs that no player waits for: it runs at the lowest priority, and begins a job only while no other
one waits or runs. Each lane schedules its jobs fairly by itself.
"""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from django.db import close_old_connections

from antipodes.web.jobs import queue
from antipodes.web.jobs.fair_queue import Bounds, Job, Usage, next_job
from antipodes.web.jobs.models import Group
from antipodes.web.platform import pubsub
from antipodes.web.platform.limits import count_limit
from antipodes.web.platform.locks import job_lock, locked_jobs
from antipodes.web.platform.outages import outage_of

logger = logging.getLogger(__name__)

_LOWEST_PRIORITY = 19

_NOT_READY = 1.0  # seconds until a job whose kernels were missing is tried again
_FALLBACK = 1.0  # seconds until an idle thread looks for jobs that no message has announced

JOBS_OF_USER = count_limit(
    "jobs-in-work", 2, per="user", what="jobs that run at once in lanes of one kind"
)
JOBS_OF_ADDRESS = count_limit(
    "jobs-in-work-of-address",
    4,
    per="address",
    what="jobs that run at once in lanes of one kind",
)


@dataclass(frozen=True, slots=True)
class Lane:
    """The jobs that a thread runs.

    Attributes:
        name: of the lane, for logs.
        groups: of the jobs.
        is_idle: whether it runs its jobs only while there are no others.
    """

    name: str
    groups: frozenset[Group]
    is_idle: bool = False

    def takes(self, job: Job) -> bool:
        return queue.group_of(job.kind, job.seconds) in self.groups


LANES = (
    Lane("short", frozenset({Group.QUICK_MOVE, Group.QUICK_STUDY})),
    Lane("moves", frozenset({Group.QUICK_MOVE, Group.MOVE})),
    Lane("studies", frozenset({Group.QUICK_STUDY, Group.STUDY})),
    Lane("show", frozenset({Group.SHOW}), is_idle=True),
)

_lock = threading.Lock()
_done = 0
_running: dict[str, Job] = {}  # those that lanes of this process have seen, by name


def jobs_done() -> int:
    """Return how many jobs this process has run."""
    return _done


class LaneThread(threading.Thread):
    """A thread that runs jobs of a lane one after another."""

    def __init__(self, lane: Lane) -> None:
        """Create the thread without starting it."""
        super().__init__(name=f"lane {lane.name}", daemon=True)
        self._lane = lane
        self._is_woken = threading.Event()
        self._is_held = False  # whether jobs wait that may begin when others end
        self._usage = Usage()
        self._not_ready: dict[str, float] = {}  # names of jobs, and when to try them again

    def run(self) -> None:
        """Run jobs until the process ends."""
        if self._lane.is_idle:
            _lower_priority()
        while True:
            self._is_woken.clear()
            if not self._try_step():
                self._is_woken.wait(_FALLBACK)

    def hear(self, groups: Collection[str], *, is_new: bool) -> None:
        """End the present pause, or the next one, if jobs that came or ended matter to the lane.

        Jobs that end matter only if others wait for that.
        """
        is_mine = not self._lane.groups.isdisjoint(groups)
        if (is_new and is_mine) or (
            not is_new and self._is_held and (is_mine or self._lane.is_idle)
        ):
            self._is_woken.set()

    def _try_step(self) -> bool:
        """Run a job if there is one; log errors."""
        close_old_connections()
        try:
            return self.step()
        except Exception as error:
            if outage_of(error):
                logger.warning("lane paused: outage lane=%s error=%s", self._lane.name, error)
            else:
                logger.exception("lane failed lane=%s", self._lane.name)
        return False

    def step(self) -> bool:
        """Run the next job; return whether there was one."""
        self._is_held = True  # a job that ends during the choice may matter
        waiting = queue.candidates(self._lane.groups)
        self._is_held = bool(waiting)
        if not waiting or (self._lane.is_idle and queue.has_others(self._lane.groups)):
            return False
        running = self._running_jobs(waiting)
        bounds = Bounds(JOBS_OF_USER.value, JOBS_OF_ADDRESS.value)
        at = time.monotonic()
        self._not_ready = {name: until for name, until in self._not_ready.items() if until > at}
        ready = {job.name: job for job in waiting if job.name not in self._not_ready}
        job = next_job((ready | running).values(), running, self._usage, bounds)
        if job is None:
            return False
        with job_lock(job.name) as is_locked:
            if is_locked:
                _note_running({job.name: job})
                self._run_job(job)
        return is_locked

    def _running_jobs(self, found: list[Job]) -> dict[str, Job]:
        """Return the lane's running jobs: those found, and others that were seen earlier."""
        with _lock:
            seen = dict(_running)
        known = seen | {job.name: job for job in found}
        names = locked_jobs(known)
        _note_running({name: known[name] for name in names}, ended=seen.keys() - names)
        return {name: known[name] for name in names if self._lane.takes(known[name])}

    def _run_job(self, job: Job) -> None:
        """Run a job. Errors are logged; a periodic task adds lost jobs again."""
        global _done  # noqa: PLW0603
        self._usage.begin(job)
        begun = time.thread_time()
        try:
            queue.run_of(job)(job.key, job.version)
        except queue.NotReadyError:
            # The job stays in the queue; others go first until it is tried again.
            self._not_ready[job.name] = time.monotonic() + _NOT_READY
            return
        except Exception as error:
            if outage_of(error):
                raise
            logger.exception("job failed job=%r", job.name)
        finally:
            self._usage.settle(job, time.thread_time() - begun)
        queue.done(job)
        with _lock:
            _done += 1


def _note_running(jobs: Mapping[str, Job], ended: Iterable[str] = ()) -> None:
    """Keep jobs that run, so that they count for the bounds of clients however many wait."""
    with _lock:
        _running.update(jobs)
        for name in ended:
            _running.pop(name, None)


def _lower_priority() -> None:
    """Give this thread the lowest priority, where the system has priorities of threads."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST_PRIORITY)


def start(make: Callable[[Lane], LaneThread] = LaneThread) -> None:
    threads = [make(lane) for lane in LANES]

    def tell(message: pubsub.Message) -> None:
        for thread in threads:
            thread.hear(message["groups"], is_new=message["is_new"])

    pubsub.subscribe(queue.CHANGED, tell)
    for thread in threads:
        thread.start()

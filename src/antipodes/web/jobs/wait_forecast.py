"""Wait forecast: how long jobs wait, shown while the computer is busy."""

from __future__ import annotations

import math

from django.core.cache import cache

from antipodes.web.jobs import queue
from antipodes.web.jobs.fair_queue import Job, waits
from antipodes.web.jobs.models import Group
from antipodes.web.jobs.worker_threads import LANES
from antipodes.web.platform import clock, heartbeats
from antipodes.web.platform.locks import locked_jobs
from antipodes.web.platform.models import ProcessKind

_SHORTEST = 2.0  # seconds; shorter waits are not shown
_KEY = "work:forecast"
_CACHED = 2  # seconds for which a forecast is used


def forecast() -> dict[str, int]:
    """Return for each job's name about how many seconds it waits for an engine.

    Running jobs and jobs that have hardly waited are left out, and so are those far behind in a
    long queue.
    """
    waits: dict[str, int] | None = cache.get(_KEY)
    if waits is None:
        waits = _forecast(queue.candidates(Group))
        cache.set(_KEY, waits, _CACHED)
    return waits


def _forecast(waiting: list[Job]) -> dict[str, int]:
    if not waiting:
        return {}
    running = locked_jobs([job.name for job in waiting])
    engines = max(1, heartbeats.running(ProcessKind.ENGINE))
    wait_of_job: dict[str, float] = {}
    for lane in LANES:
        taken = [job for job in waiting if lane.takes(job)]
        for name, seconds in waits(taken, running, engines).items():
            wait_of_job[name] = min(seconds, wait_of_job.get(name, math.inf))
    before = clock.now() / 1_000 - _SHORTEST
    shown = {job.name for job in waiting if job.since < before and job.name not in running}
    return {name: math.ceil(wait_of_job[name]) for name in shown if wait_of_job[name] >= _SHORTEST}

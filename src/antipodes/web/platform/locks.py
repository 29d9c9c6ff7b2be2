"""Expiring distributed locks: leases of processes, and locks of jobs.

There are two kinds. A *lease* is a row in the database; a process holds it for as long as it runs,
such as the lease of the scheduler. A *job lock* is a key in the cache that a thread renews while a
job runs. Jobs begin and end many times a second and may run twice without harm, so that their locks
cause no writes to the database, and fail open if Redis does not answer. Without Redis, one process
alone works on jobs, and its memory is enough.

Both kinds expire a few seconds after their process was killed.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import Q

from antipodes.web.platform.clock import now
from antipodes.web.platform.models import LockRow
from antipodes.web.platform.outages import OUTAGES

logger = logging.getLogger(__name__)

THIS_PROCESS = f"{socket.gethostname()[:80]}:{os.getpid()}:{secrets.token_hex(4)}"
"""The name of this process, unique among all machines."""

_RENEWED_AFTER = 0.25  # of a lease's time; until then holding it again writes nothing


def acquire_lease(name: str, seconds: float) -> bool:
    """Acquire or renew a lease; return whether this process holds it.

    Args:
        name: of the lease.
        seconds: until the lease expires, unless this process renews it. After a renewal that
            wrote nothing, three quarters of that are left at least.
    """
    at = now()
    until = at + int(1_000 * seconds)
    lease = LockRow.objects.filter(name=name)
    # Held for long enough: most renewals read one row and write nothing.
    if lease.filter(
        holder=THIS_PROCESS, until__gt=until - 1_000 * seconds * _RENEWED_AFTER
    ).exists():
        return True
    with transaction.atomic():
        mine_or_expired = Q(holder=THIS_PROCESS) | Q(until__lt=at)
        if lease.filter(mine_or_expired).update(holder=THIS_PROCESS, until=until):
            return True
        if lease.exists():
            return False
    try:
        LockRow.objects.create(name=name, holder=THIS_PROCESS, until=until)
    except IntegrityError:
        return False  # another process was first
    return True


def release_lease(name: str) -> None:
    """Release a lease if this process holds it."""
    LockRow.objects.filter(name=name, holder=THIS_PROCESS).update(until=0)


_JOB_LOCK_EXPIRES = 6  # seconds after the last renewal
_JOB_LOCK_RENEWED = 2.0  # seconds between two renewals

_lock = threading.Lock()
_held_jobs: set[str] = set()
_renewer: threading.Thread | None = None


def _key(job: str) -> str:
    return "job-lock:" + job.replace(" ", ":")


@contextmanager
def job_lock(job: str) -> Iterator[bool]:
    """Try to lock a job for the block; yield whether this thread has the lock."""
    try:
        is_acquired = cache.add(_key(job), 1, _JOB_LOCK_EXPIRES)
    except OUTAGES as error:
        logger.warning("job runs without lock job=%r error=%s", job, error)
        is_acquired = True
    if not is_acquired:
        yield False
        return
    with _lock:
        _held_jobs.add(job)
    _start_renewing()
    try:
        yield True
    finally:
        with _lock:
            _held_jobs.discard(job)
        _release([job])


def lend_lock(job: str, seconds: int) -> bool:
    """Try to lock a job for so many seconds, in which no process renews the lock."""
    return bool(cache.add(_key(job), 1, seconds))


def lengthen_lock(job: str, seconds: int) -> None:
    """Let the lock of a job that was lent expire so many seconds from now."""
    cache.set(_key(job), 1, seconds)


def return_lock(job: str) -> None:
    """Release the lock of a job that was lent."""
    _release([job])


def locked_jobs(jobs: Collection[str]) -> set[str]:
    """Return those of some jobs that are locked by any process."""
    keys = {_key(job): job for job in jobs}
    return {keys[key] for key in cache.get_many(list(keys))}


def release_jobs() -> None:
    """Release all job locks of this process before it ends."""
    with _lock:
        jobs = list(_held_jobs)
        _held_jobs.clear()
    _release(jobs)


def _release(jobs: list[str]) -> None:
    try:
        cache.delete_many([_key(job) for job in jobs])
    except OUTAGES as error:
        logger.warning("job locks not released, they expire soon error=%s", error)


def _start_renewing() -> None:
    global _renewer  # noqa: PLW0603
    with _lock:
        if _renewer is None:
            _renewer = threading.Thread(target=_renew, name="job locks", daemon=True)
            _renewer.start()


def _renew() -> None:
    pause = threading.Event()
    while not pause.wait(_JOB_LOCK_RENEWED):
        with _lock:
            jobs = list(_held_jobs)
        try:
            for job in jobs:
                # Set instead of touch: Redis may have forgotten the key.
                cache.set(_key(job), 1, _JOB_LOCK_EXPIRES)
        except OUTAGES as error:
            logger.warning("job locks not renewed error=%s", error)

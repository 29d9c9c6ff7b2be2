"""Job queue: rows of waiting jobs, which are deleted when the job is done.

Adding a job twice changes nothing. Rows of matches, analyses and reviews say which jobs there
should be, so that periodic tasks can add lost ones again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from django.db import transaction
from django.db.models import Count, Min, Q

from antipodes.web.jobs.clients import client_of
from antipodes.web.jobs.fair_queue import Job
from antipodes.web.jobs.models import JobRow, Kind
from antipodes.web.platform import clock, pubsub

CHANGED = "jobs-changed"  # pub/sub topic: lanes look for jobs

Run = Callable[[str, int], object]
R = TypeVar("R", bound=Run)

_BATCH = 500  # keys

_runs: dict[Kind, Run] = {}


class NotReadyError(Exception):
    """A job cannot run yet because its kernels are being compiled; it is tried again soon."""


def handler(kind: Kind) -> Callable[[R], R]:
    """Register the function that runs jobs of a kind; it is called with their key and version.

    It must be idempotent. It raises `NotReadyError` to have the job tried again later.
    """

    def register(run: R) -> R:
        _runs[kind] = run
        return run

    return register


def run_of(job: Job) -> Run:
    """Return the function that runs a job."""
    return _runs[Kind(job.kind)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJob:
    """A job to add to the queue; for the attributes see `fair_queue.Job`."""

    kind: Kind
    key: str
    version: int = 0
    user: int | None
    seconds: float


def put(*jobs: NewJob) -> None:
    """Add jobs to the queue; a job that waits already keeps its place.

    Another version of a job replaces the earlier one.
    """
    since = clock.now()
    rows = [
        JobRow(
            kind=job.kind,
            key=job.key,
            version=job.version,
            user_id=job.user,
            seconds=job.seconds,
            since=since,
        )
        for job in {(job.kind, job.key): job for job in jobs}.values()
    ]
    JobRow.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["kind", "key"],
        update_fields=["version", "user", "seconds"],
    )
    if rows:
        _wake_lanes()


def _wake_lanes() -> None:
    """Make idle lanes of all workers look for jobs, after the current transaction."""
    transaction.on_commit(partial(pubsub.send_to_workers, CHANGED, {}))


def missing(kind: Kind, wanted: Iterable[tuple[str, int]]) -> list[str]:
    """Return the keys of wanted jobs, given by key and version, that are not in the queue."""
    known = set(JobRow.objects.filter(kind=kind).values_list("key", "version"))
    return [key for key, version in wanted if (key, version) not in known]


def drop(kind: Kind, keys: Iterable[str]) -> None:
    """Delete jobs from the queue."""
    for some in batched(list(keys)):
        JobRow.objects.filter(kind=kind, key__in=some).delete()


def batched(keys: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield keys in batches; SQLite refuses queries with many more values."""
    for at in range(0, len(keys), _BATCH):
        yield keys[at : at + _BATCH]


def done(job: Job) -> None:
    """Delete a finished job, unless another version of it was added meanwhile."""
    JobRow.objects.filter(kind=job.kind, key=job.key, version=job.version).delete()
    _wake_lanes()  # other jobs of its client may run now


def waiting(condition: Q | None = None) -> list[Job]:
    """Return all jobs that meet a condition, including running ones."""
    rows = JobRow.objects.filter(condition or Q()).values_list(
        "kind",
        "key",
        "version",
        "seconds",
        "since",
        "user",
        "user__client__network",
        "user__client__wider",
    )
    return [
        Job(kind, key, version, client_of(user, network, wider), seconds, since / 1_000)
        for kind, key, version, seconds, since, user, network, wider in rows
    ]


def has_others(kinds: Iterable[Kind]) -> bool:
    """Return whether jobs of other kinds wait or run."""
    return JobRow.objects.exclude(kind__in=list(kinds)).exists()


def lengths() -> dict[Kind, tuple[int, float]]:
    """Return for each kind the number of jobs and the age of the oldest in seconds."""
    at = clock.now()
    counted = JobRow.objects.values("kind").annotate(count=Count("pk"), oldest=Min("since"))
    found = {row["kind"]: (row["count"], max(0.0, (at - row["oldest"]) / 1_000)) for row in counted}
    return {kind: found.get(kind, (0, 0.0)) for kind in Kind}

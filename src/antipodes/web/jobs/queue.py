"""Job queue: rows of waiting jobs, which are deleted when the job is done.

Adding a job twice changes nothing. Rows of matches, analyses and reviews say which jobs there
should be, so that periodic tasks can add lost ones again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from django.db import transaction
from django.db.models import Count, Min, QuerySet
from prometheus_client.core import GaugeMetricFamily, Metric

from antipodes.web.jobs.clients import client_of
from antipodes.web.jobs.fair_queue import Job
from antipodes.web.jobs.models import ClientRow, Group, JobKind, JobRow
from antipodes.web.platform import clock, pubsub

CHANGED = "jobs-changed"  # pub/sub topic: lanes look for jobs

SHORT = 2.0  # seconds of CPU time that a job of the short lane is expected to take at most
WINDOW = 64  # jobs that a choice reads from the front of each index

# A function that runs jobs of a kind; it is called with their key and version. It is idempotent,
# and raises `NotReadyError` to have the job tried again later.
Run = Callable[[str, int], object]
T = TypeVar("T")

_BATCH = 500  # keys
_IN_SHORT_LANE = {
    JobKind.MOVE: Group.QUICK_MOVE,
    JobKind.ANALYSIS: Group.QUICK_STUDY,
    JobKind.PUZZLE: Group.QUICK_STUDY,
}
_IN_OTHER_LANES = {JobKind.MOVE: Group.MOVE, JobKind.SHOW: Group.SHOW}

handlers: dict[JobKind, Run] = {}  # set by the wiring


class NotReadyError(Exception):
    """A job cannot end yet, such as when players have moved meanwhile; it is tried again soon."""


def run_of(job: Job) -> Run:
    return handlers[JobKind(job.kind)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewJob:
    """A job to add to the queue; for the attributes see `fair_queue.Job`."""

    kind: JobKind
    key: str
    version: int = 0
    user: int | None
    seconds: float


def group_of(kind: str, seconds: float) -> Group:
    """Return the group of a job of a kind that is expected to take so many seconds."""
    known = JobKind(kind)
    if seconds <= SHORT and known in _IN_SHORT_LANE:
        return _IN_SHORT_LANE[known]
    return _IN_OTHER_LANES.get(known, Group.STUDY)


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
            group=group_of(job.kind, job.seconds),
        )
        for job in {(job.kind, job.key): job for job in jobs}.values()
    ]
    if not rows:
        return
    _give_places(rows)
    JobRow.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["kind", "key"],
        # Neither age nor places: a job that is added again keeps its turn.
        update_fields=["version", "user", "seconds", "group"],
    )
    _wake_lanes({row.group for row in rows}, is_new=True)


def _give_places(rows: Sequence[JobRow]) -> None:
    """Give new jobs their clients, and the places after the other jobs of their clients."""
    users = list({row.user_id for row in rows if row.user_id is not None})
    networks: dict[int | None, tuple[str, str]] = {}
    for some in batched(users):
        clients = ClientRow.objects.filter(user__in=some)
        networks |= {
            user: (narrow, wide)
            for user, narrow, wide in clients.values_list("user", "network", "wider")
        }
    taken: dict[tuple[str, str, object], int] = {}

    def next_place(row: JobRow, field: str, owner: str) -> int:
        key = (owner, row.group, getattr(row, owner))
        if key not in taken:
            others = JobRow.objects.filter(group=row.group, **{owner: key[2]})
            last = others.order_by(f"-{field}").values_list(field, flat=True).first()
            taken[key] = -1 if last is None else last
        taken[key] += 1
        return taken[key]

    for row in rows:
        row.client = client_of(row.user_id, *networks.get(row.user_id, ("", "")))[0]
        row.place = next_place(row, "place", "client")
        row.place_of_user = next_place(row, "place_of_user", "user_id")


def _wake_lanes(groups: Iterable[str], *, is_new: bool) -> None:
    """Tell lanes of all workers after the current transaction that jobs came or ended."""
    message = {"groups": sorted(groups), "is_new": is_new}
    transaction.on_commit(partial(pubsub.send_to_workers, CHANGED, message))


def missing(kind: JobKind, wanted: Iterable[tuple[str, int]]) -> list[str]:
    """Return the keys of wanted jobs, given by key and version, that are not in the queue."""
    known = set(JobRow.objects.filter(kind=kind).values_list("key", "version"))
    return [key for key, version in wanted if (key, version) not in known]


def drop(kind: JobKind, keys: Iterable[str]) -> None:
    """Delete jobs from the queue."""
    for some in batched(list(keys)):
        JobRow.objects.filter(kind=kind, key__in=some).delete()


def batched(keys: Sequence[T]) -> Iterator[Sequence[T]]:
    """Yield keys in batches; SQLite refuses queries with many more values."""
    for at in range(0, len(keys), _BATCH):
        yield keys[at : at + _BATCH]


def done(job: Job) -> None:
    """Delete a finished job, unless another version of it was added meanwhile."""
    JobRow.objects.filter(kind=job.kind, key=job.key, version=job.version).delete()
    # Other jobs of its client may run now.
    _wake_lanes([group_of(job.kind, job.seconds)], is_new=False)


def candidates(groups: Iterable[Group]) -> list[Job]:
    """Return the jobs of some groups, including running ones, among which a lane chooses.

    If many wait, these are the oldest ones, the first ones of each network, and the first ones of
    each user. So neither the many jobs of one client hide those of others, nor can newer jobs
    always come before an old one.
    """
    jobs: dict[str, Job] = {}
    for group in groups:
        rows = JobRow.objects.filter(group=group)
        oldest = _jobs(rows.order_by("pk")[:WINDOW])
        jobs |= {job.name: job for job in oldest}
        if len(oldest) == WINDOW:
            for order in ("place", "place_of_user"):
                jobs |= {job.name: job for job in _jobs(rows.order_by(order, "pk")[:WINDOW])}
    return list(jobs.values())


def _jobs(rows: QuerySet[JobRow]) -> list[Job]:
    values = rows.values_list(
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
        for kind, key, version, seconds, since, user, network, wider in values
    ]


def has_others(groups: Collection[Group]) -> bool:
    """Return whether jobs of other groups wait or run."""
    others = [group for group in Group if group not in groups]
    return JobRow.objects.filter(group__in=others).exists()


def lengths() -> dict[JobKind, tuple[int, float]]:
    """Return for each kind the number of jobs and the age of the oldest in seconds."""
    at = clock.now()
    counted = JobRow.objects.values("kind").annotate(count=Count("pk"), oldest=Min("since"))
    found = {row["kind"]: (row["count"], max(0.0, (at - row["oldest"]) / 1_000)) for row in counted}
    return {kind: found.get(kind, (0, 0.0)) for kind in JobKind}


_QUEUES = {
    JobKind.MOVE: "moves",
    JobKind.SHOW: "shows",
    JobKind.ANALYSIS: "analyses",
    JobKind.REVIEW: "reviews",
    JobKind.PUZZLE: "puzzles",
    JobKind.MISTAKE: "mistakes",
    JobKind.PROOF: "proofs",
}


def queue_metrics() -> Iterator[Metric]:
    """Yield the number of jobs of each kind, and the age of the oldest."""
    queued = GaugeMetricFamily("antipodes_queue_length", "Jobs that wait or run", labels=["queue"])
    waited = GaugeMetricFamily(
        "antipodes_queue_seconds", "Age of the oldest of these jobs", labels=["queue"]
    )
    for kind, (length, seconds) in lengths().items():
        queued.add_metric([_QUEUES[kind]], length)
        waited.add_metric([_QUEUES[kind]], seconds)
    yield queued
    yield waited

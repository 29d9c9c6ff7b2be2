"""Fair queueing: which of the waiting jobs an engine runs next.

This is hierarchical start-time fair queueing (Goyal, Vin and Cheng, 1996). Each client has a
virtual time that advances by the seconds of its jobs, and the client with the least is served next;
those within a second of it count as equal, and the shortest job comes first among equals.
A client that returns after a pause starts at the virtual time of the running job: it is served
soon, but has no credit for the pause. Clients are networks first and users within a network, so
that many guests of one address have one share. Within a user short jobs come first, but none
starves.

Functions here are pure: they read neither clock nor database.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

Client = tuple[str, ...]

_PATIENCE = 10  # a job waits up to so many times its own length for later, shorter ones
# Seconds by which a client may be ahead of those that have used nothing. Otherwise a player whose
# moves take a hundredth of a second would wait for the first long job of each newcomer.
_AHEAD = 1.0
_MAX_CLIENTS = 4_096  # whose virtual time is kept


@dataclass(frozen=True, slots=True)
class Job:
    """A waiting job.

    Attributes:
        kind: such as ``move``.
        key: of its match, analysis or review; there is one job of a kind for each key.
        version: distinguishes a later job for the same key from an earlier one.
        client: the job counts for, outermost first: networks, then the user.
        seconds: expected CPU time.
        since: when it was added, in seconds.
    """

    kind: str
    key: str
    version: int
    client: Client
    seconds: float
    since: float

    @property
    def name(self) -> str:
        return f"{self.kind} {self.key}"

    @property
    def due(self) -> float:
        """Orders the jobs of one user: short ones first, and old ones before new ones."""
        return self.since + _PATIENCE * self.seconds


def _turn(finished: float, now: float) -> float:
    """Return the virtual time that orders the next job of a client whose last one has ended."""
    return max(finished - _AHEAD, now)


def _finished(finished: float, turn: float, seconds: float) -> float:
    """Return when the next job of a client ends, after the end of its last one and its turn."""
    return max(finished, turn) + seconds


@dataclass(slots=True)
class Usage:
    """Virtual times of clients, in seconds of one server.

    Attributes:
        finished: for each client, when its last job ended.
        now: for each network, and for all clients as ``()``, the turn of its current job.
    """

    finished: dict[Client, float] = field(default_factory=dict)
    now: dict[Client, float] = field(default_factory=dict)

    def turn(self, client: Client) -> float:
        """Return the virtual time that orders the next job of a client."""
        # A client that was idle begins now: it has saved no time to claim at the expense of others.
        return _turn(self.finished.get(client, 0.0), self.now.get(client[:-1], 0.0))

    def begin(self, job: Job) -> None:
        """Charge the expected time of a job that begins."""
        for client in _levels(job.client):
            turn = self.turn(client)
            self.now[client[:-1]] = turn
            self.finished[client] = _finished(self.finished.get(client, 0.0), turn, job.seconds)
        if len(self.finished) > _MAX_CLIENTS:
            self._forget_idle()

    def settle(self, job: Job, seconds: float) -> None:
        """Charge the actual time of a job instead of the expected time."""
        for client in _levels(job.client):
            if client in self.finished:
                self.finished[client] += seconds - job.seconds

    def _forget_idle(self) -> None:
        """Forget outermost clients that have used no more than a new one."""
        now = self.now.get((), 0.0)
        busy = {one[0] for one, end in self.finished.items() if len(one) == 1 and end > now}
        self.finished = {one: end for one, end in self.finished.items() if one[0] in busy}
        self.now = {one: at for one, at in self.now.items() if not one or one[0] in busy}


@dataclass(frozen=True, slots=True)
class Bounds:
    """How many jobs of a user, and of a network, may run at once on all engines."""

    user: int
    network: int

    def allow(self, job: Job, running: Counter[Client]) -> bool:
        """Return whether another job of a client may begin."""
        *networks, user = _levels(job.client)
        return running[user] < self.user and all(
            running[network] < self.network for network in networks
        )


def next_job(
    waiting: Iterable[Job],
    running: Collection[str] = (),
    usage: Usage | None = None,
    bounds: Bounds | None = None,
) -> Job | None:
    """Return the job to run next, or ``None`` if none may run now.

    Args:
        waiting: the jobs, including running ones.
        running: the names of running jobs.
        usage: of clients so far.
        bounds: how many may run at once.
    """
    idle, busy = [], Counter[Client]()
    for job in waiting:
        if job.name in running:
            busy.update(_levels(job.client))
        else:
            idle.append(job)
    allowed = (job for job in idle if bounds is None or bounds.allow(job, busy))
    return next(in_order(allowed, usage or Usage()), None)


def in_order(jobs: Iterable[Job], usage: Usage) -> Iterator[Job]:
    """Yield jobs in the order in which one engine would run them; ``usage`` is unchanged."""
    return _in_order(list(jobs), usage, ())


def _in_order(jobs: list[Job], usage: Usage, parent: Client) -> Iterator[Job]:
    depth = len(parent)
    groups: dict[str, list[Job]] = {}
    for job in jobs:
        groups.setdefault(job.client[depth], []).append(job)
    # Among clients with the same turn, the shorter job comes first, then who has used less.
    heap: list[tuple[float, float, float, float, str, Job, Iterator[Job]]] = []

    def push(turn: float, name: str, finished: float, later: Iterator[Job]) -> None:
        job = next(later, None)
        if job is not None:
            heapq.heappush(heap, (turn, job.seconds, finished, job.since, name, job, later))

    # Of the first jobs of all groups, the one with the earliest turn. A group is a user, or a
    # network whose own order follows the same rule.
    for name, group in groups.items():
        child = (*parent, name)
        is_user = len(group[0].client) == depth + 1
        later = iter(sorted(group, key=_due)) if is_user else _in_order(group, usage, child)
        push(usage.turn(child), name, usage.finished.get(child, 0.0), later)
    while heap:
        turn, seconds, finished, _, name, job, later = heapq.heappop(heap)
        yield job
        finished = _finished(finished, turn, seconds)
        push(_turn(finished, turn), name, finished, later)


def _due(job: Job) -> tuple[float, str]:
    return job.due, job.name


def waits(jobs: Iterable[Job], running: Collection[str], servers: int) -> dict[str, float]:
    """Return about how many seconds each job waits until it begins, by name.

    Args:
        jobs: all waiting and running jobs.
        running: the names of running jobs, each assumed to be half done.
        servers: how many jobs run at the same time.
    """
    known = list(jobs)
    begun = sorted(job.seconds / 2 for job in known if job.name in running)
    free = [*begun[:servers], *[0.0] * (servers - len(begun))]
    heapq.heapify(free)
    wait_of_job = {}
    for job in in_order((job for job in known if job.name not in running), Usage()):
        wait_of_job[job.name] = heapq.heappop(free)
        heapq.heappush(free, wait_of_job[job.name] + job.seconds)
    return wait_of_job


def _levels(client: Client) -> Iterator[Client]:
    """Yield a client's prefixes, from its outermost network to the user."""
    for depth in range(1, len(client) + 1):
        yield client[:depth]

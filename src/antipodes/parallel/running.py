"""Items are given to processes, which return results: the one way to work on several cores.

:func:`run` works in this process, or on Dask. What a worker was doing when it was killed, or when
the scheduler was restarted, is done again; each result comes once.
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from antipodes.errors import Fault, InputError
from antipodes.parallel.connection import Connection, connected
from antipodes.parallel.workers import WorkerError, Workers

if TYPE_CHECKING:
    from distributed import Future

Item = TypeVar("Item")
Result = TypeVar("Result")

Work = Callable[[Item], Result]
Take = Callable[[int], Sequence[Item]]
Batch = list[tuple[Item, Result]]

BATCH_SECONDS = 1.0  # of work for one task of Dask, which costs about a millisecond
SECONDS_A_WORKER = 0.01  # more in a batch for each worker, so that the scheduler keeps up
MOST_IN_BATCH = 10_000
BATCHES_A_WORKER = 2  # one that it works on, and one that waits
_LOOK = 0.5  # seconds between two looks at the connection


def in_turn(items: Iterable[Item]) -> Take[Item]:
    """Return a function that takes the next items, so many at most."""
    rest = iter(items)
    return lambda count: list(islice(rest, count))


def run(
    work: Work[Item, Result],
    take: Take[Item],
    workers: Workers,
    close: Callable[[], object] | None = None,
    batch_seconds: float = BATCH_SECONDS,
) -> Generator[Batch[Item, Result]]:
    """Yield items with their results, some at a time, in the order in which they are done.

    Short items travel together, so that a batch takes about a second, and longer with hundreds of
    workers. Closing the iterator, or an error, gives up what has not been done.

    Args:
        work: done for each item. It, items and results are pickled; what it raises is raised here.
        take: gives the next items, so many at most. It is called whenever processes are free, and
            again after it gave none while results are still to come.
        workers: where the work is done.
        close: called in each process at the end, to free what the work holds there.
        batch_seconds: of work in a batch; 0 makes each item a batch.

    Raises:
        WorkerError: the same items have killed four workers, or the scheduler does not come back
            within ten minutes.
        NotInstalledError: the extra ``lab`` is missing.
        InputError: there is no scheduler at the address, or its workers cannot be used.
    """
    if workers.is_this_process:
        return _run_here(work, take, close, BatchSize(batch_seconds))
    return _Crew(work, take, workers, batch_seconds).run(close)


def _run_here(
    work: Work[Item, Result],
    take: Take[Item],
    close: Callable[[], object] | None,
    size: BatchSize,
) -> Generator[Batch[Item, Result]]:
    try:
        while items := take(size.count):
            began = time.perf_counter()
            batch = [(item, work(item)) for item in items]
            size.learn(len(items), time.perf_counter() - began)
            yield batch
    finally:
        if close is not None:
            close()


def seconds_of_batches(processes: int, wanted: float = BATCH_SECONDS) -> float:
    """Return how long a batch should take on so many processes."""
    return max(wanted, SECONDS_A_WORKER * processes) if wanted else 0.0


@dataclass(slots=True)
class BatchSize:
    """How many items make a batch: as many as take about a second.

    Attributes:
        seconds: of work in a batch.
        count: the number, 1 at first.
    """

    seconds: float = BATCH_SECONDS
    count: int = 1

    def learn(self, items: int, seconds: float) -> None:
        """Learn how long some items took. Growth is slow, since they may have been easy ones."""
        fitting = int(self.seconds * items / max(seconds, 1e-6))
        self.count = max(1, min(fitting, 2 * self.count, MOST_IN_BATCH))


def work_on(work: Work[Item, Result], items: Sequence[Item]) -> tuple[list[Result], float]:
    """Do a batch in a worker of Dask; return its results, and seconds.

    Raises:
        InputError: the worker has several threads, which would spoil measured CPU times.
    """
    from distributed import get_worker  # noqa: PLC0415 - only in a worker of Dask

    threads = get_worker().state.nthreads
    if threads != 1:
        message = f"a worker has {threads} threads; start workers with --nthreads 1"
        raise InputError([Fault("lab/worker-threads", message)])
    began = time.perf_counter()
    results = [work(item) for item in items]
    return results, time.perf_counter() - began


def _check_travels(work: Work[Item, Result]) -> None:
    from distributed.protocol.pickle import dumps  # noqa: PLC0415 - only with the extra

    try:
        dumps(work)
    except Exception as error:  # noqa: BLE001 - any object may refuse in its own way
        message = f"other processes cannot get {work!r}: {error}; work in one process"
        raise InputError([Fault("lab/unpicklable", message)]) from None


@dataclass(slots=True)
class _Crew(Generic[Item, Result]):
    """Items on their way to the workers of Dask, and results on their way back."""

    work: Work[Item, Result]
    take: Take[Item]
    workers: Workers
    batch_seconds: float
    size: BatchSize = field(default_factory=BatchSize)
    away: dict[str, tuple[Future[Any], Sequence[Item]]] = field(default_factory=dict)  # by key
    lost: list[Sequence[Item]] = field(default_factory=list)  # batches to be sent again
    ended: queue.SimpleQueue[Future[Any]] = field(default_factory=queue.SimpleQueue)

    def run(self, close: Callable[[], object] | None) -> Generator[Batch[Item, Result]]:
        """Yield batches with their results."""
        with connected(self.workers) as connection:
            _check_travels(self.work)
            try:
                yield from self._batches(connection)
            finally:
                connection.end([future for future, _ in self.away.values()], close)

    def _batches(self, connection: Connection) -> Generator[Batch[Item, Result]]:
        while self._send(connection):
            yield from self._returned(connection)
            if connection.is_lost:
                self.lost += [items for _, items in self.away.values()]
                self.away.clear()
                connection.renew()

    def _returned(self, connection: Connection) -> list[Batch[Item, Result]]:
        """Wait a moment for batches that have ended, and fetch all their results at once."""
        ended = {str(future.key): future for future in self._ended()}
        ended = {key: future for key, future in ended.items() if key in self.away}
        for future in ended.values():
            _raise_failure(future)
        items = {key: self.away.pop(key)[1] for key in ended}
        done = [future for future in ended.values() if future.status == "finished"]
        try:
            results_by_key = dict(
                zip((str(one.key) for one in done), connection.fetch(done), strict=True)
            )
        except (OSError, CancelledError):  # the connection was lost on the way
            results_by_key = {}
        # Others were lost with the scheduler.
        self.lost += [batch for key, batch in items.items() if key not in results_by_key]
        batches = []
        for key, (results, seconds) in results_by_key.items():
            self.size.learn(len(items[key]), seconds)
            batches.append(list(zip(items[key], results, strict=True)))
        return batches

    def _ended(self) -> Iterator[Future[Any]]:
        with contextlib.suppress(queue.Empty):
            yield self.ended.get(timeout=_LOOK)
            while True:
                yield self.ended.get_nowait()

    def _send(self, connection: Connection) -> bool:
        """Send batches until all processes have enough; return whether any are away."""
        processes = connection.processes()
        self.size.seconds = seconds_of_batches(processes, self.batch_seconds)
        while len(self.away) < BATCHES_A_WORKER * processes:
            items = self.lost.pop() if self.lost else self.take(self.size.count)
            if not items:
                break
            future = connection.submit(work_on, self.work, items)
            self.away[str(future.key)] = future, items
            future.add_done_callback(self.ended.put)
        return bool(self.away)


def _raise_failure(future: Future[Any]) -> None:
    """Raise what a batch raised.

    Raises:
        WorkerError: it has killed its workers.
    """
    from distributed import KilledWorker  # noqa: PLC0415 - slow, and only with the extra

    if future.status != "error":
        return
    error = future.exception()
    if isinstance(error, KilledWorker):
        message = "the same work has killed four workers; is there enough memory?"
        raise WorkerError(message) from None
    assert error is not None
    raise error

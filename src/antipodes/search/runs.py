"""A run of a search: each of its threads adds slices of visits until a limit is met."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextvars import copy_context
from typing import Generic, Protocol, TypeVar

from antipodes.search.interface import Limits

_SLICE = 0.01  # seconds between two checks of the clock and two reports
_FIRST_SLICE = 16  # visits
_NEVER = 1 << 62  # visits
_LEAST = 2  # visits of a thread, since the first one of a tree may only expand the root


class SearchWorker(Protocol):
    """The data structure of one thread, such as a tree, to which visits are added."""

    @property
    def visits(self) -> int:
        """Visits made so far."""
        ...

    @property
    def begun(self) -> bool:
        """Whether there are enough visits for a run to end when its time is up."""
        ...

    @property
    def done(self) -> bool:
        """Whether the search is complete."""
        ...

    def add_visits(self, visits: int, most: int, /) -> object:
        """Add visits; fewer if the search completes, a few more if it makes several at once.

        There are never more than ``most``, counted from the start of the search.
        """
        ...


G = TypeVar("G", bound=SearchWorker)


class SearchRun(Generic[G]):
    """A run of a search with one thread for each worker."""

    def __init__(
        self,
        workers: Sequence[G],
        limits: Limits,
        stopped: threading.Event,
        report: Callable[[float, float], object],
        *,
        query: Callable[[G], object] | None = None,
        query_interval: int = _NEVER,
    ) -> None:
        """Prepare a run.

        Args:
            workers: one for each thread; the first works in the calling thread.
            limits: of the run. Threads for which there are too few visits do nothing.
            stopped: ends the run early when it is set.
            report: called after each slice with the share of the run that is done, and the seconds.
            query: queries a source of knowledge about nodes of a worker.
            query_interval: visits between two queries. It is not a time, so that a seed determines
                the search.
        """
        self._limits = limits
        self._stopped = stopped
        self._query = query or (lambda _: None)
        self._query_interval = query_interval
        self._report = report
        self._began = self._limits.clock.now()
        self._over = threading.Event()
        self._trouble: BaseException | None = None
        self._workers = _with_bounds(workers, limits.visits)

    def execute(self) -> None:
        """Run all workers; an exception in any thread ends the run and is raised here."""
        if not self._workers:
            self._report(1.0, 0.0)
            return
        # Each thread inherits the caller's choice of native or plain kernels.
        helpers = [
            threading.Thread(target=copy_context().run, args=(self._run_helper, *bounded))
            for bounded in self._workers[1:]
        ]
        for helper in helpers:
            helper.start()
        try:
            self._run_worker(*self._workers[0], self._report)
        except BaseException:
            self._over.set()
            raise
        finally:
            for helper in helpers:
                helper.join()
        if self._trouble is not None:
            raise self._trouble

    def _run_helper(self, worker: G, most: int) -> None:
        """Run one worker in a thread of its own."""
        try:
            self._run_worker(worker, most, lambda share, seconds: None)  # noqa: ARG005
        except BaseException as error:  # noqa: BLE001
            self._trouble = error
            self._over.set()

    def _run_worker(self, worker: G, most: int, report: Callable[[float, float], object]) -> None:
        """Add slices of visits until the run is over."""
        size = _FIRST_SLICE
        if worker.visits == 0:
            worker.add_visits(1, most)
        self._query(worker)
        share = 0.0
        if worker.done or worker.visits >= most:
            seconds = self._limits.clock.now() - self._began
            share = self._share(worker, most, seconds)
            report(share, seconds)
        while share < 1.0 and not (self._over.is_set() or self._stopped.is_set()):
            before = self._limits.clock.now()
            left = most - worker.visits
            due = self._query_interval - worker.visits % self._query_interval
            next_query = worker.visits + due
            worker.add_visits(min(size, left, due), most)
            after = self._limits.clock.now()
            if after - before < _SLICE / 2:
                size *= 2
            elif after - before > _SLICE * 2 and size > 1:
                size //= 2
            if worker.visits >= next_query:
                self._query(worker)
            share = self._share(worker, most, self._limits.clock.now() - self._began)
            report(share, after - self._began)

    def _share(self, worker: G, most: int, seconds: float) -> float:
        """Return the share of the run that one worker has done; 1 when the run is over."""
        if worker.done:
            self._over.set()
            return 1.0
        share = worker.visits / most
        if self._limits.seconds is not None and worker.begun:
            limit = self._limits.seconds
            share = max(share, seconds / limit if limit > 0 else 1.0)
        return min(share, 1.0)


def _with_bounds(workers: Sequence[G], visits: int | None) -> list[tuple[G, int]]:
    """Return the workers of a run, each with the visits that it may have at its end.

    Together these are not more than ``visits``, unless a reused tree has no results yet.
    """
    if visits is None:
        return [(worker, _NEVER) for worker in workers]
    least = 0 if workers[0].begun and workers[0].visits else 1
    left = max(visits - sum(worker.visits for worker in workers), least)
    if left == 0:
        return []
    count = max(1, min(len(workers), left // _LEAST))
    shares = [left // count + (place < left % count) for place in range(count)]
    return [
        (worker, worker.visits + share)
        for worker, share in zip(workers[:count], shares, strict=True)
    ]

"""The analysis engine: lines of JSON in, lines of JSON out; it reads and writes no stream."""

from __future__ import annotations

import heapq
import json
import logging
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

import antipodes
from antipodes.engine.analysis_queries import Action, Query, QueryError, read_query
from antipodes.errors import AntipodesError, Fault, InputError
from antipodes.search.analysis import Analyzer
from antipodes.search.thinking import Limits, Progress, Watcher

logger = logging.getLogger(__name__)

PROTOCOL = 1
_PATIENCE = 2.0  # seconds that abandoned work may take to end, such as compiling a kernel


class AnalysisEngine:
    """Answers queries about positions, several at once, in any order.

    Lines are taken by :meth:`handle_line` in one thread. Answers are given to ``send`` as lines
    without their ends, from several threads, but one at a time.

    Attributes:
        is_unheard: whether nobody listens to the answers any more; then all work is ended.
    """

    def __init__(
        self,
        send: Callable[[str], object],
        *,
        workers: int = 2,
        threads: int = 1,
        memory: int = 256,
        limits: Limits | None = None,
        queue: int = 10_000,
    ) -> None:
        """Start the workers.

        Args:
            send: takes answers; an ``OSError`` of it means that nobody listens any more.
            workers: how many positions are worked on at once.
            threads: how many think about each.
            memory: bound of each search's tables in MiB.
            limits: of searches whose query names none; one second by default.
            queue: how many positions may wait.
        """
        self.is_unheard = False
        self._send = send
        self._sending = threading.Lock()
        self._settings: dict[str, Any] = {"threads": threads, "memory": memory}
        self._limits = limits or Limits(seconds=1)
        self._room = queue
        self._changed = threading.Condition()
        # What waits, as a heap; what is worked on. Both are looked at with the lock held.
        self._waiting: list[tuple[int, int, _Task]] = []
        self._at_work: set[_Task] = set()
        self._count = 0
        self._ends = False
        self._workers = [
            threading.Thread(target=self._work, name=f"analysis-{index}", daemon=True)
            for index in range(workers)
        ]
        for worker in self._workers:
            worker.start()

    # Lines.

    def handle_line(self, text: str) -> None:
        """Take a line; what is to be said to it is sent now or later."""
        try:
            query = read_query(text, self._limits)
            if isinstance(query, Query):
                self._take(query)
            elif query is not None:
                self._act(query)
        except QueryError as error:
            self._answer(_error_data(error.faults, id=error.query_id))
        except Exception as error:
            logger.exception("query %.200r failed", text)
            self._answer(_error_data([_internal(error)]))

    def finish(self) -> None:
        """Wait until all that was asked is answered, then end the workers."""
        with self._changed:
            self._ends = True
            self._changed.notify_all()
        for worker in self._workers:
            worker.join()

    def abandon(self) -> None:
        """End all work; what was asked is answered with what is known."""
        self._end_tasks(None, None)
        with self._changed:
            self._ends = True
            self._changed.notify_all()
        deadline = time.monotonic() + _PATIENCE
        for worker in self._workers:
            worker.join(max(0.0, deadline - time.monotonic()))

    def _take(self, query: Query) -> None:
        """Queue the positions of a query.

        Raises:
            QueryError: another one has its id, or there is no room; nothing is queued.
        """
        with self._changed:
            tasks = [*self._at_work, *(task for _, _, task in self._waiting)]
            if any(task.query.id == query.id for task in tasks):
                message = f"a query with the id {query.id!r} is not yet answered"
                raise QueryError(query.id, [Fault("query/id-in-use", message, "$.id")])
            if len(self._waiting) + len(query.positions) > self._room:
                message = f"{len(self._waiting)} positions wait; there is room for {self._room}"
                raise QueryError(query.id, [Fault("query/queue-full", message)])
            for turn in query.positions:
                self._count += 1
                heapq.heappush(self._waiting, (-query.priority, self._count, _Task(query, turn)))
            self._changed.notify_all()

    def _act(self, action: Action) -> None:
        """Answer anything but an analysis."""
        if action.name == "query_version":
            about = {"name": "Antipodes", "version": antipodes.__version__, "protocol": PROTOCOL}
            self._answer({"id": action.id, "action": action.name, **about})
            return
        self._answer(action.data)
        self._end_tasks(action.target, action.turns)

    def _end_tasks(self, target: str | None, turns: list[int] | None) -> None:
        """End the tasks of one query or of all; those that wait are answered here."""

        def is_meant(task: _Task) -> bool:
            named = target is None or task.query.id == target
            return named and (turns is None or task.turn in turns)

        with self._changed:
            ended = [item for item in self._waiting if is_meant(item[2])]
            self._waiting = [item for item in self._waiting if not is_meant(item[2])]
            heapq.heapify(self._waiting)
            for task in filter(is_meant, self._at_work):
                task.stop()
        for _, _, task in sorted(ended):
            self._answer(task.nothing())

    # Work.

    def _work(self) -> None:
        """Work off tasks until the engine ends."""
        while (task := self._next()) is not None:
            try:
                answer = task.run(self._settings, self._answer)
            except AntipodesError as error:
                faults = error.faults if isinstance(error, InputError) else []
                answer = _error_data(faults or [_internal(error)], **task.place())
            except Exception as error:
                logger.exception("query %r failed", task.query.id)
                answer = _error_data([_internal(error)], **task.place())
            with self._changed:
                # From now on the id is free: whoever sees the answer may use it again.
                self._at_work.discard(task)
            self._answer(answer)

    def _next(self) -> _Task | None:
        """Return the next task once there is one; ``None`` at the end of all work."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ends)
            if not self._waiting:
                return None
            _, _, task = heapq.heappop(self._waiting)
            self._at_work.add(task)
            return task

    def _answer(self, data: dict[str, Any]) -> None:
        line = json.dumps(data, ensure_ascii=True, allow_nan=False)
        with self._sending:
            if self.is_unheard:
                return
            try:
                self._send(line)
            except (OSError, ValueError):  # of a broken or a closed stream
                self.is_unheard = True
        if self.is_unheard:
            self._end_tasks(None, None)


class _Task:
    """One position of a query."""

    def __init__(self, query: Query, turn: int) -> None:
        self.query = query
        self.turn = turn
        self._lock = threading.Lock()
        self._stopped = False
        self._analyzer: Analyzer | None = None

    def place(self) -> dict[str, Any]:
        """Return what all answers begin with."""
        return {"id": self.query.id, "turnNumber": self.turn}

    def nothing(self) -> dict[str, Any]:
        """Return the answer if the task ended before anything was known."""
        return {**self.place(), "isDuringSearch": False, "noResults": True}

    def stop(self) -> None:
        """End the task, whether or not its search has begun."""
        with self._lock:
            self._stopped = True
            if self._analyzer is not None:
                self._analyzer.stop()

    def run(
        self, settings: dict[str, Any], report: Callable[[dict[str, Any]], object]
    ) -> dict[str, Any]:
        """Search, report now and then if that is wanted, and return the last answer."""
        query = self.query
        analyzer = Analyzer(query.positions[self.turn], seed=query.seed, **settings)
        with self._lock:
            self._analyzer = analyzer
            if self._stopped:
                analyzer.stop()
        analyzer.run(query.limits, self._reporter(analyzer, report))
        if query.threats:
            analyzer.find_threats(query.limits)
        if not analyzer.is_ready:
            return self.nothing()
        answer = self._result(analyzer, is_last=True)
        return {**answer, "terminated": True} if self._stopped else answer

    def _reporter(
        self, analyzer: Analyzer, report: Callable[[dict[str, Any]], object]
    ) -> Watcher | None:
        every = self.query.report_every
        if every is None:
            return None
        reported = 0.0

        def look(progress: Progress) -> None:
            nonlocal reported
            if progress.seconds - reported >= every and analyzer.is_ready:
                reported = progress.seconds
                report(self._result(analyzer, is_last=False))

        return look

    def _result(self, analyzer: Analyzer, *, is_last: bool) -> dict[str, Any]:
        criticality = self.query.criticality and is_last
        data = analyzer.result(criticality=criticality).as_dict(self.query.moves)
        if not self.query.threats:
            data.pop("threats", None)  # that of a finished game
        return {**self.place(), "isDuringSearch": not is_last, **data}


def _internal(error: Exception) -> Fault:
    return Fault("query/internal", f"internal error: {type(error).__name__}")


def _error_data(faults: Iterable[Fault], **place: Any) -> dict[str, Any]:
    """Return the answer to what was not carried out."""
    found = list(faults)
    data = {name: value for name, value in place.items() if value is not None}
    data["error"] = "; ".join(map(str, found))
    data["code"] = found[0].code
    if found[0].where:
        data["field"] = found[0].where
    if len(found) > 1:
        data["faults"] = [
            {
                "code": fault.code,
                "message": fault.message,
                **({"field": fault.where} if fault.where else {}),
            }
            for fault in found
        ]
    return data

"""The analysis engine: it takes and returns lines of JSON, and reads and writes no stream."""

from __future__ import annotations

import heapq
import json
import logging
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

import antipodes
from antipodes.engine.analysis_queries import AnalysisAction, AnalysisQuery, QueryError, read_query
from antipodes.errors import AntipodesError, Fault, InputError
from antipodes.games.position import Position
from antipodes.search.analysis import Analyzer
from antipodes.search.interface import Limits, ProgressCallback, SearchProgress, SearchSettings
from antipodes.search.mcts_tree import network_policy
from antipodes.search.network.evaluator import network_files

logger = logging.getLogger(__name__)

PROTOCOL = 1
_PATIENCE = 2.0  # seconds that aborted work may take


class AnalysisEngine:
    """An engine that answers queries about positions concurrently, in any order.

    One thread calls :meth:`handle_line`. ``send`` gets the answers as lines without line breaks,
    from several threads, but one at a time.

    Attributes:
        is_disconnected: whether the client has closed its stream; then all work is ended.
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
            send: sends answers; its ``OSError`` means that the client has disconnected.
            workers: number of concurrent searches.
            threads: of each search.
            memory: bound of each search's tables in MiB.
            limits: of queries without limits; one second by default.
            queue: the most waiting positions.
        """
        self.is_disconnected = False
        self._send = send
        self._sending = threading.Lock()
        self._settings = SearchSettings(threads=threads, memory=memory)
        self._limits = limits or Limits(seconds=1)
        self._room = queue
        self._changed = threading.Condition()
        # Waiting tasks, as a heap, and running tasks; both are used with the lock held.
        self._waiting: list[tuple[int, int, _Task]] = []
        self._running: set[_Task] = set()
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
        """Process a line; its answers are sent at once or later."""
        try:
            query = read_query(text, self._limits)
            if isinstance(query, AnalysisQuery):
                self._enqueue(query)
            elif query is not None:
                self._perform(query)
        except QueryError as error:
            self._answer(_error_data(error.faults, id=error.query_id))
        except Exception as error:
            logger.exception("query %.200r failed", text)
            self._answer(_error_data([_internal(error)]))

    def finish(self) -> None:
        """Wait until all queries are answered, then end the workers."""
        with self._changed:
            self._ends = True
            self._changed.notify_all()
        for worker in self._workers:
            worker.join()

    def abort(self) -> None:
        """Abort all work; the queries are answered with their results so far."""
        self._end_tasks(None, None)
        with self._changed:
            self._ends = True
            self._changed.notify_all()
        deadline = time.monotonic() + _PATIENCE
        for worker in self._workers:
            worker.join(max(0.0, deadline - time.monotonic()))

    def _enqueue(self, query: AnalysisQuery) -> None:
        """Queue the positions of a query.

        Raises:
            QueryError: its id is in use, or the queue is full; nothing is queued.
        """
        with self._changed:
            tasks = [*self._running, *(task for _, _, task in self._waiting)]
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

    def _perform(self, action: AnalysisAction) -> None:
        if action.name == "query_version":
            about = {"name": "Antipodes", "version": antipodes.__version__, "protocol": PROTOCOL}
            self._answer({"id": action.id, "action": action.name, **about})
            return
        if action.name == "query_models":
            models = [{"name": file.stem, "path": str(file)} for file in network_files()]
            self._answer({"id": action.id, "action": action.name, "models": models})
            return
        self._answer(action.data)
        if action.name == "clear_cache":
            return  # searches share nothing
        self._end_tasks(action.target, action.turns)

    def _end_tasks(self, target: str | None, turns: list[int] | None) -> None:
        """End the tasks of one query or of all; waiting ones are answered here."""

        def is_meant(task: _Task) -> bool:
            named = target is None or task.query.id == target
            return named and (turns is None or task.turn in turns)

        with self._changed:
            ended = [item for item in self._waiting if is_meant(item[2])]
            self._waiting = [item for item in self._waiting if not is_meant(item[2])]
            heapq.heapify(self._waiting)
            for task in filter(is_meant, self._running):
                task.stop()
        for _, _, task in sorted(ended):
            self._answer(task.nothing())

    # Work.

    def _work(self) -> None:
        """Run tasks until the engine ends."""
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
                # A client that gets the answer may reuse the id.
                self._running.discard(task)
            self._answer(answer)

    def _next(self) -> _Task | None:
        """Wait for the next task and return it; ``None`` at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._ends)
            if not self._waiting:
                return None
            _, _, task = heapq.heappop(self._waiting)
            self._running.add(task)
            return task

    def _answer(self, data: dict[str, Any]) -> None:
        line = json.dumps(data, ensure_ascii=True, allow_nan=False)
        with self._sending:
            if self.is_disconnected:
                return
            try:
                self._send(line)
            except (OSError, ValueError):  # of a broken or a closed stream
                self.is_disconnected = True
        if self.is_disconnected:
            self._end_tasks(None, None)


class _Task:
    """One position of a query."""

    def __init__(self, query: AnalysisQuery, turn: int) -> None:
        self.query = query
        self.turn = turn
        self._lock = threading.Lock()
        self._stopped = False
        self._analyzer: Analyzer | None = None

    def place(self) -> dict[str, Any]:
        """Return the first fields of all answers."""
        return {"id": self.query.id, "turnNumber": self.turn}

    def nothing(self) -> dict[str, Any]:
        """Return the answer of a task that ended without results."""
        return {**self.place(), "isDuringSearch": False, "noResults": True}

    def stop(self) -> None:
        """End the task, before or during its search."""
        with self._lock:
            self._stopped = True
            if self._analyzer is not None:
                self._analyzer.stop()

    def run(
        self, settings: SearchSettings, report: Callable[[dict[str, Any]], object]
    ) -> dict[str, Any]:
        """Search, send reports if the query wants them, and return the final answer."""
        query = self.query
        position, moves = query.positions[self.turn], query.allowed[self.turn]
        analyzer = Analyzer(position, settings, seed=query.seed, moves=moves)
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
    ) -> ProgressCallback | None:
        every = self.query.report_every
        if every is None:
            return None
        reported = 0.0

        def call(progress: SearchProgress) -> None:
            nonlocal reported
            if progress.seconds - reported >= every and analyzer.is_ready:
                reported = progress.seconds
                report(self._result(analyzer, is_last=False))

        return call

    def _result(self, analyzer: Analyzer, *, is_last: bool) -> dict[str, Any]:
        criticality = self.query.criticality and is_last
        data = analyzer.result(criticality=criticality).as_dict(self.query.moves)
        if not self.query.threats:
            data.pop("threats", None)  # that of a finished game
        if self.query.policy and is_last:
            data.update(_policy_data(self.query.positions[self.turn]))
        return {**self.place(), "isDuringSearch": not is_last, **data}


def _policy_data(position: Position) -> dict[str, Any]:
    """Return the network's probabilities of the moves; nothing without a network."""
    probabilities = network_policy(position)
    if probabilities is None:
        return {}
    texts = {position.format_move(move): value for move, value in probabilities.items()}
    return {"policy": {text: round(value, 6) for text, value in texts.items()}}


def _internal(error: Exception) -> Fault:
    return Fault("query/internal", f"internal error: {type(error).__name__}")


def _error_data(faults: Iterable[Fault], **place: Any) -> dict[str, Any]:
    """Return the answer to a failed query."""
    all_faults = list(faults)
    data = {name: value for name, value in place.items() if value is not None}
    data["error"] = "; ".join(map(str, all_faults))
    data["code"] = all_faults[0].code
    if all_faults[0].where:
        data["field"] = all_faults[0].where
    if len(all_faults) > 1:
        data["faults"] = [
            {
                "code": fault.code,
                "message": fault.message,
                **({"field": fault.where} if fault.where else {}),
            }
            for fault in all_faults
        ]
    return data

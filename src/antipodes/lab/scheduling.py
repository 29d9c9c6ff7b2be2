"""Playing tasks: each task without a row is played once, also by several processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from operator import attrgetter

from antipodes.lab.contestants import dismiss
from antipodes.lab.results import Results
from antipodes.lab.sharing import Idle, SharedWork
from antipodes.lab.tasks import GameRow, GameTask
from antipodes.parallel.running import Batch, Take, in_turn, run
from antipodes.parallel.workers import Workers

_BETWEEN = 1.0  # seconds between two times that results are written

Watch = Callable[[list[GameRow]], object]


def run_tasks(
    tasks: Iterable[GameTask] | Take[GameTask],
    results: Results,
    workers: Workers | None = None,
    watch: Watch | None = None,
    idle: Idle | None = None,
) -> None:
    """Play tasks that have no row yet, and add their rows.

    Several processes, on several machines that share the folder, may do it at once: each plays
    other tasks, and at the end waits for those that others play, to take over where one has ended.

    Args:
        tasks: the tasks, or a function that gives the next ones, so many at most, whenever workers
            become free. It may look at the results, and give none before there are more of them.
        results: where rows are added.
        workers: who plays; one game after another in this process by default.
        watch: told the new rows of this process each time after they were written. What it raises
            ends the work, as does Ctrl-C; rows that were written stay.
        idle: told how many tasks other processes play, now and then while they are waited for.

    Raises:
        InputError: a task cannot be played, or the folder cannot be written.
        NotInstalledError: the extra ``lab`` is missing.
        WorkerError: the workers cannot work.
    """
    take = tasks if callable(tasks) else in_turn(tasks)
    writer = _Writer(results, SharedWork(take, attrgetter("id"), results), watch)
    crew = workers or Workers()
    try:
        while writer.shared.wait(idle):
            with closing(run(GameTask.play, writer.take, crew, dismiss)) as batches:
                writer.write(batches)
    finally:
        results.claims.close()


class _Writer:
    """Writes rows as they come, about once a second."""

    def __init__(self, results: Results, shared: SharedWork[GameTask], watch: Watch | None) -> None:
        self.shared = shared
        self._results = results
        self._watch = watch
        self._rows: list[GameRow] = []
        self._written = time.monotonic()

    def take(self, count: int) -> list[GameTask]:
        """Return the next tasks, so many at most; written rows may bring more."""
        found = self.shared.take(count)
        if not found and self._rows:
            self._flush()
            found = self.shared.take(count)
        return found

    def write(self, batches: Iterator[Batch[GameTask, GameRow]]) -> None:
        """Write what comes, also when the work ends early."""
        try:
            for batch in batches:
                self._rows += [row for _, row in batch]
                if time.monotonic() - self._written >= _BETWEEN:
                    self._flush()
        finally:
            self._flush()

    def _flush(self) -> None:
        rows, self._rows, self._written = self._rows, [], time.monotonic()
        self._results.append(rows)
        self._results.claims.release([row.id for row in rows])
        if rows and self._watch is not None:
            self._watch(rows)

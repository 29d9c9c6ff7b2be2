"""Playing tasks: each task without a row is played once, also by several processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import islice

from antipodes.errors import Fault, InputError
from antipodes.lab.claims import Claims
from antipodes.lab.results import Results
from antipodes.lab.tasks import GameRow, GameTask, dismiss
from antipodes.parallel.running import Batch, run
from antipodes.parallel.workers import Workers

LOCKS = "locks"  # folder in that of the results

_BETWEEN = 1.0  # seconds between two times that results are written
_LOOK = 0.5  # seconds between two looks at what other processes play

Watch = Callable[[list[GameRow]], object]
Idle = Callable[[int], object]


def run_tasks(
    tasks: Iterable[GameTask],
    results: Results,
    workers: Workers | None = None,
    watch: Watch | None = None,
    idle: Idle | None = None,
) -> None:
    """Play tasks that have no row yet, and add their rows.

    Several processes, on several machines that share the folder, may do it at once: each plays
    other tasks, and at the end waits for those that others play, to take over where one has ended.

    Args:
        tasks: taken as workers become free, so that a generator may look at the results before
            it yields more.
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
    source = _Source(tasks, results)
    try:
        while source.wait(idle):
            with closing(run(GameTask.play, source.take, workers or Workers(), dismiss)) as batches:
                _write(batches, source, watch)
    finally:
        source.claims.close()


class _Source:
    """Tasks that are neither played nor claimed; each task that is taken is claimed."""

    def __init__(self, tasks: Iterable[GameTask], results: Results) -> None:
        """Take no task yet.

        Raises:
            InputError: the folder of the results cannot be used.
        """
        self.results = results
        self._tasks = iter(tasks)
        self._others: dict[str, GameTask] = {}  # tasks that other processes play
        self._next: list[GameTask] = []  # claimed and not taken
        try:
            self.claims = Claims(results.folder / LOCKS)
        except OSError as error:
            message = f"{str(results.folder)!r} cannot be used: {error.strerror or error}"
            raise InputError([Fault("lab/folder", message)]) from None

    def take(self, count: int) -> list[GameTask]:
        """Return the next tasks, so many at most."""
        found, self._next = self._next[:count], self._next[count:]
        while len(found) < count:
            chosen = list(islice(self._tasks, count - len(found)))
            if not chosen:
                break
            found += self._claimed(chosen)
        return found

    def wait(self, idle: Idle | None) -> bool:
        """Wait until a task can be had; return whether one is left."""
        while True:
            self._next = self.take(1) or self._claimed(list(self._others.values()))
            if self._next or not self._others:
                return bool(self._next)
            if idle is not None:
                idle(len(self._others))
            time.sleep(_LOOK)

    def _claimed(self, tasks: list[GameTask]) -> list[GameTask]:
        """Return those of some tasks that this process has now and that have no row."""
        wanted = {task.id: task for task in tasks}
        mine = self.claims.take(wanted.keys() - self.claims.held)
        # Looked at after the claim: its last owner wrote the row before giving the claim back.
        done = self.results.done()
        self.claims.release(mine & done)
        for name, task in wanted.items():
            if name in mine or name in done:
                self._others.pop(name, None)
            elif name not in self.claims.held:
                self._others[name] = task
        return [task for name, task in wanted.items() if name in mine - done]


def _write(
    batches: Iterator[Batch[GameTask, GameRow]], source: _Source, watch: Watch | None
) -> None:
    """Write rows as they come, about once a second."""
    waiting: list[GameRow] = []
    written = time.monotonic()

    def flush() -> None:
        nonlocal waiting, written
        rows, waiting, written = waiting, [], time.monotonic()
        source.results.append(rows)
        source.claims.release([row.id for row in rows])
        if rows and watch is not None:
            watch(rows)

    try:
        for batch in batches:
            waiting += [row for _, row in batch]
            if time.monotonic() - written >= _BETWEEN:
                flush()
    finally:
        flush()

"""Playing tasks: each task without a row is played once, also by several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter

from antipodes.lab.results import Results
from antipodes.lab.sharing import Idle, Runner
from antipodes.lab.tasks import GameRow, GameTask
from antipodes.parallel.running import Take, in_turn
from antipodes.parallel.workers import Workers

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
    runner = Runner(GameTask.play, attrgetter("id"), results, watch, idle)
    runner.play(take, workers or Workers())

"""Measure how experiments scale: short games on one and two workers, and simulated clusters.

- ``workers``: games a second in this process and on several workers of Dask, in turns, without the
  time that processes need to start; the same of processes that share nothing, which is what the
  machine allows; the CPU time that sharing out the work costs, and how busy other programs kept
  the machine; about six minutes,
- ``clusters``: the share of their time that 10 to 10,000 workers would spend on games, by
  simulation with the costs that ``workers`` has measured, or those of ``--task`` and ``--row``.

``python bench/lab.py`` does both; it wants an otherwise idle machine with as many free cores as
workers. Of each measurement the slope of games over time counts, and of several the median.
"""

from __future__ import annotations

import argparse
import heapq
import itertools
import multiprocessing
import os
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from operator import truediv
from pathlib import Path

from antipodes.games.position import Game
from antipodes.games.registry import make_game
from antipodes.lab.contestants import dismiss
from antipodes.lab.results import Results
from antipodes.lab.tasks import GameTask
from antipodes.parallel import running
from antipodes.parallel.running import MOST_IN_BATCH, in_turn, run, seconds_of_batches
from antipodes.parallel.workers import Workers

GAMES = (
    (make_game("hex", {"size": 5, "swap": "off"}), "random"),
    (make_game("antipod", {"side": 4}), "computer:1"),
    (make_game("antipod", {"side": 4}), "computer:3"),
)
WORKERS = (10, 100, 1_000, 10_000)
SECONDS = (0.01, 0.1, 1.0, 10.0, 100.0)
# Seconds of games until everything is loaded and batches have their size: here, and in workers.
_TO_WARM_UP = (4.0, 7.0)
_ROWS = 2000  # that are written to measure what a row costs
_BATCHES = 20  # simulated batches of each worker
_TASK = 0.0015  # CPU seconds of the scheduler for a batch, unless measured
_ROW = 0.0002  # CPU seconds for a game, unless measured


def tasks(game: Game, player: str) -> Iterator[GameTask]:
    """Yield tasks without end, other ones each time."""
    seed = random.SystemRandom().getrandbits(40)
    return (GameTask.of(game, [player], seed + number) for number in itertools.count())


def cpu_here() -> float:
    """Return the CPU seconds of this process, in which Dask's scheduler runs as well."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def cpu_ours() -> float:
    """Return the CPU seconds of this process and its workers, on Linux."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        process = int(path.parent.name)
        parents[process], ticks[process] = int(words[1]), int(words[11]) + int(words[12])
    ours = {os.getpid()}
    while more := {one for one, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(ticks.get(one, 0) for one in ours) / os.sysconf("SC_CLK_TCK")


def cpu_of_machine() -> float:
    """Return the CPU seconds of all processes since the machine was started, on Linux."""
    words = Path("/proc/stat").read_text().split()[1:9]
    idle, waiting = 3, 4
    busy = sum(int(word) for place, word in enumerate(words) if place not in (idle, waiting))
    return busy / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Measured:
    """The games that some workers played in some time.

    Attributes:
        rate: games a second.
        overhead: CPU seconds for a game of the process that shares out the work.
        others: cores that other programs used.
    """

    rate: float
    overhead: float
    others: float


def measure(game: Game, player: str, count: int, seconds: float) -> Measured:
    """Play for some seconds on some workers; the first seconds do not count."""
    began = None
    arrivals: list[tuple[float, int]] = []  # when how many games had been played
    games = 0
    before = (0.0, 0.0, 0.0)
    with tempfile.TemporaryDirectory() as folder:
        results = Results(Path(folder))
        batches = run(GameTask.play, in_turn(tasks(game, player)), Workers(count), dismiss)
        for batch in batches:
            now = time.perf_counter()
            began = began or now
            if arrivals or now - began >= _TO_WARM_UP[count > 1]:
                if not arrivals:
                    before = cpu_here(), cpu_ours(), cpu_of_machine()
                else:
                    games += len(batch)
                arrivals.append((now, games))
                if now - arrivals[0][0] >= seconds:
                    break
            results.append([row for _, row in batch])
        here, ours, machine = (
            then - one
            for then, one in zip((cpu_here(), cpu_ours(), cpu_of_machine()), before, strict=True)
        )
        batches.close()
    # A batch has its end anywhere within a second, so first and last ones alone would mislead.
    slope = statistics.linear_regression(*zip(*arrivals, strict=True)).slope
    spent = arrivals[-1][0] - arrivals[0][0]
    return Measured(slope, here / max(games, 1), max(machine - ours, 0.0) / spent)


def unshared(game: Game, player: str, count: int, seconds: float) -> float:
    """Return the games a second of processes that play at once and share nothing."""
    with ProcessPoolExecutor(count, multiprocessing.get_context("spawn")) as processes:
        measured = [processes.submit(measure, game, player, 1, seconds) for _ in range(count)]
        return sum(one.result().rate for one in measured)


def compare(counts: Sequence[int], seconds: float, rounds: int) -> None:
    """Print games a second of several numbers of workers, measured in turns."""
    head = ("workers", "games/s", "scaling", "of rounds", "unshared", "overhead", "others")
    print(f"{'game':28}" + "".join(f"{word:>13}" for word in head))
    for game, player in GAMES:
        found: dict[int, list[Measured]] = {count: [] for count in counts}
        alone: dict[int, list[float]] = {count: [] for count in counts}
        for number in range(rounds):
            # There and back, so that a machine that becomes slower or faster favours none.
            for count in counts if number % 2 == 0 else reversed(counts):
                found[count].append(measure(game, player, count, seconds))
                alone[count].append(unshared(game, player, count, seconds))
        rates = {count: [one.rate for one in found[count]] for count in counts}
        changed = " ".join(f"{key}={value}" for key, value in game.options.changed().items())
        for count in counts:
            ratios = list(map(truediv, rates[count], rates[counts[0]]))
            limits = list(map(truediv, alone[count], alone[counts[0]]))
            # In this process the players' own CPU time cannot be told apart.
            overhead = statistics.median(one.overhead for one in found[count])
            cells = (
                str(count),
                f"{statistics.median(rates[count]):.1f}",
                f"{statistics.median(ratios):.2f}",
                f"{min(ratios):.2f}-{max(ratios):.2f}",
                f"{statistics.median(limits):.2f}",
                f"{overhead * 1000:.2f} ms" if count > 1 else "",
                f"{max(one.others for one in found[count]):.2f} cores",
            )
            name = f"{game.id} {changed}, {player}"
            print(f"{name:28}" + "".join(f"{cell:>13}" for cell in cells), flush=True)


def nothing(item: int) -> int:
    """Return an item: work that takes no time, so that only its way costs something."""
    return item


def measure_costs() -> tuple[float, float]:
    """Return the CPU seconds of this process for a batch, and for a game and its row."""
    count = 2000
    running.BATCHES_A_WORKER = 100  # as many on their way as with a hundred workers
    batches = run(nothing, in_turn(itertools.count()), Workers(2), batch_seconds=0)
    for _ in range(500):
        next(batches)
    before = cpu_here()
    for _ in range(count):
        next(batches)
    task = (cpu_here() - before) / count
    batches.close()
    game, player = GAMES[0]
    rows = [task.play() for task in itertools.islice(tasks(game, player), _ROWS)]
    before = cpu_here()
    with tempfile.TemporaryDirectory() as folder:
        Results(Path(folder)).append(rows)
        made = [one.id for one in itertools.islice(tasks(game, player), _ROWS)]
    return task, (cpu_here() - before) / len(made)


def simulate(workers: int, seconds: float, task: float, row: float) -> tuple[float, float]:
    """Return the share of their time that workers play, and that the scheduler is busy.

    Each worker has a batch that it plays and one that waits. A batch that has ended waits for the
    scheduler, which needs its time for the batch and for each of its games, and sends another one.

    Args:
        workers: how many.
        seconds: mean of a game; lengths are spread as those of real games are.
        task: seconds of the scheduler for a batch.
        row: for a game.
    """
    chance = random.Random(1)
    games = max(1, min(int(seconds_of_batches(workers) / seconds), MOST_IN_BATCH))
    spread = 0.4 / games**0.5
    waiting = dict.fromkeys(range(workers), 1)  # batches that wait at each worker
    ends = [(chance.uniform(0, seconds * games), worker) for worker in range(workers)]
    heapq.heapify(ends)
    arrivals: list[tuple[float, int]] = []  # new batches on their way
    free_at = busy = played = now = 0.0
    for _ in range(workers * _BATCHES):
        while arrivals and (not ends or arrivals[0][0] <= ends[0][0]):
            now, worker = heapq.heappop(arrivals)
            if waiting[worker] < 0:  # it has nothing to play
                waiting[worker] = 0
                heapq.heappush(ends, (now + length(chance, seconds, games, spread), worker))
            else:
                waiting[worker] += 1
        now, worker = heapq.heappop(ends)
        played += seconds * games
        cost = task + row * games
        free_at = max(free_at, now) + cost
        busy += cost
        heapq.heappush(arrivals, (free_at, worker))
        waiting[worker] -= 1
        if waiting[worker] >= 0:
            heapq.heappush(ends, (now + length(chance, seconds, games, spread), worker))
    return min(played / (workers * now), 1.0), min(busy / now, 1.0)


def length(chance: random.Random, seconds: float, games: int, spread: float) -> float:
    """Return the seconds of a batch."""
    return seconds * games * max(chance.gauss(1.0, spread), 0.1)


def clusters(task: float, row: float) -> None:
    """Print the table of simulated clusters."""
    print(
        f"\nScheduler: {task * 1000:.2f} ms of CPU for a batch, {row * 1e6:.0f} us for a game."
        "\nTime that workers spend on games, and load of the scheduler, by seconds of a game:"
    )
    print(f"{'workers':>8}" + "".join(f"{f'{one:g} s':>14}" for one in SECONDS))
    for workers in WORKERS:
        shares = (simulate(workers, one, task, row) for one in SECONDS)
        words = (f"{share:.0%} ({load:.0%})" for share, load in shares)
        print(f"{workers:>8}" + "".join(f"{word:>14}" for word in words), flush=True)


def main() -> None:
    """Measure, simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", nargs="*", metavar="WHAT", help="workers or clusters, else both")
    parser.add_argument("--seconds", type=float, default=12.0, help="of each measurement")
    parser.add_argument("--rounds", type=int, default=2, help="measurements of each kind")
    parser.add_argument("--counts", type=int, nargs="+", default=[1, 2], help="workers to compare")
    parser.add_argument("--task", type=float, help="seconds of the scheduler for a batch")
    parser.add_argument("--row", type=float, help="seconds for a game")
    arguments = parser.parse_args()
    what = arguments.what or ["workers", "clusters"]
    if unknown := set(what) - {"workers", "clusters"}:
        parser.error(f"unknown part {min(unknown)!r}; choose from workers, clusters")
    if "workers" in what:
        compare(arguments.counts, arguments.seconds, arguments.rounds)
    if "clusters" in what:
        task, row = _TASK, _ROW
        if "workers" in what:
            task, row = measure_costs()
        clusters(arguments.task or task, arguments.row or row)


if __name__ == "__main__":
    main()

"""A training in a folder: self-play and learning in turn, resumed where it stopped.

The folder has ``plan.toml``, the positions of each task of self-play in ``samples``, the state of
the learner in ``learner.pt``, the network so far in ``network.npz`` with its data card
``network.json``, and a line of JSON for each task and report in ``log.jsonl``.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from antipodes.errors import Fault, InputError
from antipodes.files import replace_file
from antipodes.parallel.running import run
from antipodes.parallel.workers import Workers
from antipodes.search.network.evaluator import FILES, FOLDER
from antipodes.training.boards import board_of
from antipodes.training.card import LOG, data_card, read_log
from antipodes.training.learner import Learner
from antipodes.training.plan import Plan, Stage
from antipodes.training.samples import Batch, SampleFolder, Samples, Window
from antipodes.training.selfplay import Played, SelfPlay, play

REPORT = 200  # steps of the learner between two reports, each with a new network
AHEAD = 4  # batches that are prepared while the learner makes a step
EXAMPLES = 400  # positions by which the network is quantized
FIRST = 20  # batches of positions before the learner begins


@dataclass(frozen=True, slots=True)
class TrainingProgress:
    """The state of a training.

    Attributes:
        positions: of self-play so far.
        wanted: positions at the end.
        tasks: of self-play so far.
        steps: of the learner.
        losses: means since the report before: ``policy``, ``value``, ``right``.
    """

    positions: int
    wanted: int
    tasks: int
    steps: int
    losses: dict[str, float]


class Training:
    """A training in a folder."""

    def __init__(self, plan: Plan, folder: Path, games: Path | None = None) -> None:
        """Begin, or continue what the folder has.

        Args:
            plan: of the training.
            folder: for all its files.
            games: the folder of another training, whose games are learned instead of own ones.

        Raises:
            InputError: the folder has a training by another plan, or that of the games has none.
        """
        self._plan = plan
        self._folder = folder
        self._games = games
        if games is not None and not (games / LOG).exists():
            message = f"{str(games)!r} has no games of a training"
            raise InputError([Fault("train/games", message, "--games")])
        self._samples = SampleFolder((games or folder) / "samples")
        self._learner = Learner(plan)
        self._window = Window(plan.game, plan.window)
        self._positions = 0
        self._tasks = 0
        self._rng = np.random.default_rng(plan.seed)
        self._cpu = time.process_time()
        self._writer = ThreadPoolExecutor(1)  # compressing positions takes long
        self._writing: list[Future[None]] = []
        plan_file = folder / "plan.toml"
        if plan_file.exists() and plan_file.read_text(encoding="utf-8") != plan.text:
            message = f"{str(folder)!r} has a training by another plan"
            raise InputError([Fault("train/folder", message)])
        folder.mkdir(parents=True, exist_ok=True)
        replace_file(plan_file, plan.text.encode())
        if (folder / "learner.pt").exists():
            self._learner.load(folder / "learner.pt")
        last = None if games is None else max(logged_tasks(folder), default=0)
        for number, size, samples in self._samples.read(last=last):
            self._count(number, size, samples)
        if not self._network.exists():
            self._export()

    @property
    def _network(self) -> Path:
        return self._folder / "network.npz"

    @property
    def progress(self) -> TrainingProgress:
        """The state now."""
        means = self._learner.losses.means()
        wanted = self._plan.positions
        return TrainingProgress(self._positions, wanted, self._tasks, self._learner.steps, means)

    def run(self, workers: Workers, report: Callable[[TrainingProgress], object]) -> None:
        """Learn until the plan is done."""
        if self._games is None:
            self._play(workers, report)
        else:
            self._study(self._games, report)
        self._keep(report)

    def _study(self, games: Path, report: Callable[[TrainingProgress], object]) -> None:
        """Learn from the games of another training, in their order."""
        known = logged_tasks(games)
        for number, size, samples in self._samples.read(after=self._tasks):
            if self._positions >= self._plan.positions:
                break
            self._count(number, size, samples)
            self._log(known[number] | {"cpu": 0.0})
            self._learn(report)

    def _play(self, workers: Workers, report: Callable[[TrainingProgress], object]) -> None:
        tasks = self._new_tasks()

        def take(count: int) -> Sequence[SelfPlay]:
            return list(islice(tasks, count))

        for results in run(play, take, workers, batch_seconds=0):
            for task, played in results:
                self._add(task, played)
            self._learn(report)

    def _new_tasks(self) -> Iterator[SelfPlay]:
        """Yield tasks with the network and the boards of the moment."""
        number = self._tasks
        while self._positions < self._plan.positions:
            plan = self._plan
            number += 1
            chance = random.Random(f"{plan.seed}/{number}")
            stage = plan.stage_after(self._positions)
            (size,) = chance.choices(list(stage.sizes), list(stage.sizes.values()))
            seed = chance.getrandbits(32)
            settings = (plan.game, size, plan.games, plan.together, plan.visits, stage.plays_on)
            player = FOLDER / FILES["rhombus"] if stage.player else self._versioned()
            yield SelfPlay(number, *settings, player, seed)

    def _versioned(self) -> Path:
        """Return a copy of the network with the number of steps in its name.

        Processes that still play with an older network find it unchanged.
        """
        path = self._folder / "networks" / f"{self._learner.steps // REPORT:05}.npz"
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            replace_file(path, self._network.read_bytes())
        return path

    def _add(self, task: SelfPlay, played: Played) -> None:
        self._count(task.number, task.size, played.samples)
        self._writing.append(self._writer.submit(self._write, task, played))

    def _count(self, number: int, size: int, samples: Samples) -> None:
        self._window.add(size, samples)
        self._tasks = max(self._tasks, number)
        self._positions += len(samples)

    def _write(self, task: SelfPlay, played: Played) -> None:
        self._samples.write(task.number, task.size, played.samples)
        self._log(
            {
                "task": task.number,
                "size": task.size,
                "network": task.network.stem,
                "games": played.games,
                "positions": len(played.samples),
                "plies": played.plies,
                "black": played.black,
                "cpu": round(played.cpu, 1),
            }
        )

    def _learn(self, report: Callable[[TrainingProgress], object]) -> None:
        """Learn from each position as often as the plan says."""
        plan, learner = self._plan, self._learner
        if self._positions < FIRST * plan.batch:
            return
        stage = plan.stage_after(self._positions)
        for batch in self._batches(stage):
            learner.learn(batch, stage.rate)
            if learner.steps % REPORT == 0:
                self._keep(report)

    def _batches(self, stage: Stage) -> Iterator[Batch]:
        """Yield the batches of all steps that are due; other threads prepare the next ones."""
        plan = self._plan
        steps = math.ceil(plan.reuse * self._positions / plan.batch) - self._learner.steps
        known = [size for size in stage.sizes if size in self._window.sizes]
        if not known:
            return
        weights = np.array([stage.sizes[size] for size in known])
        ready: deque[Future[Batch]] = deque()
        with ThreadPoolExecutor(AHEAD) as pool:
            for _ in range(steps):
                size = int(self._rng.choice(known, p=weights / weights.sum()))
                # A generator for each batch, so that the order in which threads finish changes
                # nothing.
                (rng,) = self._rng.spawn(1)
                ready.append(pool.submit(self._window.batch, size, plan.batch, rng))
                if len(ready) > AHEAD:
                    yield ready.popleft().result()
            while ready:
                yield ready.popleft().result()

    def _keep(self, report: Callable[[TrainingProgress], object]) -> None:
        """Write the learner and the network, and report."""
        while self._writing:
            self._writing.pop().result()
        self._learner.save(self._folder / "learner.pt")
        self._export()
        progress = self.progress
        numbers = {"steps": progress.steps, "positions": progress.positions, **progress.losses}
        now = time.process_time()
        self._log({**numbers, "cpu": round(now - self._cpu, 1)})
        self._cpu = now
        card = data_card(self._folder, self._plan)
        replace_file(self._folder / "network.json", card.encode())
        report(progress)
        self._learner.forget_losses()

    def _export(self) -> None:
        """Write the network, quantized by positions of the largest board so far."""
        rng = np.random.default_rng(self._plan.seed)
        if self._window.sizes:
            batch = self._window.batch(max(self._window.sizes), EXAMPLES, rng)
            self._learner.export(self._network, batch.board, batch.inputs)
            return
        size = max(self._plan.stages[0].sizes)
        board = board_of(self._plan.game, size)
        seen = [board.seen(board.opening(number % size, rng)) for number in range(EXAMPLES)]
        cells, colors = zip(*seen, strict=True)
        inputs = board.inputs(np.stack(cells), np.array(colors, np.int8))
        self._learner.export(self._network, board, inputs)

    def _log(self, line: dict[str, Any]) -> None:
        with (self._folder / LOG).open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


def logged_tasks(folder: Path) -> dict[int, dict[str, Any]]:
    """Return the lines of a log about tasks of self-play, by their numbers."""
    return {line["task"]: line for line in read_log(folder) if "task" in line}

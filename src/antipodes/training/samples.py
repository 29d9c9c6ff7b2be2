"""Positions of self-play, from which the network learns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.games.kernels import edition, header
from antipodes.games.registry import make_game
from antipodes.search.kernels import network_inputs
from antipodes.search.network.evaluator import goals_of

Floats = npt.NDArray[np.float32]

_NAME = re.compile(r"(\d{6})-(\d+)\.npz")


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions of one board, a row each, in the frame of the colour to move.

    Attributes:
        cells: owner of each cell: 0 none, 1 the colour to move, 2 the opponent.
        policies: the improved policy.
        results: 1 if the colour to move won the game, else 0.
    """

    cells: npt.NDArray[np.int8]
    policies: npt.NDArray[np.float16]
    results: Floats

    def __len__(self) -> int:
        """Return the number of positions."""
        return len(self.results)

    @classmethod
    def joined(cls, parts: Iterable[Samples]) -> Samples:
        """Return the positions of all parts."""
        rows = [(one.cells, one.policies, one.results) for one in parts]
        return cls(*(np.concatenate(column) for column in zip(*rows, strict=True)))

    def latest(self, count: int) -> Samples:
        """Return the last positions, so many at most."""
        return Samples(self.cells[-count:], self.policies[-count:], self.results[-count:])


@dataclass(frozen=True, slots=True)
class Batch:
    """Positions for a step of the learner.

    Attributes:
        inputs: of the network, shape ``(batch, planes, rows, columns)``.
        policies: probabilities, shape ``(batch, cells)``.
        results: shape ``(batch,)``.
        occupied: which cells have stones, shape ``(batch, cells)``.
    """

    inputs: Floats
    policies: Floats
    results: Floats
    occupied: npt.NDArray[np.bool_]


class Window:
    """The latest positions of each board, which the learner draws from."""

    def __init__(self, most: int) -> None:
        """Keep so many positions of each board at most."""
        self._most = most
        self._samples: dict[int, Samples] = {}
        self._boards: dict[int, tuple[Any, ...]] = {}

    def add(self, size: int, samples: Samples) -> None:
        """Add positions of a board."""
        known = self._samples.get(size)
        both = samples if known is None else Samples.joined((known, samples))
        self._samples[size] = both.latest(self._most)

    @property
    def sizes(self) -> Sequence[int]:
        """The boards."""
        return sorted(self._samples)

    def batch(self, size: int, count: int, rng: np.random.Generator) -> Batch:
        """Return random positions of a board, every second turned by half a turn."""
        samples = self._samples[size]
        rows = rng.integers(0, len(samples), count)
        turned = (rng.random(count) < 0.5)[:, None]
        cells, policies = samples.cells[rows], samples.policies[rows].astype(np.float32)
        cells = np.where(turned, cells[:, ::-1], cells)
        policies = np.where(turned, policies[:, ::-1], policies)
        inputs = self._inputs(size, cells)
        sums = policies.sum(1, keepdims=True)
        return Batch(inputs, policies / sums, samples.results[rows], cells != 0)

    def _inputs(self, size: int, cells: npt.NDArray[np.int8]) -> Floats:
        if size not in self._boards:
            game = make_game("hex", {"size": size, "swap": "off"})
            goals = goals_of(game)
            state = np.zeros(header.HEADER + size * size, np.int64)
            work = np.zeros(network_inputs.ROOM * size * size, np.int64)
            self._boards[size] = game.tables, state, work, goals, np.arange(size * size)
        inputs = np.zeros((len(cells), network_inputs.PLANES, size * size), np.float32)
        owners = np.ascontiguousarray(cells)
        edition(network_inputs, "write_samples")(owners, *self._boards[size], inputs)
        return inputs.reshape(len(cells), network_inputs.PLANES, size, size)


class SampleFolder:
    """A folder with a file for each task of self-play."""

    def __init__(self, folder: Path) -> None:
        """Make the folder where it is missing."""
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def write(self, number: int, size: int, samples: Samples) -> None:
        """Write the positions of a task; the file appears when it is whole."""
        path = self._folder / f"{number:06}-{size}.npz"
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            np.savez_compressed(
                file, cells=samples.cells, policies=samples.policies, results=samples.results
            )
        part.replace(path)

    def read(self) -> Iterable[tuple[int, int, Samples]]:
        """Yield number, size of the board and positions of each task, in order."""
        for path in sorted(self._folder.iterdir()):
            match = _NAME.fullmatch(path.name)
            if match:
                with np.load(path) as file:
                    samples = Samples(file["cells"], file["policies"], file["results"])
                yield int(match[1]), int(match[2]), samples

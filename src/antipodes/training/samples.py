"""Positions of self-play, from which the network learns."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.training.boards import Board, Cells, Floats, board_of

_COLUMNS = ("cells", "colors", "policies", "results")
_NAME = re.compile(r"(\d{6})-(\d+)\.npz")


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions of one board, a row each, as :meth:`Board.seen` returns them.

    Attributes:
        cells: owner of each cell: 0 none, 1 Black, 2 White.
        colors: the colour to move: 0 Black, 1 White.
        policies: the improved policy.
        results: 1 if the colour to move won the game, else 0.
    """

    cells: Cells
    colors: npt.NDArray[np.int8]
    policies: npt.NDArray[np.float16]
    results: Floats

    def __len__(self) -> int:
        return len(self.results)

    @classmethod
    def joined(cls, parts: Iterable[Samples]) -> Samples:
        """Return the positions of all parts."""
        rows = [one.columns for one in parts]
        return cls(*(np.concatenate(column) for column in zip(*rows, strict=True)))

    @property
    def columns(self) -> tuple[Any, ...]:
        """The columns in their order."""
        return self.cells, self.colors, self.policies, self.results

    def latest(self, count: int) -> Samples:
        """Return the last positions, so many at most."""
        return Samples(*(column[-count:] for column in self.columns))


@dataclass(frozen=True, slots=True)
class Batch:
    """Positions for a step of the learner.

    Attributes:
        board: of all positions.
        inputs: of the network, shape ``(batch, planes, cells)``.
        policies: probabilities, shape ``(batch, cells)``.
        results: shape ``(batch,)``.
        occupied: which cells have stones, shape ``(batch, cells)``.
    """

    board: Board
    inputs: Floats
    policies: Floats
    results: Floats
    occupied: npt.NDArray[np.bool_]


class Window:
    """The latest positions of each board, which the learner draws from."""

    def __init__(self, game_id: str, most: int) -> None:
        self._game_id = game_id
        self._most = most
        self._latest: dict[int, _Latest] = {}

    def add(self, size: int, samples: Samples) -> None:
        """Add positions of a board."""
        if size not in self._latest:
            self._latest[size] = _Latest(samples, self._most)
        self._latest[size].add(samples)

    @property
    def sizes(self) -> Sequence[int]:
        """The boards."""
        return sorted(self._latest)

    def batch(self, size: int, count: int, rng: np.random.Generator) -> Batch:
        """Return random positions of a board, each after a random symmetry.

        Several threads can do this at the same time, but not while positions are added.
        """
        board = board_of(self._game_id, size)
        samples = self._latest[size].drawn(count, rng)
        policies = samples.policies.astype(np.float32)
        cells, policies = board.turned(samples.cells, policies, rng)
        inputs = board.inputs(cells, samples.colors)
        policies /= policies.sum(1, keepdims=True)
        return Batch(board, inputs, policies, samples.results, cells != 0)


class _Latest:
    """The latest positions of a board: new ones take the places of the oldest."""

    def __init__(self, example: Samples, most: int) -> None:
        self._kept = Samples(
            *(np.empty((most, *column.shape[1:]), column.dtype) for column in example.columns)
        )
        self._count = 0
        self._next = 0

    def add(self, samples: Samples) -> None:
        most = len(self._kept)
        added = samples.latest(most)
        places = (self._next + np.arange(len(added))) % most
        for kept, column in zip(self._kept.columns, added.columns, strict=True):
            kept[places] = column
        self._next = (self._next + len(added)) % most
        self._count = min(self._count + len(added), most)

    def drawn(self, count: int, rng: np.random.Generator) -> Samples:
        rows = rng.integers(0, self._count, count)
        return Samples(*(column[rows] for column in self._kept.columns))


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
            columns = dict(zip(_COLUMNS, samples.columns, strict=True))
            np.savez_compressed(file, allow_pickle=False, **columns)
        part.replace(path)

    def read(self, after: int = 0, last: int | None = None) -> Iterable[tuple[int, int, Samples]]:
        """Yield number, size of the board and positions of each task, in order.

        Args:
            after: number of the task before the first.
            last: number of the last task; all by default.
        """
        for path in sorted(self._folder.iterdir()):
            match = _NAME.fullmatch(path.name)
            if match and after < int(match[1]) and (last is None or int(match[1]) <= last):
                with np.load(path) as file:
                    samples = Samples(*(file[name] for name in _COLUMNS))
                yield int(match[1]), int(match[2]), samples

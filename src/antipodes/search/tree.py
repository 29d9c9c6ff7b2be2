"""Tree search for one position, in Python's hands: started, watched, stopped."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from antipodes.core import Move
from antipodes.games.base import BoardGame
from antipodes.games.kernels import compiled_rules, jit
from antipodes.games.kernels.antipalos import MAIL
from antipodes.games.position import BoardPosition
from antipodes.search.kernels import estimates, uct

_SLICE = 0.05  # seconds between two looks at the clock and the caller


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come.

    Attributes:
        simulations: made so far.
        total: simulations at which the search ends.
        best: the best move so far.
        value: what it is worth to the seat to move, from 0 (lost) to 1 (won).
        seconds: time spent.
    """

    simulations: int
    total: int
    best: Move
    value: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that was looked at, with its visits and its value to the seat to move."""

    move: Move
    visits: int
    value: float


Watcher = Callable[[Progress], object]


class TreeSearch:
    """A search tree for one position.

    Attributes:
        position: the position at the root; the game goes on there.
    """

    def __init__(
        self,
        position: BoardPosition[Any],
        *,
        seed: int = 1,
        exploration: float = 0.5,
        max_nodes: int = 1_000_000,
    ) -> None:
        """Prepare a tree.

        Args:
            position: where to search; it must not be over.
            seed: makes the search reproducible; any whole number.
            exploration: the constant of the upper confidence bound.
            max_nodes: memory bound; a node takes 48 bytes.

        Raises:
            ValueError: the game is over.
        """
        if position.outcome is not None:
            raise ValueError(f"the game is over: {position.outcome}")
        game: BoardGame[Any, Any] = position.game
        self.position = position
        self._exploration = exploration
        self._plies = min(game.max_plies, 2_000) + 1
        self._root = position.searchable_state(self._plies)
        self._state = self._root.copy()
        grid = 5 * (game.topology.cell_count + 2 * max(game.topology.size) + 1)
        self._work = np.zeros(max(game.work_size, grid), np.int64)
        self._rng = np.array([_scrambled(seed)], np.int64)
        self._out = np.zeros(game.max_branching, np.int64)
        nodes = max(max_nodes, game.max_branching + 1)
        self._links = np.zeros((nodes, uct.LINKS), np.int64)
        self._values = np.zeros(nodes, np.float64)
        self._path = np.zeros(self._plies + 1, np.int64)
        self._rewards = np.zeros(len(game.colors), np.float64)
        # Only in the boxed game do random rods tell nothing.
        by_estimate = game.family == "antipalos" and game.tables[MAIL] == 0
        self._estimate = "estimate_antipalos" if by_estimate else "no_estimate"
        self._settings = np.zeros(uct.SETTINGS, np.int64)
        self._settings[uct.COLORS] = len(game.colors)
        self._settings[uct.USE_ESTIMATE] = by_estimate
        self._settings[uct.THRESHOLD] = 1 if by_estimate else 4
        self._settings[uct.MAX_PLIES] = self._plies
        self._settings[uct.NODES] = 1

    @property
    def simulations(self) -> int:
        """Simulations made so far."""
        return int(self._links[0, uct.VISITS])

    def run(self, simulations: int, watch: Watcher | None = None) -> None:
        """Add simulations to the tree; ``watch`` is told every few hundredths of a second.

        What ``watch`` raises ends the search; the tree stays good.
        """
        began = time.perf_counter()
        total = self.simulations + simulations
        slice_size = 16
        while self.simulations < total:
            before = time.perf_counter()
            self._simulate(min(slice_size, total - self.simulations))
            spent = time.perf_counter() - before
            if spent < _SLICE / 2:
                slice_size *= 2
            elif spent > _SLICE * 2 and slice_size > 1:
                slice_size //= 2
            if watch is not None:
                best = self.candidates()[0]
                elapsed = time.perf_counter() - began
                watch(Progress(self.simulations, total, best.move, best.value, elapsed))

    def _simulate(self, simulations: int) -> None:
        family = self.position.game.family
        rules = compiled_rules(family)
        kernel = _edition(uct.__name__, "simulate")
        kernel(
            rules.moves,
            rules.play,
            rules.sample,
            _edition(estimates.__name__, self._estimate),
            self.position.game.tables,
            self._root,
            self._state,
            self._work,
            self._rng,
            self._out,
            self._links,
            self._values,
            self._settings,
            self._path,
            self._rewards,
            self._exploration,
            simulations,
        )

    def candidates(self) -> list[Candidate]:
        """Return the moves that were tried, the most visited first."""
        first = int(self._links[0, uct.FIRST_CHILD])
        rows = range(first, first + int(self._links[0, uct.CHILDREN]))
        found = [self._candidate(row) for row in rows if self._links[row, uct.VISITS]]
        return sorted(found, key=lambda one: (one.visits, one.value), reverse=True)

    def _candidate(self, row: int) -> Candidate:
        visits = int(self._links[row, uct.VISITS])
        return Candidate(
            Move(self._links[row, uct.MOVE]), visits, float(self._values[row]) / visits
        )


def _edition(module_name: str, kernel: str) -> Callable[..., int]:
    """Return a kernel of the search, compiled where that is allowed."""
    if jit.enabled():
        return jit.compiled(module_name)[kernel]
    functions: dict[str, Callable[..., int]] = {
        uct.__name__: vars(uct),
        estimates.__name__: vars(estimates),
    }[module_name]
    return functions[kernel]


def _scrambled(seed: int) -> int:
    """Return a generator state, never 0, that differs much between neighbouring seeds."""
    mixed = (seed * 0x9E3779B97F4A7C15 + 0x5851F42D4C957F2D) & 0x7FFFFFFFFFFFFFFF
    return mixed or 1

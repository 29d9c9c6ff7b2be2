"""Tree search for one position, in Python's hands: started, watched, stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.core import Move
from antipodes.games.base import BoardGame
from antipodes.games.kernels import Array, compiled_rules, jit
from antipodes.games.kernels.antipalos import MAIL
from antipodes.games.position import BoardPosition
from antipodes.search.kernels import batch, estimates, rave, uct
from antipodes.search.thinking import Candidate, Limits, Progress, Proven, Watcher

Floats = npt.NDArray[np.float64]

_NODE_BYTES = 64
_CRITICAL_BATCHES = 64
_SLICE = 0.05  # seconds between two looks at the clock and the caller


class TreeSearch:
    """A search tree for one position.

    Placement games are searched with rapid action value estimates and 64 random games a visit,
    the others with plain upper confidence bounds and one game or one estimate a visit.

    Attributes:
        position: the position at the root; the game goes on there.
        games_a_visit: how many random games a visit to a leaf plays.
    """

    def __init__(
        self,
        position: BoardPosition[Any],
        *,
        seed: int = 1,
        memory: int = 256,
        threads: int = 1,  # noqa: ARG002
        knowledge: bool = True,  # noqa: ARG002
    ) -> None:
        """Prepare a tree.

        Args:
            position: where to search; it must not be over.
            seed: makes the search reproducible; any whole number.
            memory: bound of the tree in MiB.
            threads: how many think at once.
            knowledge: whether to use what is known of connections.

        Raises:
            ValueError: the game is over.
        """
        if position.outcome is not None:
            raise ValueError(f"the game is over: {position.outcome}")
        self.position = position
        kind = _BatchVisits if position.game.family == "placement" else _SingleVisits
        self.games_a_visit = kind.games
        nodes = max((memory << 20) // _NODE_BYTES, position.game.max_branching + 1)
        self._seed = seed
        self._memory = memory
        self._stopped = threading.Event()
        self._tree = _Tree.planted(position, seed, nodes)
        self._visits = kind(position, self._tree)

    @property
    def visits(self) -> int:
        """Visits made so far."""
        return int(self._tree.links[0, uct.VISITS])

    @property
    def proven(self) -> Proven | None:
        """What is certain for the seat to move, or ``None``."""
        return None

    def value(self) -> float:
        """Return the worth of the position to the seat to move; one half before any visit."""
        best = self.candidates()[:1]
        return best[0].value if best else 0.5

    def criticality(self) -> tuple[float, ...] | None:
        """Return how much the game hangs on each cell, in the placement games."""
        return self._visits.criticality()

    def stop(self) -> None:
        """End the run that is going on in another thread."""
        self._stopped.set()

    def play(self, move: Move) -> None:
        """Go on from the position after ``move``.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
        """
        TreeSearch.__init__(self, self.position.play(move), seed=self._seed, memory=self._memory)

    def run(self, limits: Limits, watch: Watcher | None = None) -> None:
        """Go on searching until a limit is met or the search is stopped; at least one visit."""
        began = time.perf_counter()
        self._stopped.clear()
        slice_size = 16
        share = 0.0
        while share < 1.0 and not self._stopped.is_set():
            before = time.perf_counter()
            room = slice_size
            if limits.visits is not None:
                # The first visit of a tree may only give the root its children.
                room = max(1, min(room, max(limits.visits, 2) - self.visits))
            self._visits.add(room)
            now = time.perf_counter()
            if now - before < _SLICE / 2:
                slice_size *= 2
            elif now - before > _SLICE * 2 and slice_size > 1:
                slice_size //= 2
            share = _share(limits, self.visits, now - began)
            if watch is not None and self.visits > 1:
                best = self.candidates()[0]
                watch(Progress(self.visits, min(share, 1.0), best.move, best.value, now - began))

    def candidates(self) -> list[Candidate]:
        """Return the moves that were tried, the most visited first."""
        links = self._tree.links
        first = int(links[0, uct.FIRST_CHILD])
        rows = range(first, first + int(links[0, uct.CHILDREN]))
        found = [self._candidate(row) for row in rows if links[row, uct.VISITS]]
        return sorted(found, key=lambda one: (one.visits, one.value), reverse=True)

    def _candidate(self, row: int) -> Candidate:
        visits = int(self._tree.links[row, uct.VISITS])
        value = float(self._tree.values[row]) / visits
        games = visits * self.games_a_visit
        error = (max(value * (1 - value), 0.25 / games) / games) ** 0.5
        move = Move(self._tree.links[row, uct.MOVE])
        return Candidate(move, visits, value, error, None, (move,))


def _share(limits: Limits, visits: int, seconds: float) -> float:
    """Return how much of a run is done; 1 or more when it is over."""
    by_visits = visits / max(limits.visits, 2) if limits.visits is not None else 0.0
    if limits.seconds is None:
        return by_visits
    by_time = seconds / limits.seconds if limits.seconds > 0 and visits > 1 else float(visits > 1)
    return max(by_visits, by_time)


@dataclass(frozen=True)
class _Tree:
    """The arrays of a tree, as :mod:`antipodes.search.kernels.uct` describes them."""

    root: Array
    rng: Array
    out: Array
    links: Array
    values: Floats
    settings: Array
    path: Array
    rewards: Floats

    @classmethod
    def planted(cls, position: BoardPosition[Any], seed: int, nodes: int) -> _Tree:
        """Return a tree of one node."""
        game: BoardGame[Any, Any] = position.game
        plies = min(game.max_plies, 2_000) + 1
        settings = np.zeros(uct.SETTINGS, np.int64)
        settings[uct.COLORS] = len(game.colors)
        settings[uct.MAX_PLIES] = plies
        settings[uct.NODES] = 1
        return cls(
            root=position.searchable_state(plies),
            rng=np.array([_scrambled(seed)], np.int64),
            out=np.zeros(game.max_branching, np.int64),
            links=np.zeros((nodes, uct.LINKS), np.int64),
            values=np.zeros(nodes, np.float64),
            settings=settings,
            path=np.zeros(plies + 1, np.int64),
            rewards=np.zeros(len(game.colors), np.float64),
        )


class _SingleVisits:
    """Visits of one random game, or in boxed Antipalos, where these tell nothing, one estimate."""

    games = 1
    exploration = 0.5

    def __init__(self, position: BoardPosition[Any], tree: _Tree) -> None:
        game: BoardGame[Any, Any] = position.game
        self._game = game
        self._tree = tree
        self._state = tree.root.copy()
        grid = 5 * (game.topology.cell_count + 2 * max(game.topology.size) + 1)
        self._work = np.zeros(max(game.work_size, grid), np.int64)
        by_estimate = game.family == "antipalos" and game.tables[MAIL] == 0
        self._estimate = "estimate_antipalos" if by_estimate else "no_estimate"
        tree.settings[uct.USE_ESTIMATE] = by_estimate
        tree.settings[uct.THRESHOLD] = 1 if by_estimate else 4

    def add(self, visits: int) -> None:
        """Add visits to the tree."""
        rules = compiled_rules(self._game.family)
        tree = self._tree
        _edition(uct, "simulate")(
            rules.moves,
            rules.play,
            rules.sample,
            _edition(estimates, self._estimate),
            self._game.tables,
            tree.root,
            self._state,
            self._work,
            tree.rng,
            tree.out,
            tree.links,
            tree.values,
            tree.settings,
            tree.path,
            tree.rewards,
            self.exploration,
            visits,
        )

    def criticality(self) -> tuple[float, ...] | None:
        """Return nothing: single games do not keep who held which cell."""
        return None


class _BatchVisits:
    """Visits of 64 random games of a placement game, which also teach about all other moves."""

    games = batch.LANES
    # Batches tell so much that little exploration is needed.
    exploration = 0.02
    trust = 30.0

    def __init__(self, position: BoardPosition[Any], tree: _Tree) -> None:
        self._game: BoardGame[Any, Any] = position.game
        self._tree = tree
        self._state = tree.root.copy()
        self._layout = batch.flood_layout(self._game.topology, self._game.tables)
        self._estimates = np.zeros((len(tree.values), rave.COLUMNS), np.float64)
        self._mover = np.zeros(len(tree.path), np.int64)
        self._lanes = np.zeros((3, 2 * len(tree.root)), np.int64)
        tree.settings[uct.THRESHOLD] = 1

    def criticality(self) -> tuple[float, ...] | None:
        """Return how much the game hangs on each cell, from fresh batches at the root."""
        cells = self._game.topology.cell_count
        held, black, reached = self._lanes[:, : cells + 1]
        holding, both, wins = np.zeros(cells), np.zeros(cells), 0
        lanes = np.zeros(2 * cells, np.int64)
        for _ in range(_CRITICAL_BATCHES):
            _edition(batch, "fill")(
                self._game.tables, self._tree.root, self._layout.slots, self._tree.rng, held, black
            )
            won = _edition(batch, "flood")(
                self._layout.ahead,
                self._layout.behind,
                self._layout.sources,
                self._layout.targets,
                black,
                reached,
            )
            _edition(rave, "tally")(self._layout.slots, black, won, lanes)
            wins += int(_edition(batch, "count_ones")(won))
            holding += lanes[::2]
            both += lanes[1::2]
        games = _CRITICAL_BATCHES * batch.LANES
        # The covariance of two signs is four times that of two indicators.
        covariance = 4 * (both / games - holding / games * wins / games)
        return tuple(covariance.tolist())

    def add(self, visits: int) -> None:
        """Add visits to the tree."""
        rules = compiled_rules(self._game.family)
        tree = self._tree
        _edition(rave, "simulate")(
            rules.moves,
            rules.play,
            self._game.tables,
            tree.root,
            self._state,
            self._game.work(),
            tree.rng,
            tree.out,
            tree.links,
            tree.values,
            self._estimates,
            tree.settings,
            tree.path,
            self._mover,
            self._layout.slots,
            self._layout.ahead,
            self._layout.behind,
            self._layout.sources,
            self._layout.targets,
            self._lanes,
            tree.rewards,
            self.exploration,
            self.trust,
            visits,
        )


def _edition(module: ModuleType, kernel: str) -> Callable[..., int]:
    """Return a kernel of the search, compiled where that is allowed."""
    functions = jit.compiled(module.__name__) if jit.enabled() else vars(module)
    function: Callable[..., int] = functions[kernel]
    return function


def _scrambled(seed: int) -> int:
    """Return a generator state, never 0, that differs much between neighbouring seeds."""
    mixed = (seed * 0x9E3779B97F4A7C15 + 0x5851F42D4C957F2D) & 0x7FFFFFFFFFFFFFFF
    return mixed or 1

"""The search for Antipalos: circuits judge, few moves are tried, forced wins are proven."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.core import Move
from antipodes.games.base import BoardGame
from antipodes.games.kernels import Array, header
from antipodes.games.position import BoardPosition
from antipodes.search.editions import edition, generator_state
from antipodes.search.kernels import antipalos_circuit as circuit
from antipodes.search.kernels import antipalos_judgement as judgement
from antipodes.search.kernels import antipalos_threats as threats
from antipodes.search.kernels import antipalos_tree as tree
from antipodes.search.thinking import Candidate, Limits, Progress, Proven, Watcher

Floats = npt.NDArray[np.float64]

_ROW_BYTES = 8 * (2 * (tree.LINKS + tree.VALUES) + 1)  # two trees, and where rows came from
_SLICE = 0.02  # seconds between two looks at the clock and the caller
_DEPTH = 250  # plies that a visit looks ahead at most
_LONGEST_LINE = 30
_DEFENCE = 64  # visits to a lost position: enough to choose the move that resists longest

# Found by playing; see antipalos_judgement.
TUNING = {
    judgement.STEEPNESS: 2.5,
    judgement.TEMPO: 0.3,
    judgement.SHARPNESS: 1.5,
    judgement.EXPLORATION: 0.12,
}


class AntipalosSearch:
    """A search tree for one position of Antipalos.

    Attributes:
        position: the position at the root.
    """

    def __init__(self, position: BoardPosition[Any], *, seed: int = 1, memory: int = 256) -> None:
        """Prepare a tree.

        Args:
            position: where to search; it must not be over.
            seed: makes the search reproducible; any whole number.
            memory: bound of the tree in MiB.

        Raises:
            ValueError: the game is over.
        """
        if position.outcome is not None:
            raise ValueError(f"the game is over: {position.outcome}")
        self.position = position
        self._seed = seed
        self._stopped = threading.Event()
        rows = max((memory << 20) // _ROW_BYTES, 1000)
        self._trees = [_Tree(rows), _Tree(rows)]
        self._origins = np.zeros(rows, np.int64)
        self._bench = _Bench(position.game, seed)
        self._root = position.searchable_state(_DEPTH + 1)

    @property
    def visits(self) -> int:
        """Visits made so far."""
        return int(self._trees[0].links[0, tree.VISITS])

    @property
    def proven(self) -> Proven | None:
        """What is certain for the seat to move, or ``None``."""
        return self._certainty(0, self._side_to_move)

    def value(self) -> float:
        """Return the worth of the position to the seat to move; one half before any visit."""
        if self.proven is not None:
            return float(self.proven is Proven.WIN)
        candidates = self.candidates()
        return candidates[0].value if candidates else 0.5

    def criticality(self) -> tuple[float, ...] | None:
        """Return how much the game hangs on each square; only with two colours.

        It is how much likelier the colour to move wins with the best rod of its own there than with
        the other colour's, whoever is to move then.
        """
        if len(self.position.game.colors) != 2 or self.position.outcome is not None:
            return None
        own, other = (self._bench.chances(self._root, other) for other in (0, 1))
        empty = np.asarray(self._root[header.HEADER :][: len(own)]) == 0
        return tuple(np.where(empty, own + other - 1, 0.0).clip(0, 1).tolist())

    @property
    def _side_to_move(self) -> int:
        return self.position.seat_to_move % len(self.position.game.colors)

    def _certainty(self, row: int, side: int) -> Proven | None:
        proven = int(self._trees[0].links[row, tree.PROVEN])
        if proven == 0:
            return None
        return Proven.WIN if proven == 1 + side else Proven.LOSS

    def stop(self) -> None:
        """End the run that is going on in another thread."""
        self._stopped.set()

    def run(self, limits: Limits, watch: Watcher | None = None) -> None:
        """Go on searching until a limit is met, all is proven, or the search is stopped."""
        began = time.perf_counter()
        self._stopped.clear()
        if self.position.outcome is not None:
            return
        rate = 10_000.0  # visits a second, a first guess
        share = 0.0
        while share < 1.0:
            room = max(1, int(rate * _SLICE))
            if limits.seconds is not None:
                left = limits.seconds - (time.perf_counter() - began)
                room = max(1, min(room, int(rate * left)))
            if limits.visits is not None:
                # The first visit of a tree only gives the root its moves.
                room = max(1, min(room, max(limits.visits, 2) - self.visits))
            before = time.perf_counter()
            self._bench.grow(self._root, self._trees[0], room)
            now = time.perf_counter()
            rate = room / max(now - before, 1e-6)
            self._widen()
            share = self._share(limits, now - began)
            if watch is not None and self.visits > 1:
                best = self.candidates()[0]
                done = min(share, 1.0)
                watch(Progress(self.visits, done, best.move, best.value, now - began))
            if self._stopped.is_set():
                break

    def _share(self, limits: Limits, seconds: float) -> float:
        """Return how much of a run is done; 1 or more when it is over."""
        if not self._is_looked_at():
            return 0.0
        proven = self.proven
        if proven is Proven.WIN or (proven is not None and self.visits >= _DEFENCE):
            return 1.0
        by_visits = self.visits / max(limits.visits, 2) if limits.visits is not None else 0.0
        if limits.seconds is None:
            return by_visits
        return max(by_visits, seconds / limits.seconds if limits.seconds > 0 else 1.0)

    def _is_looked_at(self) -> bool:
        """Return whether any move of the root was."""
        return any(self._trees[0].links[row, tree.VISITS] for row in self._children(0))

    def _widen(self) -> None:
        """Give the root all legal moves once those that looked good are all proven to lose."""
        found = self._trees[0]
        links, values = found.links, found.values
        rows = np.array(self._children(0), np.int64)
        lost = (links[rows, tree.PROVEN] != 0) & (
            links[rows, tree.PROVEN] != 1 + self._side_to_move
        )
        if not len(rows) or not lost.all() or links[0, tree.COMPLETE] or self.proven is not None:
            return
        others = np.setdiff1d(self.position.legal_moves.array(), links[rows, tree.MOVE])
        first = int(found.settings[tree.NODES])
        end = first + len(rows) + len(others)
        if end > len(links):
            return
        links[first:end] = 0
        values[first:end] = 0.0
        links[first : first + len(rows)] = links[rows]
        values[first : first + len(rows)] = values[rows]
        links[first + len(rows) : end, tree.MOVE] = others
        links[first + len(rows) : end, tree.MOVER] = self._side_to_move
        values[first + len(rows) : end, tree.PRIOR] = 1 / max(len(others), 1)
        links[0, tree.FIRST_CHILD], links[0, tree.CHILDREN] = first, end - first
        links[0, tree.COMPLETE] = 1
        found.settings[tree.NODES] = end

    def candidates(self) -> list[Candidate]:
        """Return the moves that were tried, the best first."""
        links = self._trees[0].links
        rows = sorted(self._children(0), key=self._rank, reverse=True)
        return [self._candidate(row) for row in rows if links[row, tree.VISITS]]

    def _children(self, row: int) -> range:
        links = self._trees[0].links
        first = int(links[row, tree.FIRST_CHILD])
        return range(first, first + int(links[row, tree.CHILDREN]))

    def _rank(self, row: int) -> tuple[int, float, float]:
        """Return what makes a child better than others for the side that chooses it.

        The nearest win comes first, then what was visited most, and the farthest loss last.
        """
        links, values = self._trees[0].links, self._trees[0].values
        visits = int(links[row, tree.VISITS])
        certain = self._certainty(row, int(links[row, tree.MOVER]))
        distance = int(links[row, tree.DISTANCE])
        if certain is Proven.WIN:
            return 1, -distance, visits
        if certain is Proven.LOSS:
            return -1, distance, visits
        return 0, visits, values[row, tree.WORTH] / max(visits, 1)

    def _candidate(self, row: int) -> Candidate:
        links, values = self._trees[0].links, self._trees[0].values
        visits = int(links[row, tree.VISITS])
        certain = self._certainty(row, int(links[row, tree.MOVER]))
        value = float(values[row, tree.WORTH]) / visits
        error = float((max(value * (1 - value), 0.25 / visits) / visits) ** 0.5)
        if certain is not None:
            value, error = float(certain is Proven.WIN), 0.0
        return Candidate(
            Move(links[row, tree.MOVE]), visits, value, error, certain, self._line(row)
        )

    def _line(self, row: int) -> tuple[Move, ...]:
        """Return the best play from a child of the root on, as far as it was looked at."""
        links = self._trees[0].links
        line = [Move(links[row, tree.MOVE])]
        while len(line) < _LONGEST_LINE:
            visited = [child for child in self._children(row) if links[child, tree.VISITS]]
            if not visited:
                break
            row = max(visited, key=self._rank)
            line.append(Move(links[row, tree.MOVE]))
        return tuple(line)

    def play(self, move: Move) -> None:
        """Go on from the position after ``move``, and keep the tree below it.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
        """
        self.position = self.position.play(move)
        old, new = self._trees
        known = [row for row in self._children(0) if old.links[row, tree.MOVE] == move]
        new.links[0] = 0
        new.values[0] = 0.0
        new.settings[tree.NODES] = 1
        if known and self.position.outcome is None:
            new.settings[tree.NODES] = _kernel("transplant")(
                old.links, old.values, known[0], new.links, new.values, self._origins
            )
        self._trees = [new, old]
        self._root = self.position.searchable_state(_DEPTH + 1)


class _Tree:
    """The arrays of a tree, as :mod:`antipodes.search.kernels.antipalos_tree` describes them."""

    def __init__(self, rows: int) -> None:
        self.links: Array = np.zeros((rows, tree.LINKS), np.int64)
        self.values: Floats = np.zeros((rows, tree.VALUES), np.float64)
        self.settings: Array = np.zeros(tree.SETTINGS, np.int64)
        self.settings[tree.NODES] = 1
        self.settings[tree.ROOM] = 32
        self.settings[tree.RODS] = 5
        self.settings[tree.ROOT_ROOM] = 64


class _Bench:
    """The arrays in which positions are played, looked at and judged."""

    def __init__(self, game: BoardGame[Any, Any], seed: int) -> None:
        size = game.options.size
        squares = size * size
        colors = len(game.colors)
        points = circuit.points_a_lattice(size)
        self._game = game
        self._rng = np.array([generator_state(seed)], np.int64)
        self._state = game.initial().searchable_state(_DEPTH + 1)
        self._path = np.zeros(_DEPTH + 1, np.int64)
        self._reach = np.zeros((size + 1) ** 2 + 2 * squares, np.int64)
        self._sight = np.zeros(threats.SIGHT, np.int64)
        self._tuning = np.zeros(judgement.TUNING, np.float64)
        for number, value in TUNING.items():
            self._tuning[number] = value
        self._band = np.zeros((points * (circuit.band_width(size) + 1), circuit.LANES))
        self._volts = np.zeros((points, circuit.LANES))
        self._near = np.zeros_like(self._band)
        self._drops = np.zeros((colors * squares, circuit.LANES))
        self._ties = np.zeros_like(self._drops)
        self._currents = np.zeros((colors, circuit.LANES))
        self._standings = np.zeros(colors)
        self._scores = np.zeros((squares, judgement.SCORES))
        self._moves = np.zeros(max(2 * squares, 256), np.int64)
        self._odds = np.zeros(len(self._moves))
        self._priors = np.zeros(len(self._moves))
        self._targets = np.zeros(128, np.int64)
        self._worths = np.zeros(len(self._targets))
        self._rewards = np.zeros(colors)

    def chances(self, root: Array, other: int) -> Floats:
        """Return the chance of the colour to move, or the ``other``, with a rod on each square.

        The turn itself counts nothing.
        """
        state = root.copy()
        state[header.SEAT] += other
        state[header.COLOR] ^= other
        tuning = self._tuning.copy()
        tuning[judgement.TEMPO] = 0.0
        circuits = (self._drops, self._ties, self._currents)
        tables = self._game.tables
        _kernel("judge_position")(
            tables, state, self._band, self._volts, self._near, *circuits, self._standings
        )
        _kernel("score_squares")(tables, state, tuning, self._standings, *circuits, self._scores)
        best = self._scores[:, : judgement.TAKEN].max(axis=1).clip(-40, 40)
        return np.asarray(1 / (1 + np.exp(-best)))

    def grow(self, root: Array, grown: _Tree, visits: int) -> None:
        """Add visits to a tree."""
        if len(self._state) != len(root):
            self._state = root.copy()
        _kernel("grow")(
            self._game.tables,
            root,
            self._state,
            self._game.work(),
            self._rng,
            grown.links,
            grown.values,
            grown.settings,
            self._path,
            self._reach,
            self._sight,
            self._tuning,
            self._band,
            self._volts,
            self._near,
            self._drops,
            self._ties,
            self._currents,
            self._standings,
            self._scores,
            self._moves,
            self._targets,
            self._worths,
            self._odds,
            self._priors,
            self._rewards,
            visits,
        )


def _kernel(name: str) -> Callable[..., int]:
    """Return a kernel of the tree or of the judgement."""
    return edition(judgement if name in vars(judgement) else tree, name)

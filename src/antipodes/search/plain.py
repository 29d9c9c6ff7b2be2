"""The reference search: plain UCT without any knowledge of the game."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence

import numpy as np

from antipodes.core import Move
from antipodes.games.kernels import edition, header, plain_rules
from antipodes.games.position import Game, Position
from antipodes.search.arrays import lazy_zeros
from antipodes.search.interface import Candidate, Limits, ProgressCallback, Proven, SearchProgress
from antipodes.search.kernels import plain
from antipodes.search.kernels.choosing import generator_state
from antipodes.search.kernels.nodes import Walk
from antipodes.search.kernels.reports import standard_error
from antipodes.search.runs import SearchRun

_EXPLORATION = 0.5
_THRESHOLD = 4
_NODE_BYTES = 48


class PlainSearch:
    """UCT with one uniformly random game for each visit and a new tree for every move.

    The strength of other players is measured against it, in every game.
    """

    proven: Proven | None = None
    begun = True  # each visit visits a root move
    done = False

    def __init__(
        self,
        position: Position,
        *,
        seed: int = 1,
        memory: int = 256,
        moves: Sequence[Move] | None = None,
    ) -> None:
        """Prepare a tree.

        Args:
            position: the root; the game must not be over.
            seed: makes the search reproducible; any whole number.
            memory: bound of the tree in MiB.
            moves: the only moves that are searched in the position; all by default.

        Raises:
            ValueError: the game is over.
        """
        if position.outcome is not None:
            raise ValueError(f"the game is over: {position.outcome}")
        game: Game = position.game
        plies = min(game.max_plies, 2_000) + 1
        nodes = max((memory << 20) // _NODE_BYTES, game.max_branching + 1)
        self._position = position
        self._seed = seed
        self._memory = memory
        self._stopped = threading.Event()
        root = position.searchable_state(plies)
        self._walk = Walk(
            tables=game.tables,
            root=root,
            state=root.copy(),
            work=game.work(),
            rng=np.array([generator_state(seed)], np.int64),
            out=np.zeros(game.max_branching, np.int64),
        )
        settings = np.zeros(plain.SETTINGS, np.int64)
        settings[plain.COLORS] = len(game.colors)
        settings[plain.THRESHOLD] = _THRESHOLD
        settings[plain.MAX_PLIES] = plies
        settings[plain.NODES] = 1
        self._tree = plain.PlainTree(
            links=lazy_zeros((nodes, plain.LINKS), np.int64),
            values=lazy_zeros(nodes, np.float64),
            settings=settings,
        )
        if moves is not None:
            self._give_moves(moves)
        self._path = np.zeros(plies + 1, np.int64)
        self._rewards = np.zeros(len(game.colors), np.float64)

    def _give_moves(self, moves: Sequence[Move]) -> None:
        """Give the root its children, in random order like the kernel."""
        links = self._tree.links
        rows = slice(1, 1 + len(moves))
        links[rows, plain.MOVE] = random.Random(self._seed).sample(moves, len(moves))
        links[rows, plain.MOVER] = self._walk.root[header.SEAT]
        links[0, [plain.FIRST_CHILD, plain.CHILDREN]] = 1, len(moves)
        self._tree.settings[plain.NODES] = 1 + len(moves)

    @property
    def position(self) -> Position:
        """The position at the root."""
        return self._position

    @property
    def visits(self) -> int:
        """Visits made so far."""
        return int(self._tree.links[0, plain.VISITS])

    def value(self) -> float:
        """Return the value of the position for the seat to move, from 0 (lost) to 1 (won)."""
        found = self.candidates()
        total = sum(one.visits for one in found)
        return sum(one.value * one.visits for one in found) / total if total else 0.5

    def criticality(self) -> None:
        """Return ``None``: the search keeps no statistics of cells."""

    def stop(self) -> None:
        """End a run in another thread."""
        self._stopped.set()

    def play(self, move: Move) -> None:
        """Start again from the position after ``move``; nothing is kept.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
        """
        PlainSearch.__init__(
            self, self._position.play(move), seed=self._seed + 1, memory=self._memory
        )

    def run(self, limits: Limits, on_progress: ProgressCallback | None = None) -> None:
        """Continue the search until a limit is met or it is stopped; at least one visit."""
        self._stopped.clear()

        def report(share: float, seconds: float) -> None:
            if on_progress is not None:
                best = self.candidates()[0]
                on_progress(SearchProgress(self.visits, share, best.move, best.value, seconds))

        SearchRun([self], limits, self._stopped, report).execute()

    def add_visits(self, visits: int, _most: int) -> None:
        """Add visits to the tree."""
        rules = plain_rules(self._position.game.family)
        grow = edition(plain, "add_visits", moves=rules.moves, play=rules.play, sample=rules.sample)
        grow(self._walk, self._tree, self._path, self._rewards, _EXPLORATION, visits)

    def candidates(self) -> list[Candidate]:
        """Return the visited moves, the most visited first."""
        first = int(self._tree.links[0, plain.FIRST_CHILD])
        rows = range(first, first + int(self._tree.links[0, plain.CHILDREN]))
        found = [self._candidate(row) for row in rows if self._tree.links[row, plain.VISITS]]
        return sorted(found, key=lambda one: (one.visits, one.value), reverse=True)

    def _candidate(self, row: int) -> Candidate:
        visits = int(self._tree.links[row, plain.VISITS])
        value = float(self._tree.values[row]) / visits
        move = Move(self._tree.links[row, plain.MOVE])
        return Candidate(move, visits, value, standard_error(value, visits), None, (move,))

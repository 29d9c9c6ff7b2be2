"""The search for Antipalos: circuits judge, few moves are tried, forced wins are proven.

Several threads grow a tree each, and what they found about the root's moves is added up, as in
:mod:`antipodes.search.tree`. Circuits judge a position always alike, so the trees would be much
the same; therefore each is a little more curious than the one before.
"""

from __future__ import annotations

import threading

import numpy as np

from antipodes.core import Move
from antipodes.games.kernels import header
from antipodes.games.position import Position
from antipodes.search.antipalos_grove import AntipalosTree, Child
from antipodes.search.runs import Run
from antipodes.search.thinking import Candidate, Limits, Progress, Proven, Watcher

_CURIOSITY = 0.5  # that each tree has more than the one before


class AntipalosSearch:
    """A search of one position of Antipalos by one or several trees.

    Attributes:
        position: the position at the root.
    """

    def __init__(
        self, position: Position, *, seed: int = 1, memory: int = 256, threads: int = 1
    ) -> None:
        """Prepare a tree for each thread.

        Args:
            position: where to search; it must not be over.
            seed: makes the search reproducible with a limit of visits; any whole number.
            memory: bound of the trees in MiB.
            threads: how many think at once.

        Raises:
            ValueError: the game is over, or there is no thread.
        """
        if position.outcome is not None:
            raise ValueError(f"the game is over: {position.outcome}")
        if threads < 1:
            raise ValueError(f"threads must be positive, not {threads}")
        self.position = position
        self._stopped = threading.Event()
        share = (memory << 20) // threads
        self._trees = [
            AntipalosTree(position, seed + n * 7919, share, 1 + n * _CURIOSITY)
            for n in range(threads)
        ]

    @property
    def visits(self) -> int:
        """Visits made so far."""
        return sum(tree.visits for tree in self._trees)

    @property
    def proven(self) -> Proven | None:
        """What is certain for the seat to move, or ``None``."""
        return next((tree.proven for tree in self._trees if tree.proven is not None), None)

    def value(self) -> float:
        """Return the worth of the position to the seat to move; one half before any visit."""
        if self.proven is not None:
            return float(self.proven is Proven.WIN)
        found = [child for child in self._children().values() if child.visits]
        return _candidate(max(found, key=lambda one: one.rank), ()).value if found else 0.5

    def criticality(self) -> tuple[float, ...] | None:
        """Return how much the game hangs on each square; only with two colours.

        It is how much likelier the colour to move wins with the best rod of its own there than with
        the other colour's, whoever is to move then.
        """
        if len(self.position.game.colors) != 2 or self.position.outcome is not None:
            return None
        own, other = (self._trees[0].chances(other) for other in (0, 1))
        empty = self.position.kernel_state[header.HEADER :][: len(own)] == 0
        return tuple(np.where(empty, own + other - 1, 0.0).clip(0, 1).tolist())

    def stop(self) -> None:
        """End the run that is going on in another thread."""
        self._stopped.set()

    def run(self, limits: Limits, watch: Watcher | None = None) -> None:
        """Go on searching until a limit is met, all is proven, or the search is stopped."""
        self._stopped.clear()
        if self.position.outcome is not None:
            return

        def report(share: float, seconds: float) -> None:
            if watch is not None and self._trees[0].visits > 1:
                found = [child for child in self._children().values() if child.visits]
                best = _candidate(max(found, key=lambda one: one.rank), ())
                watch(Progress(self.visits, share, best.move, best.value, seconds))

        Run(self._trees, limits, self._stopped, report).make()

    def candidates(self) -> list[Candidate]:
        """Return the moves that were tried, the best first."""
        found = sorted(self._children().values(), key=lambda one: one.rank, reverse=True)
        return [_candidate(child, self._line(child)) for child in found if child.visits]

    def _children(self) -> dict[Move, Child]:
        """Return what all trees know of the root's moves."""
        known: dict[Move, Child] = {}
        for tree in self._trees:
            for row in tree.children(0):
                child = tree.child(row)
                if child.move in known:
                    known[child.move].join(child)
                else:
                    known[child.move] = child
        return known

    def _line(self, child: Child) -> tuple[Move, ...]:
        """Return what is expected of a move, by the tree that knows most of it."""
        best: tuple[tuple[bool, int], AntipalosTree, int] | None = None
        for tree in self._trees:
            for row in tree.children(0):
                known = tree.child(row)
                if known.move == child.move:
                    weight = known.proven is not None, known.visits
                    if best is None or weight > best[0]:
                        best = weight, tree, row
        return best[1].line(best[2]) if best else (child.move,)

    def play(self, move: Move) -> None:
        """Go on from the position after ``move``, and keep the trees below it.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
        """
        self.position = self.position.play(move)
        for tree in self._trees:
            tree.move_root(self.position, move)


def _candidate(child: Child, line: tuple[Move, ...]) -> Candidate:
    """Return a child as others see it."""
    visits = child.visits
    value = child.worth / visits
    error = float((max(value * (1 - value), 0.25 / visits) / visits) ** 0.5)
    if child.proven is not None:
        value, error = float(child.proven is Proven.WIN), 0.0
    return Candidate(child.move, visits, value, error, child.proven, line)

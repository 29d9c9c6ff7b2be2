"""One run of a search by trees: slices of visits in each thread, until a limit is met."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from antipodes.search.grove import Tree
from antipodes.search.thinking import Limits

_SLICE = 0.01  # seconds between two looks at the clock and the caller
_SHORTEST = 16  # visits of the first slice


class Run:
    """A run of a search, in as many threads as there are trees."""

    def __init__(
        self,
        trees: Sequence[Tree],
        limits: Limits,
        stopped: threading.Event,
        take_advice: Callable[[Tree], object],
        look: int,
        report: Callable[[float, float], object],
    ) -> None:
        """Prepare a run.

        Args:
            trees: what grows; the first in the calling thread.
            limits: when to end.
            stopped: set by whoever ends the run early.
            take_advice: asks the advisor about nodes of a tree that are due.
            look: visits after which it is called. The number is fixed, and not one of seconds, so
                that seeds decide everything.
            report: is told after each slice which share of the run is done, and the seconds.
        """
        self._trees = trees
        self._limits = limits
        self._stopped = stopped
        self._take_advice = take_advice
        self._look = look
        self._report = report
        self._began = time.perf_counter()
        self._over = threading.Event()
        self._trouble: BaseException | None = None
        visits = limits.visits
        # The first visit of a tree may only give the root its children.
        self._room = 1 << 62 if visits is None else max(2, -(-visits // len(trees)))

    def make(self) -> None:
        """Grow all trees; what is raised in any thread ends the run and is raised here."""
        helpers = [threading.Thread(target=self._help, args=(tree,)) for tree in self._trees[1:]]
        for helper in helpers:
            helper.start()
        try:
            self._grow(self._trees[0], self._report)
        except BaseException:
            self._over.set()
            raise
        finally:
            for helper in helpers:
                helper.join()
        if self._trouble is not None:
            raise self._trouble

    def _help(self, tree: Tree) -> None:
        """Grow a tree in a thread of its own."""
        try:
            self._grow(tree, lambda share, seconds: None)  # noqa: ARG005
        except BaseException as error:  # noqa: BLE001
            self._trouble = error
            self._over.set()

    def _grow(self, tree: Tree, report: Callable[[float, float], object]) -> None:
        """Add slices of visits to a tree until the run is over."""
        size = _SHORTEST
        if tree.visits == 0:
            tree.add(1)
        self._take_advice(tree)
        share = 0.0
        while share < 1.0 and not (self._over.is_set() or self._stopped.is_set()):
            before = time.perf_counter()
            left = max(self._room - tree.visits, 1)
            tree.add(min(size, left, self._look - tree.visits % self._look))
            after = time.perf_counter()
            if after - before < _SLICE / 2:
                size *= 2
            elif after - before > _SLICE * 2 and size > 1:
                size //= 2
            if tree.visits % self._look == 0:
                self._take_advice(tree)
            share = self._share(tree, time.perf_counter() - self._began)
            report(share, after - self._began)

    def _share(self, tree: Tree, seconds: float) -> float:
        """Return how much of the run is done by a tree; 1 when it is over."""
        if tree.verdict:
            self._over.set()
            return 1.0
        share = tree.visits / self._room
        if self._limits.seconds is not None and tree.visits > 1:
            limit = self._limits.seconds
            share = max(share, seconds / limit if limit > 0 else 1.0)
        return min(share, 1.0)

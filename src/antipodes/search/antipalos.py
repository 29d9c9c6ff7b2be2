"""The search of Antipalos: a tree with priors, evaluation by circuits, and proofs of forced wins.

Each thread grows a tree of its own, and the visits of the root's moves are summed over the trees,
as in :mod:`antipodes.search.tree`. The evaluation is deterministic, so the trees would be nearly
equal; therefore each explores a little more than the one before.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from antipodes.core import Move
from antipodes.games.kernels import header
from antipodes.games.position import Position
from antipodes.search.antipalos_tree import AntipalosTree, Child, rank
from antipodes.search.interface import Candidate, Limits, ProgressCallback, Proven, SearchProgress
from antipodes.search.kernels.reports import standard_error
from antipodes.search.runs import SearchRun

_EXPLORATION_STEP = 0.5  # more of the exploration factor for each further tree


class AntipalosSearch:
    """A search of one position of Antipalos by one or several trees.

    Attributes:
        position: the position at the root.
    """

    def __init__(
        self,
        position: Position,
        *,
        seed: int = 1,
        memory: int = 256,
        threads: int = 1,
        latest: bool = True,
        varied: bool = False,
        moves: Sequence[Move] | None = None,
    ) -> None:
        """Prepare a tree for each thread.

        Args:
            position: the root; the game must not be over.
            seed: makes the search reproducible with a limit of visits; any whole number.
            memory: bound of the trees in MiB.
            threads: of the search.
            latest: whether circuits know virtual connections. Without it the levels play as their
                ratings say.
            varied: whether the seed also varies the search of moves with different scores.
            moves: the only moves that are searched in the position; all by default.

        Raises:
            ValueError: the game is over, or the number of threads is not positive.
        """
        if position.outcome is not None:
            raise ValueError(f"the game is over: {position.outcome}")
        if threads < 1:
            raise ValueError(f"threads must be positive, not {threads}")
        self.position = position
        self._stopped = threading.Event()
        share = (memory << 20) // threads
        self._trees = [
            AntipalosTree(
                position,
                seed + n * 7919,
                share,
                1 + n * _EXPLORATION_STEP,
                virtual_connections=latest,
                varied=varied,
                moves=moves,
            )
            for n in range(threads)
        ]

    @property
    def visits(self) -> int:
        """Visits made so far."""
        return sum(tree.visits for tree in self._trees)

    @property
    def proven(self) -> Proven | None:
        """The proven result for the seat to move, or ``None``."""
        return next((tree.proven for tree in self._trees if tree.proven is not None), None)

    def value(self) -> float:
        """Return the value of the position for the seat to move; one half before any visit."""
        if self.proven is not None:
            return float(self.proven is Proven.WIN)
        visited = self._visited()
        return _candidate(visited[rank(visited)[0]], ()).value if visited else 0.5

    def criticality(self) -> tuple[float, ...] | None:
        """Return the criticality of each square; ``None`` unless there are two colours.

        It is the difference between the win probabilities of the colour to move with its own best
        rod on the square and with the other colour's, tempo not counted.
        """
        if len(self.position.game.colors) != 2 or self.position.outcome is not None:
            return None
        own, other = (self._trees[0].win_chances(other) for other in (0, 1))
        empty = self.position.kernel_state[header.HEADER :][: len(own)] == 0
        return tuple(np.where(empty, own + other - 1, 0.0).clip(0, 1).tolist())

    def stop(self) -> None:
        """End a run in another thread."""
        self._stopped.set()

    def run(self, limits: Limits, on_progress: ProgressCallback | None = None) -> None:
        """Continue the search until a limit is met, the root is proven, or it is stopped."""
        self._stopped.clear()
        if self.position.outcome is not None:
            return

        def report(share: float, seconds: float) -> None:
            visited = self._visited() if on_progress is not None else []
            if on_progress is not None and visited:
                best = _candidate(visited[rank(visited)[0]], ())
                on_progress(SearchProgress(self.visits, share, best.move, best.value, seconds))

        SearchRun(self._trees, limits, self._stopped, report).execute()

    def candidates(self) -> list[Candidate]:
        """Return the visited moves, the best first.

        After a single visit, which only expands the root, it is the move to be visited next.
        """
        visited = self._visited() or list(self._children().values())[:1]
        ranked = [visited[place] for place in rank(visited)]
        return [_candidate(child, self._line(child)) for child in ranked]

    def _visited(self) -> list[Child]:
        return [child for child in self._children().values() if child.visits]

    def _children(self) -> dict[Move, Child]:
        """Return the statistics of the root's moves, summed over all trees."""
        known: dict[Move, Child] = {}
        for tree in self._trees:
            for row in tree.children(0):
                child = tree.child(row)
                if child.move in known:
                    known[child.move].merge(child)
                else:
                    known[child.move] = child
        return known

    def _line(self, child: Child) -> tuple[Move, ...]:
        """Return the principal variation of a move, from the tree with the most visits of it."""
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
        """Move the root to the position after ``move``, and keep the trees below it.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
        """
        self.position = self.position.play(move)
        for tree in self._trees:
            tree.move_root(self.position, move)


def _candidate(child: Child, line: tuple[Move, ...]) -> Candidate:
    visits = max(child.visits, 1)
    value = child.total_value / visits if child.visits else 0.5
    error = standard_error(value, visits)
    if child.proven is not None:
        value, error = float(child.proven is Proven.WIN), 0.0
    return Candidate(child.move, child.visits, value, error, child.proven, line)

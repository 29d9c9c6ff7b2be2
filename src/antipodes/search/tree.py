"""Monte-Carlo tree search of one position with knowledge, progress, pondering and threads.

Each thread grows a tree of its own from its own random numbers, and the visits of the root's moves
are summed over the trees (root parallelisation: Chaslot, Winands and Van den Herik, "Parallel
Monte-Carlo tree search", 2008). So no thread ever waits for another.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from antipodes.core import Move
from antipodes.games.kernels import Array, edition, header
from antipodes.games.placement import is_connection_game
from antipodes.games.position import Position
from antipodes.search.interface import (
    Candidate,
    Knowledge,
    KnowledgeSource,
    Limits,
    ProgressCallback,
    Proven,
    Prover,
    SearchProgress,
)
from antipodes.search.kernels import nodes, rave, tree_queries
from antipodes.search.kernels.nodes import Children
from antipodes.search.kernels.reports import standard_error
from antipodes.search.mcts_tree import MctsTree, TreeSettings, new_children, settings_for
from antipodes.search.runs import SearchRun

_LINES = 20  # candidates with a principal variation
_MAX_EFFORT = 4_096  # positions searched for a winning move that is known to exist
_MAX_ANSWERS = 1 << 16  # cached answers


class TreeSearch:
    """A search of one position by one or several trees.

    Placement games are searched with rapid action value estimates and 64 random games a visit,
    the others with plain upper confidence bounds and one game or one estimate a visit.

    Attributes:
        settings: of the trees.
        query_visits: visits after which a node is queried; the root needs none.
    """

    def __init__(
        self,
        position: Position,
        *,
        seed: int = 1,
        memory: int = 256,
        threads: int = 1,
        knowledge: KnowledgeSource | None = None,
        settings: TreeSettings | None = None,
        query_visits: int = tree_queries.QUERY_VISITS,
        varied: bool = False,
        moves: Sequence[Move] | None = None,
    ) -> None:
        """Prepare a tree for each thread.

        Args:
            position: the root; the game must not be over.
            seed: makes the search reproducible with one thread; any whole number.
            memory: bound of the trees in MiB; when it is reached, visits go on without new nodes.
            threads: of the search.
            knowledge: source of knowledge about positions with two sides, queried between visits.
            settings: of the trees; by default the best for the game, with or without knowledge.
            query_visits: visits after which a node is queried.
            varied: whether the seed decides which of about equally good moves comes first.
            moves: the only moves that are searched in the position; all by default.

        Raises:
            ValueError: the game is over, or the number of threads is not positive.
        """
        if position.outcome is not None:
            raise ValueError(f"the game is over: {position.outcome}")
        if threads < 1:
            raise ValueError(f"threads must be positive, not {threads}")
        self.settings = settings or settings_for(position, knowledge=knowledge is not None)
        self.query_visits = query_visits
        self._varied = varied
        self._position = position
        self._moves = moves
        self._stopped = threading.Event()
        self._query_lock = threading.Lock()
        self._knowledge = knowledge if len(position.game.colors) == 2 else None
        self._answers: dict[int, Knowledge | None] = {}
        share = (memory << 20) // threads
        self._trees = [
            MctsTree(position, self.settings, seed + n * 7919, share, moves=moves)
            for n in range(threads)
        ]

    @property
    def position(self) -> Position:
        """The position at the root."""
        return self._position

    @property
    def visits(self) -> int:
        """Visits made so far, including those of reused trees."""
        return sum(tree.visits for tree in self._trees)

    @property
    def nodes(self) -> int:
        """Nodes of all trees."""
        return sum(tree.nodes for tree in self._trees)

    @property
    def proven(self) -> Proven | None:
        """The proven result for the seat to move, or ``None``."""
        for tree in self._trees:
            if tree.verdict:
                return _as_proven(tree.verdict, tree.side)
        return None

    def value(self) -> float:
        """Return the value of the position for the seat to move; one half before any visit."""
        proven = self.proven
        if proven is not None:
            return _VALUES[proven]
        children = self._children()
        order = _order(children, self._trees[0].side)
        return _value(children, int(order[0])) if len(order) else self._trees[0].mean()

    def criticality(self) -> tuple[float, ...] | None:
        """Return the criticality of each cell; ``None`` except in the placement games."""
        game = self._position.game
        if not is_connection_game(game):
            return None
        if self.settings.network:
            return tuple(self._trees[0].evaluate_stones().tolist())
        records = np.sum([tree.records for tree in self._trees], axis=0)
        if records[rave.OVERALL, 0] < rave.SAMPLED:
            records = records + self._trees[0].sample_batches(rave.SAMPLED)
        weights = np.zeros(game.topology.cell_count)
        edition(rave, "weigh_cells")(records, weights)
        return tuple(weights.tolist())

    def stop(self) -> None:
        """End a run in another thread."""
        self._stopped.set()

    def play(self, move: Move) -> None:
        """Move the root to the position after ``move``, and keep the trees below it.

        If the game is over then, runs end at once and there are no candidates.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
        """
        self._position = self._position.play(move)
        self._moves = None
        for tree in self._trees:
            tree.move_root(self._position, move)

    def run(self, limits: Limits, on_progress: ProgressCallback | None = None) -> None:
        """Continue the search until a limit is met, the root is proven, or it is stopped."""
        self._stopped.clear()
        began = limits.clock.now()
        self._locate_win(limits)
        if limits.seconds is not None:
            spent = limits.clock.now() - began
            limits = replace(limits, seconds=max(limits.seconds - spent, 0.0))

        def report(share: float, seconds: float) -> None:
            children = self._children()
            order = _order(children, self._trees[0].side)
            if on_progress is not None and len(order):
                best = int(order[0])
                move = Move(children.moves[best])
                on_progress(
                    SearchProgress(self.visits, share, move, _value(children, best), seconds)
                )

        if self._knowledge is None:
            SearchRun(self._trees, limits, self._stopped, report).execute()
            return
        SearchRun(
            self._trees,
            limits,
            self._stopped,
            report,
            query=self._query_tree,
            query_interval=min(self.query_visits, self._trees[0].query_interval),
        ).execute()

    def candidates(self) -> list[Candidate]:
        """Return the visited moves: proven wins first, then by visits.

        After a single visit, which only expands the root, it is the move to be visited next.
        """
        children = self._children()
        side = self._trees[0].side
        all_candidates = []
        order = _order(children, side)
        if not len(order):
            move, value = self._trees[0].next_move(), self.value()
            error = standard_error(value, self.settings.games)
            return [] if move is None else [Candidate(move, 0, value, error, None, (move,))]
        if self._varied:
            self._trees[0].vary(children, order)
        for rank, place in enumerate(order.tolist()):
            move = Move(children.moves[place])
            visits = int(children.visits[place])
            verdict = int(children.verdicts[place])
            proven = _as_proven(verdict, side) if verdict else None
            value = _value(children, place) if proven is None else _VALUES[proven]
            error = standard_error(value, max(visits, 1) * self.settings.games)
            line = self._line(move) if rank < _LINES else ()
            error = 0.0 if proven else error
            all_candidates.append(Candidate(move, visits, value, error, proven, (move, *line)))
        return all_candidates

    def _line(self, move: Move) -> tuple[Move, ...]:
        """Return the principal variation after a move, from the tree with the most visits of it."""
        best: tuple[int, int, int] = (-1, -1, 0)
        for number, tree in enumerate(self._trees):
            children = tree.children()
            for place in np.flatnonzero(children.moves == move).tolist():
                best = max(best, (int(children.visits[place]), int(children.nodes[place]), number))
        return self._trees[best[2]].line_after(best[1]) if best[0] >= 0 else ()

    def _children(self) -> Children:
        """Return the statistics of the root's moves, summed over all trees."""
        children = [tree.children() for tree in self._trees]
        if len(children) == 1:
            return children[0]
        moves = np.unique(np.concatenate([one.moves for one in children]))
        total = new_children(len(moves))
        total.moves[:] = moves
        for of_tree in children:
            places = np.searchsorted(moves, of_tree.moves)
            total.visits[places] += of_tree.visits
            total.totals[places] += of_tree.totals
            verdicts = np.where(of_tree.verdicts != 0, of_tree.verdicts, total.verdicts[places])
            total.verdicts[places] = verdicts
        return total

    def _query_tree(self, tree: MctsTree) -> None:
        """Query knowledge about nodes of a tree, and search for a proof of its root."""
        self._query_nodes(tree)
        if tree is self._trees[0]:
            self._prove_root(tree)

    def _query_nodes(self, tree: MctsTree) -> None:
        """Query knowledge about nodes with enough visits, and apply the answers to their tree."""
        for _ in range(tree_queries.MOST_QUERIES):
            depth = tree.find_query(self.query_visits)
            if depth < 0 or self._stopped.is_set():
                return
            if not tree.take_answer(depth, self.query_visits, self._query(tree.state)):
                return

    def _locate_win(self, limits: Limits) -> None:
        """Find the winning move of a root that is known to be won.

        The effort doubles until the move is found, for at most half of the time limit.
        """
        trees = [tree for tree in self._trees if tree.has_unlocated_win]
        if not trees or not isinstance(self._knowledge, Prover):
            return
        now = limits.clock.now
        end = now() + (math.inf if limits.seconds is None else limits.seconds / 2)
        effort = 1
        while effort <= _MAX_EFFORT and now() < end and not self._stopped.is_set():
            with self._query_lock:
                answer = self._knowledge.prove(self._position.kernel_state, effort)
            if answer is not None and answer.winner is not None:
                for tree in trees:
                    tree.apply_to_root(answer)
                return
            effort *= 2

    def _prove_root(self, tree: MctsTree) -> None:
        """Search for a proof of the root with the positions that its visits have paid.

        The value of the network may be wrong for long where a proof of a few positions shows the
        winner.
        """
        if self._moves is not None or not isinstance(self._knowledge, Prover):
            return  # proofs are about all moves
        effort = tree.positions_due()
        if not effort:
            return
        with self._query_lock:
            answer = self._knowledge.prove(self._position.kernel_state, effort)
        if answer is not None:
            tree.apply_proof(answer)

    def _query(self, state: Any) -> Knowledge | None:
        """Return the knowledge of a position, cached after its first query."""
        key = int(state[header.KEY])
        with self._query_lock:
            if key not in self._answers and self._knowledge is not None:
                if len(self._answers) >= _MAX_ANSWERS:
                    self._answers.clear()
                known = state[header.SWAP_OPEN] or state[header.WINNER]
                self._answers[key] = None if known else self._knowledge.query(state)
            return self._answers[key]


_VALUES = {Proven.WIN: 1.0, Proven.DRAW: 0.5, Proven.LOSS: 0.0}


def _as_proven(verdict: int, side: int) -> Proven:
    """Return the result that a verdict means for a side."""
    if verdict == nodes.EVEN:
        return Proven.DRAW
    return Proven.WIN if verdict == 1 + side else Proven.LOSS


def _order(children: Children, side: int) -> Array:
    """Return the indices of the visited or proven moves, the best first."""
    order = np.zeros(len(children.moves), np.int64)
    return order[: edition(nodes, "rank_children")(children, len(order), side, order)]


def _value(children: Children, place: int) -> float:
    return float(children.totals[place] / max(int(children.visits[place]), 1))

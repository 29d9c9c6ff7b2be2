"""Tree search for one position, in Python's hands: started, watched, advised, stopped, moved on.

With several threads each grows a tree of its own, from its own random numbers, and what they found
about the root's moves is added up (root parallelisation: Chaslot, Winands and Van den Herik,
"Parallel Monte-Carlo tree search", 2008). So no thread ever waits for another.
"""

from __future__ import annotations

import math
import threading
import time
from dataclasses import replace
from typing import Any

import numpy as np

from antipodes.core import Move
from antipodes.games.kernels import header
from antipodes.games.position import Position
from antipodes.search.grove import Children, Plan, Tree, plan_for
from antipodes.search.kernels import batch, nodes, rave
from antipodes.search.runs import Run
from antipodes.search.thinking import (
    Advice,
    Advisor,
    Candidate,
    Limits,
    Progress,
    Proven,
    Prover,
    Watcher,
)

_LINES = 20  # candidates whose expected lines are told
_SURVEY = 64  # batches that tell enough about who holds which cell
_QUESTIONS = 4  # to the advisor before visits go on
_SILENT = 6  # how often the visits that it takes to be shown to the advisor may double
_AGAIN = 8  # times that the advisor may be asked before it is asked about the root again
_MOST_EFFORT = 4_096  # positions that the advisor looks at to find a win that there must be
_REMEMBERED = 1 << 16  # positions whose advice is kept


class TreeSearch:
    """A search of one position by one or several trees.

    Placement games are searched with rapid action value estimates and 64 random games a visit,
    the others with plain upper confidence bounds and one game or one estimate a visit.

    Attributes:
        plan: how the trees grow.
        advice_visits: what a node needs at least to be shown to the advisor; the root needs none.
    """

    def __init__(
        self,
        position: Position,
        *,
        seed: int = 1,
        memory: int = 256,
        threads: int = 1,
        advisor: Advisor | None = None,
        plan: Plan | None = None,
        advice_visits: int = 1_000,
    ) -> None:
        """Prepare a tree for each thread.

        Args:
            position: where to search; it must not be over.
            seed: makes the search reproducible with one thread; any whole number.
            memory: bound of the trees in MiB; when it is reached, visits go on without new nodes.
            threads: how many think at once.
            advisor: knows about positions with two sides; asked between visits.
            plan: how the trees grow, if not as is best for the game with or without an advisor.
            advice_visits: what a node needs to be shown to the advisor.

        Raises:
            ValueError: the game is over, or there is no thread.
        """
        if position.outcome is not None:
            raise ValueError(f"the game is over: {position.outcome}")
        if threads < 1:
            raise ValueError(f"threads must be positive, not {threads}")
        self.plan = plan or plan_for(position, knowledge=advisor is not None)
        self.advice_visits = advice_visits
        self._position = position
        self._stopped = threading.Event()
        self._asking = threading.Lock()
        self._advisor = advisor if len(position.game.colors) == 2 else None
        self._advice: dict[int, Advice | None] = {}
        self._occasions = 0
        share = (memory << 20) // threads
        self._trees = [Tree(position, self.plan, seed + n * 7919, share) for n in range(threads)]

    @property
    def position(self) -> Position:
        """The position that is searched."""
        return self._position

    @property
    def visits(self) -> int:
        """Visits made so far; those that a reused tree had count too."""
        return sum(tree.visits for tree in self._trees)

    @property
    def nodes(self) -> int:
        """Nodes of all trees."""
        return sum(tree.nodes for tree in self._trees)

    @property
    def proven(self) -> Proven | None:
        """What is certain for the seat to move, or ``None``."""
        for tree in self._trees:
            if tree.verdict:
                return _told(tree.verdict, tree.side)
        return None

    def value(self) -> float:
        """Return the worth of the position to the seat to move; one half before any visit."""
        proven = self.proven
        if proven is not None:
            return _WORTH[proven]
        children = self._children()
        order = _order(children, self._trees[0].side)
        return _value(children, int(order[0])) if len(order) else 0.5

    def criticality(self) -> tuple[float, ...] | None:
        """Return how much the game hangs on each cell, in the placement games."""
        game = self._position.game
        if game.family != "placement":
            return None
        records = np.sum([tree.records for tree in self._trees], axis=0)
        if records[rave.OVERALL, 0] < _SURVEY:
            records = records + self._trees[0].survey(_SURVEY)
        games = records[rave.OVERALL, 0] * batch.LANES
        holding, deciding = records[:2, : game.topology.cell_count] / games
        covariance = deciding - holding * records[rave.OVERALL, 1] / games
        return tuple(covariance.tolist())

    def stop(self) -> None:
        """End the run that is going on in another thread."""
        self._stopped.set()

    def play(self, move: Move) -> None:
        """Go on from the position after ``move``, and keep what is known about it.

        A game that is over stays so: runs end at once, and there are no candidates.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
        """
        self._position = self._position.play(move)
        for tree in self._trees:
            tree.move_root(self._position, move)

    def run(self, limits: Limits, watch: Watcher | None = None) -> None:
        """Go on searching until a limit is met, all is proven, or the search is stopped."""
        self._stopped.clear()
        began = time.perf_counter()
        self._find_owed_win(limits.seconds)
        if limits.seconds is not None:
            spent = time.perf_counter() - began
            limits = replace(limits, seconds=max(limits.seconds - spent, 0.0))

        def report(share: float, seconds: float) -> None:
            children = self._children()
            order = _order(children, self._trees[0].side)
            if watch is not None and len(order):
                best = int(order[0])
                move = Move(children.moves[best])
                watch(Progress(self.visits, share, move, _value(children, best), seconds))

        if self._advisor is None:
            Run(self._trees, limits, self._stopped, report).make()
            return
        look, advise = self.advice_visits, self._take_advice
        Run(self._trees, limits, self._stopped, report, advise=advise, look=look).make()

    def candidates(self) -> list[Candidate]:
        """Return the moves that were looked at: proven wins, then the most visited first."""
        children = self._children()
        side = self._trees[0].side
        found = []
        for rank, place in enumerate(_order(children, side).tolist()):
            move = Move(children.moves[place])
            visits = int(children.visits[place])
            verdict = int(children.verdicts[place])
            proven = _told(verdict, side) if verdict else None
            value = _value(children, place) if proven is None else _WORTH[proven]
            games = max(visits, 1) * self.plan.games
            error = (max(value * (1 - value), 0.25 / games) / games) ** 0.5 if not proven else 0.0
            line = self._line(move) if rank < _LINES else ()
            found.append(Candidate(move, visits, value, error, proven, (move, *line)))
        return found

    def _line(self, move: Move) -> tuple[Move, ...]:
        """Return what is expected after a move by the tree that has looked at it most."""
        best: tuple[int, int, int] = (-1, -1, 0)
        for number, tree in enumerate(self._trees):
            children = tree.children()
            for place in np.flatnonzero(children.moves == move).tolist():
                best = max(best, (int(children.visits[place]), int(children.nodes[place]), number))
        return self._trees[best[2]].line_after(best[1]) if best[0] >= 0 else ()

    def _children(self) -> Children:
        """Return what all trees know of the root's moves."""
        found = [tree.children() for tree in self._trees]
        if len(found) == 1:
            return found[0]
        moves = np.unique(np.concatenate([one.moves for one in found]))
        visits, totals = np.zeros(len(moves), np.int64), np.zeros(len(moves))
        verdicts, rows = np.zeros(len(moves), np.int64), np.zeros(len(moves), np.int64)
        for one in found:
            places = np.searchsorted(moves, one.moves)
            visits[places] += one.visits
            totals[places] += one.totals
            verdicts[places] = np.where(one.verdicts != 0, one.verdicts, verdicts[places])
        return Children(moves, rows, visits, totals, verdicts)

    def _take_advice(self, tree: Tree) -> None:
        """Show the advisor some nodes of a tree that are due, and note what it says.

        Each time that it knows nothing, nodes need twice as many visits to be shown to it; each
        time that it does, half as many again. So a board that is still open costs little.
        """
        if tree is self._trees[0]:
            self._ask_about_root(tree)
        for _ in range(_QUESTIONS if self._advisor is not None else 0):
            found = tree.find_unadvised(self.advice_visits << tree.silence)
            if found is None or self._stopped.is_set():
                return
            depth, state = found
            advice = self._ask(state) or Advice()
            silent = advice == Advice()
            tree.silence = min(tree.silence + 1, _SILENT) if silent else max(tree.silence - 1, 0)
            lost = advice.moves == () or advice.winner == 1 - state[header.COLOR]
            if depth == 0 and lost and tree.visits < self.advice_visits:
                # Lost or not, a move must be played: first see which is the hardest to answer.
                return
            tree.take_advice(depth, state, advice)

    def _find_owed_win(self, seconds: float | None) -> None:
        """Find the winning move where the root is known to be won, but not how.

        The advisor looks further and further, for at most half of the time that there is.
        """
        debtors = [tree for tree in self._trees if tree.owes_win]
        if not debtors or not isinstance(self._advisor, Prover):
            return
        end = time.perf_counter() + (seconds / 2 if seconds is not None else math.inf)
        effort = 1
        while effort <= _MOST_EFFORT and time.perf_counter() < end and not self._stopped.is_set():
            with self._asking:
                advice = self._advisor.prove(self._position.kernel_state, effort)
            if advice is not None and advice.winner is not None:
                for tree in debtors:
                    tree.advise_root(advice)
                return
            effort *= 2

    def _ask_about_root(self, tree: Tree) -> None:
        """Ask about the root once more, now and then: an advisor may know more by now."""
        self._occasions += 1
        state = self._position.kernel_state
        if self._advisor is None or self._occasions % _AGAIN or state[header.SWAP_OPEN]:
            return
        if tree.verdict or tree.visits < self.advice_visits:
            return
        with self._asking:
            advice = self._advisor.advise(state)
        # Two lists of moves that suffice need not have one in common, so only a proof counts here.
        if advice is not None and advice.winner is not None:
            tree.advise_root(advice)

    def _ask(self, state: Any) -> Advice | None:
        """Return the advisor's word on a position, from memory if it was asked before."""
        key = int(state[header.KEY])
        with self._asking:
            if key not in self._advice and self._advisor is not None:
                if len(self._advice) >= _REMEMBERED:
                    self._advice.clear()
                known = state[header.SWAP_OPEN] or state[header.WINNER]
                self._advice[key] = None if known else self._advisor.advise(state)
            return self._advice[key]


_WORTH = {Proven.WIN: 1.0, Proven.DRAW: 0.5, Proven.LOSS: 0.0}


def _told(verdict: int, side: int) -> Proven:
    """Return what a verdict means to a side."""
    if verdict == nodes.EVEN:
        return Proven.DRAW
    return Proven.WIN if verdict == 1 + side else Proven.LOSS


def _order(children: Children, side: int) -> Any:
    """Return the places of the moves that were looked at, the best first."""
    verdicts = children.verdicts
    rank = np.where(verdicts == 1 + side, 2, np.where(verdicts > 0, 0, 1))
    worth = children.totals / np.maximum(children.visits, 1)
    order = np.lexsort((-worth, -children.visits, -rank))
    return order[(children.visits[order] > 0) | (verdicts[order] != 0)]


def _value(children: Children, place: int) -> float:
    """Return what a move of the root is worth on the average of its visits."""
    return float(children.totals[place] / max(int(children.visits[place]), 1))

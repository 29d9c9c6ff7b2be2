"""Depth-first proof-number search on reduced positions, with carriers and virtual connections.

The algorithm is df-pn (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications",
2002) with thresholds a factor above the second-best child's (J. Pawlewicz and L. Lew, 2007), and
with only the most urgent moves searched at first (B. Arneson, R. Hayward and P. Henderson, "Solving
Hex: beyond humans", 2010). The numbers are for the side to move: ``proof`` is the work left to
prove that it wins, ``disproof`` that it loses.

The winner of a position wins within a set of empty cells, its *carrier*, even if the loser had all
other cells. So a refutation of a move refutes all moves outside its carrier as well. The table
keeps carriers with proven results, in the frame of the key's symmetry.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from antipodes.games.kernels import Array, header
from antipodes.games.placement import PlacementGame
from antipodes.search.connection import ConnectionLimits, ConnectionSearch
from antipodes.search.proof.currents import currents
from antipodes.search.proof.reduction import ChildInfo, Reducer
from antipodes.search.proof.table import ProofTable, TableEntry

INFINITY = 1 << 60

_WIDTH = 2  # moves that are searched at least
_SHARE = 0.25  # of the remaining moves are searched in addition
_SLACK = 0.25  # above the second-best child's number

# More connections for each position save positions: Hex 7x7 needs a quarter of those that it needs
# with the limits of a player.
_LIMITS = ConnectionLimits(steps=1_000_000, fulls=10, semis=20)


@dataclass(slots=True, eq=False)
class ProofNode:
    """A position of the search, reduced.

    Attributes:
        state: the filled position.
        key: in the table.
        symmetry: maps the position to the frame of the key.
        winner: 1 Black, 2 White, 0 unknown.
        carrier: of the winner; without one, the union of the refutations so far.
        moves: that may win, the most urgent first.
        child_info: the reduced positions after the searched moves, by move.
        is_limited: whether ``moves`` break all connections of the opponent's goal that were found.
    """

    state: Array
    key: int
    symmetry: int
    winner: int
    carrier: int
    moves: list[int]
    child_info: dict[int, ChildInfo]
    is_limited: bool = False

    @property
    def mover(self) -> int:
        """1 if Black is to move, 2 if White is."""
        return int(self.state[header.COLOR]) + 1

    @property
    def searched(self) -> list[int]:
        """The moves that are searched at first."""
        return self.moves[: _WIDTH + int(len(self.moves) * _SHARE)]


class DfpnSearch:
    """Proof-number search of positions of one placement game.

    Attributes:
        nodes: positions evaluated so far.
        table: of the results.
    """

    def __init__(
        self,
        game: PlacementGame[Any, Any],
        table: ProofTable,
        *,
        nodes_kept: int = 5_000,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Prepare a search, which ends early when ``stop()`` is true at a position."""
        self.game = game
        self.table = table
        self.nodes = 0
        self.stop = stop
        self._stopped = False
        self._reducer = Reducer(game)
        self._connections = ConnectionSearch(game, _LIMITS)
        self._kept: OrderedDict[int, ProofNode] = OrderedDict()
        self._nodes_kept = nodes_kept

    # Positions.

    def node(self, state: Array) -> ProofNode:
        """Return the evaluated node of a position; ``state`` need not be filled in."""
        filled = self._reducer.fill_in(state)
        if filled[header.WINNER]:
            return ProofNode(filled, 0, 0, int(filled[header.WINNER]), 0, [], {})
        key, symmetry = self._reducer.key()
        return self._evaluate(filled, table_key(key, filled), symmetry)

    def _evaluate(self, filled: Array, key: int, symmetry: int, *, both: bool = True) -> ProofNode:
        """Evaluate a position that the reducer has just filled in.

        Unless ``both``, virtual connections of the side to move are not looked for: the last move
        has broken those of its goal.
        """
        kept = self._kept.get(key)
        if kept is not None and np.array_equal(kept.state, filled):
            self._kept.move_to_end(key)
            return kept
        self.nodes += 1
        node = ProofNode(filled, key, symmetry, 0, 0, [], {})
        moves = self._reducer.undominated_moves(filled)
        urgency = currents(self._reducer.rows)
        result = self._connections.run(filled, both=both)
        colors = self.game.kernel_colors
        if result.winner is not None:
            node.winner = 1 + colors.index(result.winner)
            node.carrier = bits(result.carrier)
            node.moves = [] if result.move is None else [int(result.move)]
        else:
            node.carrier = self._reducer.substitutes | bits(result.carrier)
            node.is_limited = result.must_play is not None
            if result.must_play is not None:
                moves = [move for move in moves if move in result.must_play]
            node.moves = sorted(moves, key=lambda move: -urgency[move])
            if not node.moves:
                node.winner = 3 - node.mover
        self.update(node)
        if node.winner:
            self.store(node)
        self._kept[key] = node
        if len(self._kept) > self._nodes_kept:
            self._kept.popitem(last=False)
        return node

    def update(self, node: ProofNode) -> None:
        """Apply the results of the searched moves; further moves replace refuted ones."""
        before_count = 0
        while not node.winner and before_count != len(node.moves):
            before_count = len(node.moves)
            counted = node.searched
            new = [move for move in counted if move not in node.child_info]
            if new:
                infos = self._reducer.look_ahead(node.state, new)
                node.child_info.update(zip(new, infos, strict=True))
            for move in counted:
                if move in node.moves:
                    self._apply(node, move)

    def _apply(self, node: ProofNode, move: int) -> None:
        """Apply the result of a move to its node: a win, or a refutation."""
        info = node.child_info[move]
        winner = info.winner
        carrier = 0
        if not winner:
            entry = self.table.get(child_key(node, info))
            if entry is None or (entry.proof and entry.disproof):
                return
            winner = 3 - node.mover if entry.proof == 0 else node.mover
            carrier = self._reducer.moved(entry.carrier, info.symmetry, back=True)
        carrier |= info.captured[winner - 1]
        if winner == node.mover:
            node.winner = winner
            node.carrier = carrier | 1 << move
            node.moves = [move]
            return
        node.carrier |= carrier
        node.moves = [m for m in node.moves if m != move and carrier >> m & 1]
        if not node.moves:
            node.winner = winner

    def revise(self, node: ProofNode, work: int) -> bool:
        """Apply the table to a node after ``work`` positions below; return whether it is proven."""
        before = self.table.get(node.key)
        if before is not None and before.is_proven:
            node.winner = node.mover if before.proof == 0 else 3 - node.mover
            node.carrier = self._reducer.moved(before.carrier, node.symmetry, back=True)
            return True
        self.update(node)
        if node.winner:
            self.store(node)
            return True
        proof, disproof, _, _ = self.numbers(node)
        work += before.work if before else 0
        self.table.put(node.key, TableEntry(proof, disproof, work))
        return False

    def store(self, node: ProofNode) -> None:
        """Store a proven node in the table."""
        if not node.key:
            return
        won = node.winner == node.mover
        carrier = self._reducer.moved(node.carrier, node.symmetry)
        before = self.table.get(node.key)
        work = before.work if before else 1
        entry = TableEntry(0 if won else INFINITY, INFINITY if won else 0, work, carrier)
        self.table.put(node.key, entry)

    # The search.

    def run(self, state: Array) -> ProofNode:
        """Search a position until it is proven or the search is stopped."""
        self._stopped = False
        root = self.node(state)
        if not root.winner:
            self._search(root, INFINITY, INFINITY)
        return root

    def _search(self, node: ProofNode, proof_bound: int, disproof_bound: int) -> None:
        """Search below a node until one of its numbers reaches its bound."""
        began = self.nodes
        before = self.table.get(node.key)
        while True:
            self.update(node)
            if node.winner:
                break
            proof, disproof, best, second = self.numbers(node)
            work = self.nodes - began + (before.work if before else 0)
            self.table.put(node.key, TableEntry(proof, disproof, work + 1))
            if proof >= proof_bound or disproof >= disproof_bound or self._stopped:
                return
            if self.stop():
                self._stopped = True
                return
            info = node.child_info[best]
            entry = self.table.get(child_key(node, info)) or TableEntry()
            child = self.child(node, best)
            if not child.winner:
                self._search(
                    child,
                    min(disproof_bound - disproof + entry.proof, INFINITY),
                    min(proof_bound, second + 1 + int(second * _SLACK)),
                )
        self.store(node)

    def numbers(self, node: ProofNode) -> tuple[int, int, int, int]:
        """Return proof, disproof, the move to search next, and the second-lowest disproof."""
        lowest = second = INFINITY
        best = -1
        total = 0
        seen = set()
        for move in node.searched:
            key = child_key(node, node.child_info[move])
            if key in seen:
                continue  # symmetric to another move
            seen.add(key)
            entry = self.table.get(key) or TableEntry()
            total += entry.proof
            if entry.disproof < lowest:
                lowest, second, best = entry.disproof, lowest, move
            elif entry.disproof < second:
                second = entry.disproof
        return lowest, min(total, INFINITY - 1), best, second

    def child(self, node: ProofNode, move: int) -> ProofNode:
        """Return the node after a move."""
        key = child_key(node, node.child_info[move])
        state = node.state.copy()
        self.game.rules.play(self.game.tables, state, self.game.work(), move)
        filled = self._reducer.fill_in(state)
        symmetry = node.child_info[move].symmetry
        return self._evaluate(filled, key, symmetry, both=not node.is_limited)


def table_key(key: int, state: Array) -> int:
    """Return the table key of a position: that of its graph, and the side to move."""
    return 2 * key + int(state[header.COLOR])


def child_key(node: ProofNode, info: ChildInfo) -> int:
    """Return the table key of the position after a move."""
    return 2 * info.key + 2 - node.mover


def bits(cells: Any) -> int:
    """Return cells as a set of bits."""
    return sum(1 << int(cell) for cell in cells)

"""Depth-first proof-number search on reduced positions, with carriers and virtual connections.

The algorithm is df-pn (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications",
2002) with thresholds a factor above the second-best child's (J. Pawlewicz and L. Lew, 2007), and
with only the most urgent moves searched at first (B. Arneson, R. Hayward and P. Henderson, "Solving
Hex: beyond humans", 2010). The numbers are for the side to move: ``proof`` is the work left to
prove that it wins, ``disproof`` that it loses.

The winner of a position wins within a set of empty cells, its *carrier*, even if the loser had all
other cells. So a refutation of a move refutes all moves outside its carrier as well. The table
keeps carriers with proven results, in the frame of the key's symmetry, and wins of the side to move
become patterns that limit the moves in other positions.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from antipodes.games.kernels import Array, header
from antipodes.games.placement import PlacementGame
from antipodes.search.connection import ConnectionLimits, ConnectionSearch
from antipodes.search.proof.currents import Currents
from antipodes.search.proof.patterns import PatternStore
from antipodes.search.proof.reduction import ChildInfo, Reducer, places, set_of
from antipodes.search.proof.table import ProofTable, TableEntry

INFINITY = 1 << 60

_WIDTH = 2  # moves that are searched at least
_SHARE = 0.25  # of the remaining moves are searched in addition
_REST = 2  # disproof number of each further move
_SLACK = 0.25  # above the second-best child's number

# More connections for each position save positions: Hex 7x7 needs a quarter of those that it needs
# with the limits of a player.
_LIMITS = ConnectionLimits(steps=1_000_000, fulls=10, semis=20)

_NEW = TableEntry()  # of a position that was not evaluated


@dataclass(slots=True, eq=False)
class ProofNode:
    """A position of the search, reduced. Sets of cells have a bit for each.

    Attributes:
        state: the filled position.
        key: in the table.
        symmetry: maps the position to the frame of the key.
        winner: 1 Black, 2 White, 0 unknown.
        carrier: of the winner, once it is known.
        moves: that may win, the most urgent first.
        child_info: the reduced positions after the searched moves, by move.
        refutations: sets of cells with which the opponent refutes all moves outside.
        substitutes: cells that dominate moves left out; refutations of these may need them.
        matched: how many patterns of the opponent were compared with the position.
        mover: 1 if Black is to move, 2 if White is.
        empty: the empty cells.
    """

    state: Array
    key: int
    symmetry: int
    winner: int
    carrier: int
    moves: list[int]
    child_info: dict[int, ChildInfo]
    refutations: list[int] = field(default_factory=list)
    substitutes: int = 0
    matched: int = 0
    mover: int = field(init=False)
    empty: int = field(init=False)

    def __post_init__(self) -> None:
        """Compute what follows from the state."""
        self.mover = int(self.state[header.COLOR]) + 1

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
        """Prepare a search, which ends early when ``stop()`` is true at a position.

        An owner that is freed often should limit runs by ``nodes`` instead: with a ``stop`` that
        refers to the search, its tables stay in memory until the next garbage collection.
        """
        self.game = game
        self.table = table
        self.nodes = 0
        self.stop = stop
        self._cells = game.topology.cell_count
        self._last: int | None = None  # count of positions at which a run ends
        self._stopped = False
        self._reducer = Reducer(game)
        self._currents = Currents(self._cells)
        self._connections = ConnectionSearch(game, _LIMITS)
        self._patterns = [PatternStore(game, self._reducer.images, color) for color in range(2)]
        self._kept: OrderedDict[int, ProofNode] = OrderedDict()
        self._nodes_kept = nodes_kept

    # Positions.

    def node(self, state: Array) -> ProofNode:
        """Return the evaluated node of a position; ``state`` need not be filled in."""
        filled = self._reducer.fill_in(state)
        if filled[header.WINNER]:
            return ProofNode(filled, 0, 0, int(filled[header.WINNER]), 0, [], {})
        return self._evaluate(filled, *self._reducer.key(filled))

    def _evaluate(self, filled: Array, key: int, symmetry: int, *, both: bool = True) -> ProofNode:
        """Evaluate a position that the reducer has just filled in.

        Unless ``both``, virtual connections of the side to move are not looked for: the last move
        has broken those of its goal.
        """
        known = self._kept.get(key)
        if known is not None and np.array_equal(known.state, filled):
            self._kept.move_to_end(key)
            return known
        self.nodes += 1
        node = ProofNode(filled, key, symmetry, 0, 0, [], {})
        node.empty = places(filled[header.HEADER : header.HEADER + self._cells] == 0)
        node.moves = self._reducer.undominated_moves(filled)
        node.substitutes = self._reducer.substitutes
        self._match(node)
        if not node.winner:
            urgency = self._currents.of(self._reducer.rows)
            self._connect(node, both=both)
            node.moves.sort(key=lambda move: -urgency[move])
            self.update(node)
        if node.winner:
            self.store(node)
        self._kept[key] = node
        if len(self._kept) > self._nodes_kept:
            self._kept.popitem(last=False)
        return node

    def _connect(self, node: ProofNode, *, both: bool) -> None:
        """Apply virtual connections to a node: a winner, or fewer moves."""
        found = self._connections.decide(node.state, both=both)
        if found.winner is not None:
            node.winner = 1 + found.winner
            node.carrier = found.needed
            node.moves = [] if found.move < 0 else [found.move]
        else:
            node.refutations += found.carriers
            self._keep(node, [move for move in node.moves if found.must_play >> move & 1])

    def _match(self, node: ProofNode) -> None:
        """Apply the patterns of the opponent that were not compared with a node yet."""
        patterns = self._patterns[2 - node.mover]
        if patterns.count == node.matched or node.winner:
            return
        carriers = patterns.find(node.state, set_of(node.moves), node.matched)
        node.matched = patterns.count
        if carriers:
            node.refutations += carriers
            left = node.moves
            for carrier in carriers:
                left = [move for move in left if carrier >> move & 1]
            self._keep(node, left)

    def _keep(self, node: ProofNode, moves: list[int]) -> None:
        """Reduce the moves of a node; without any its opponent wins, with a small carrier."""
        node.moves = moves
        if not moves:
            node.winner = 3 - node.mover
            node.carrier = union(few_with_common(node.refutations, node.empty))
            # A move in all carriers is refuted by none of them: it was left out for another that
            # dominates it, and is refuted with the cells of that one.
            if common(node.refutations) & node.empty:
                node.carrier |= node.substitutes

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
                self._apply(node, move)

    def _apply(self, node: ProofNode, move: int) -> None:
        """Apply the result of a move to its node: a win, or a refutation."""
        info = node.child_info[move]
        winner = info.winner
        carrier = 0
        if not winner:
            entry = self.table.get(info.key)
            if entry is None or (entry.proof and entry.disproof) or move not in node.moves:
                return
            winner = 3 - node.mover if entry.proof == 0 else node.mover
            carrier = self._reducer.moved(entry.carrier, info.symmetry, back=True)
        # The cells that fill-in gave to the winner are empty on the board, and its win uses them.
        carrier |= info.captured[winner - 1]
        if winner == node.mover:
            node.winner = winner
            node.carrier = carrier | 1 << move
            node.moves = [move]
        elif not node.winner:
            # Must-play reduction: in the carrier the opponent wins whatever stands elsewhere, so
            # moves outside it lose too.
            node.refutations.append(carrier)
            self._keep(node, [m for m in node.moves if m != move and carrier >> m & 1])

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

    def run(self, state: Array, nodes: int | None = None) -> ProofNode:
        """Search a position until it is proven or stopped, or ``nodes`` more are searched."""
        self._stopped = False
        self._last = None if nodes is None else self.nodes + nodes
        root = self.node(state)
        if not root.winner:
            self._search(root, INFINITY, INFINITY)
        return root

    def _search(self, node: ProofNode, proof_bound: int, disproof_bound: int) -> None:
        """Search below a node until one of its numbers reaches its bound."""
        began = self.nodes
        before = self.table.get(node.key)
        self._match(node)
        while True:
            self.update(node)
            if node.winner:
                break
            proof, disproof, best, second = self.numbers(node)
            work = self.nodes - began + (before.work if before else 0)
            self.table.put(node.key, TableEntry(proof, disproof, work + 1))
            if proof >= proof_bound or disproof >= disproof_bound or self._stopped:
                return
            if self.stop() or (self._last is not None and self.nodes >= self._last):
                self._stopped = True
                return
            entry = self.table.get(node.child_info[best].key) or _NEW
            child = self.child(node, best)
            if not child.winner:
                # The child's proof number is a summand of this disproof number, and its disproof
                # number is this proof number. It is searched until this node reaches a bound or the
                # second-best move is clearly better: without that slack df-pn would jump between
                # equal moves. Stones stay, so no line of moves repeats a position, and cycles need
                # no care.
                self._search(
                    child,
                    min(disproof_bound - disproof + entry.proof, INFINITY),
                    min(proof_bound, second + 1 + int(second * _SLACK)),
                )
        self.store(node)
        if node.winner == node.mover:
            self._patterns[node.mover - 1].add(node.state, node.carrier)

    def numbers(self, node: ProofNode) -> tuple[int, int, int, int]:
        """Return proof, disproof, the move to search next, and the second-lowest disproof."""
        lowest = second = INFINITY
        best = -1
        searched = node.searched
        # Moves that are not searched yet count a little, or a node with many of them would seem
        # almost lost.
        total = _REST * (len(node.moves) - len(searched))
        seen = set()
        for move in searched:
            key = node.child_info[move].key
            if key in seen:
                continue  # symmetric to another move
            seen.add(key)
            entry = self.table.get(key) or _NEW
            total += entry.proof
            if entry.disproof < lowest:
                lowest, second, best = entry.disproof, lowest, move
            elif entry.disproof < second:
                second = entry.disproof
        # Only a proof makes a number infinite.
        return lowest, min(total, INFINITY - 1), best, second

    def child(self, node: ProofNode, move: int) -> ProofNode:
        """Return the node after a move."""
        state = node.state.copy()
        self.game.rules.play(self.game.tables, state, self.game.work(), move)
        state[header.SWAP_OPEN] = 0
        filled = self._reducer.fill_in(state)
        info = node.child_info[move]
        # A node's moves break all connections of the opponent's goal, so there are none now.
        return self._evaluate(filled, info.key, info.symmetry, both=False)


def few_with_common(sets: Iterable[int], cells: int) -> list[int]:
    """Return few of the sets that have none of the cells in common but those of all.

    The largest sets are left out first.
    """
    chosen = sorted(dict.fromkeys(sets), key=int.bit_count)
    needed = common(chosen) & cells
    for candidate in reversed(chosen[:]):
        others = [other for other in chosen if other != candidate]
        if common(others) & cells == needed:
            chosen = others
    return chosen


def union(sets: Iterable[int]) -> int:
    """Return the union of sets."""
    joined = 0
    for one in sets:
        joined |= one
    return joined


def common(sets: Iterable[int]) -> int:
    """Return the intersection of sets; of none it has every cell."""
    shared = -1
    for one in sets:
        shared &= one
    return shared

"""Depth-first proof-number search on reduced positions, with carriers and virtual connections.

The algorithm is df-pn (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications",
2002) with thresholds a factor above the second-best child's (J. Pawlewicz and L. Lew, 2007), and
with only the most urgent moves counted at first (B. Arneson, R. Hayward and P. Henderson, "Solving
Hex: beyond humans", 2010). Numbers are seen from the side to move: ``proof`` is the work left to
prove that it wins, ``disproof`` that it loses.

Whoever wins a position does so within a set of empty cells, its *carrier*, though all other cells
were the loser's. So a refuted move refutes all others that do not touch the carrier of its
refutation. Carriers are kept with what is proven, in the frame of the key's symmetry.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from antipodes.games.kernels import Array, header
from antipodes.games.placement import PlacementGame
from antipodes.search.connection import ConnectionSearch, Effort
from antipodes.search.proof.currents import currents
from antipodes.search.proof.reduction import Outlook, Reducer
from antipodes.search.proof.table import Entry, Table

INFINITY = 1 << 60

_WIDTH = 2  # moves that are counted at least
_SHARE = 0.25  # of the moves that are left
_SLACK = 0.25  # above the second-best child's number

# A solver pays for more connections with fewer positions: Hex 7x7 takes a quarter of those that the
# effort of a player takes.
_EFFORT = Effort(steps=150_000, fulls=6, semis=12)


@dataclass(slots=True, eq=False)
class Node:
    """A position on the way, reduced.

    Attributes:
        state: the filled position.
        key: in the table.
        symmetry: that takes the position to the frame of the key.
        winner: 1 Black, 2 White, 0 unknown; known at once by virtual connections.
        carrier: the winner's; while there is none, what the refutations so far need together.
        moves: that may win, the most urgent first.
        outlooks: what becomes of those that were counted, by move.
    """

    state: Array
    key: int
    symmetry: int
    winner: int
    carrier: int
    moves: list[int]
    outlooks: dict[int, Outlook]

    @property
    def mover(self) -> int:
        """1 if Black is to move, 2 if White is."""
        return int(self.state[header.COLOR]) + 1


class Search:
    """Proof-number search of positions of one placement game.

    Attributes:
        nodes: positions looked at so far.
        table: what is known.
    """

    def __init__(
        self,
        game: PlacementGame[Any, Any],
        table: Table,
        *,
        nodes_kept: int = 5_000,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Prepare a search; it ends early when ``stop`` says so, asked at every position."""
        self.game = game
        self.table = table
        self.nodes = 0
        self.stop = stop
        self._stopped = False
        self._reducer = Reducer(game)
        self._connections = ConnectionSearch(game, _EFFORT)
        self._kept: OrderedDict[int, Node] = OrderedDict()
        self._nodes_kept = nodes_kept

    # Positions.

    def node(self, state: Array) -> Node:
        """Return a position as a node, looked at; ``state`` need not be filled in."""
        filled = self._reducer.fill_in(state)
        if filled[header.WINNER]:
            return Node(filled, 0, 0, int(filled[header.WINNER]), 0, [], {})
        key, symmetry = self._reducer.key()
        return self._looked_at(filled, table_key(key, filled), symmetry)

    def _looked_at(self, filled: Array, key: int, symmetry: int) -> Node:
        """Look at a position that the reducer has just filled in."""
        kept = self._kept.get(key)
        if kept is not None and np.array_equal(kept.state, filled):
            self._kept.move_to_end(key)
            return kept
        self.nodes += 1
        node = Node(filled, key, symmetry, 0, 0, [], {})
        moves = self._reducer.worthwhile(filled)
        urgency = currents(self._reducer.rows)
        look = self._connections.look(filled)
        colors = self.game.kernel_colors
        if look.winner is not None:
            node.winner = 1 + colors.index(look.winner)
            node.carrier = bits(look.carrier)
            node.moves = [] if look.move is None else [int(look.move)]
        else:
            node.carrier = self._reducer.substitutes | bits(look.carrier)
            if look.must_play is not None:
                moves = [move for move in moves if move in look.must_play]
            node.moves = sorted(moves, key=lambda move: -urgency[move])
            if not node.moves:
                node.winner = 3 - node.mover
        self._update(node)
        if node.winner:
            self._keep(node)
        self._kept[key] = node
        if len(self._kept) > self._nodes_kept:
            self._kept.popitem(last=False)
        return node

    def _update(self, node: Node) -> None:
        """Take what is known of the moves that are counted; others come in for those refuted."""
        settled = 0
        while not node.winner and settled != len(node.moves):
            settled = len(node.moves)
            counted = node.moves[: width(node)]
            new = [move for move in counted if move not in node.outlooks]
            if new:
                ahead = self._reducer.look_ahead(node.state, new)
                node.outlooks.update(zip(new, ahead, strict=True))
            for move in counted:
                if move in node.moves:
                    self._take(node, move)

    def _take(self, node: Node, move: int) -> None:
        """Take what is proven of a move into its node: a win, or what it refutes."""
        outlook = node.outlooks[move]
        winner = outlook.winner
        carrier = 0
        if not winner:
            entry = self.table.get(child_key(node, outlook))
            if entry is None or (entry.proof and entry.disproof):
                return
            winner = 3 - node.mover if entry.proof == 0 else node.mover
            carrier = self._reducer.moved(entry.carrier, outlook.symmetry, back=True)
        carrier |= outlook.captured[winner - 1]
        if winner == node.mover:
            node.winner = winner
            node.carrier = carrier | 1 << move
            node.moves = [move]
            return
        node.carrier |= carrier
        node.moves = [m for m in node.moves if m != move and carrier >> m & 1]
        if not node.moves:
            node.winner = winner

    def _keep(self, node: Node) -> None:
        """Write a proven node to the table."""
        if not node.key:
            return
        won = node.winner == node.mover
        carrier = self._reducer.moved(node.carrier, node.symmetry)
        before = self.table.get(node.key)
        work = before.work if before else 1
        entry = Entry(0 if won else INFINITY, INFINITY if won else 0, work, carrier)
        self.table.put(node.key, entry)

    # The search.

    def run(self, state: Array) -> Node:
        """Search a position until it is proven or the search is stopped."""
        self._stopped = False
        root = self.node(state)
        if not root.winner:
            self._search(root, INFINITY, INFINITY)
        return root

    def _search(self, node: Node, proof_bound: int, disproof_bound: int) -> None:
        """Search below a node until one of its numbers reaches its bound."""
        began = self.nodes
        before = self.table.get(node.key)
        while True:
            self._update(node)
            if node.winner:
                break
            proof, disproof, best, second = self._numbers(node)
            work = self.nodes - began + (before.work if before else 0)
            self.table.put(node.key, Entry(proof, disproof, work + 1))
            if proof >= proof_bound or disproof >= disproof_bound or self._stopped:
                return
            if self.stop():
                self._stopped = True
                return
            outlook = node.outlooks[best]
            entry = self.table.get(child_key(node, outlook)) or Entry()
            child = self._child(node, best)
            if not child.winner:
                self._search(
                    child,
                    min(disproof_bound - disproof + entry.proof, INFINITY),
                    min(proof_bound, second + 1 + int(second * _SLACK)),
                )
        self._keep(node)

    def _numbers(self, node: Node) -> tuple[int, int, int, int]:
        """Return proof, disproof, the move to look at, and the second-lowest number of a move."""
        lowest = second = INFINITY
        best = -1
        total = 0
        met = set()
        for move in node.moves[: width(node)]:
            key = child_key(node, node.outlooks[move])
            if key in met:
                continue  # the image of another move under a symmetry: no work of its own
            met.add(key)
            entry = self.table.get(key) or Entry()
            total += entry.proof
            if entry.disproof < lowest:
                lowest, second, best = entry.disproof, lowest, move
            elif entry.disproof < second:
                second = entry.disproof
        return lowest, min(total, INFINITY - 1), best, second

    def _child(self, node: Node, move: int) -> Node:
        """Return the node after a move."""
        key = child_key(node, node.outlooks[move])
        state = node.state.copy()
        self.game.rules.play(self.game.tables, state, self.game.work(), move)
        filled = self._reducer.fill_in(state)
        return self._looked_at(filled, key, node.outlooks[move].symmetry)


def width(node: Node) -> int:
    """Return how many of a node's moves are counted."""
    return _WIDTH + int(len(node.moves) * _SHARE)


def table_key(key: int, state: Array) -> int:
    """Return the key of a position in the table: that of its graph, and the side to move."""
    return 2 * key + int(state[header.COLOR])


def child_key(node: Node, outlook: Outlook) -> int:
    """Return the key in the table of the position after a move."""
    return 2 * outlook.key + 2 - node.mover


def bits(cells: Any) -> int:
    """Return cells as a set of bits."""
    return sum(1 << int(cell) for cell in cells)

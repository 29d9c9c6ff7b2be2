"""Depth-first proof-number search on reduced positions, with carriers and virtual connections.

The algorithm is df-pn (A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications",
2002) with thresholds a factor above the second-best child's (J. Pawlewicz and L. Lew, 2007), and
with only the most urgent moves searched at first (B. Arneson, R. Hayward and P. Henderson, "Solving
Hex: beyond humans", 2010). Moves are ordered by electrical currents and, if the solver works alone,
by the policy of a network too. The numbers are for the side to move: ``proof`` is the work left to
prove that it wins, ``disproof`` that it loses.

The winner of a position wins within a set of empty cells, its *carrier*, even if the loser had all
other cells. So a refutation of a move refutes all moves outside its carrier as well. The table
keeps carriers with proven results, in the frame of the key's symmetry, and wins of the side to move
become patterns that limit the moves in other positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from weakref import finalize

import numpy as np

from antipodes.games.kernels import Array, edition, header
from antipodes.games.placement import PlacementGame
from antipodes.search.arrays import lazy_zeros
from antipodes.search.connection import ConnectionLimits, ConnectionSearch
from antipodes.search.kernels import proof_fill, proof_nodes
from antipodes.search.kernels import proof_search as kernels
from antipodes.search.kernels.connection_store import MOST_GOALS
from antipodes.search.kernels.convolution import TAPS
from antipodes.search.kernels.proof_nodes import Proofs
from antipodes.search.kernels.proof_patterns import Patterns
from antipodes.search.network.directions import directed_neighbours
from antipodes.search.network.evaluator import NO_INPUTS, has_network, network_file, new_inputs
from antipodes.search.network.weights import NO_NETWORK, network_weights, new_activations
from antipodes.search.proof.reduction import ChildInfo, Reducer, joined
from antipodes.search.proof.table import ProofTable

# More connections for each position save positions: Hex 7x7 needs a quarter of those that it needs
# with the limits of a player.
STEPS = 1_000_000
_PATTERNS = 1 << 15  # kept for each colour
_STEPS = 64  # of a run between two looks at the room for nodes
_ALL = 1 << 60  # positions


class ProofNodes:
    """The nodes of a proof search: those that are kept, on the way down, or pinned.

    Attributes:
        proofs: their arrays, which change when there is more room.
        pinned: nodes to which Python has references.
    """

    def __init__(
        self, game: PlacementGame[Any, Any], words: int, nodes_kept: int, *, guided: bool
    ) -> None:
        """Make room for few nodes with sets of so many words."""
        cells = game.topology.cell_count
        self.pinned = 0
        # Each of its moves is refuted at most twice: by a pattern, and when it was looked at.
        refutations = MOST_GOALS + 2 * cells
        room = max(refutations, 2 * cells, 2 + words) + 1
        info = proof_nodes.REDUCED + proof_fill.AHEAD + 2 * words
        slots = 1
        self.proofs = Proofs(
            numbers=np.zeros(proof_nodes.NUMBERS, np.int64),
            frames=np.zeros((cells + 2, proof_nodes.FRAME), np.int64),
            nodes=np.zeros((slots, proof_nodes.NODE_COLUMNS), np.int64),
            states=np.zeros((slots, game.state_size), np.int64),
            sets=np.zeros((slots, proof_nodes.NODE_SETS, words), np.int64),
            moves=np.zeros((slots, cells), np.int64),
            infos=np.zeros((slots, cells, info), np.int64),
            places=np.zeros((slots, cells), np.int32),
            refutations=np.zeros((slots, refutations, words), np.int64),
            buckets=np.zeros(1 << (2 * nodes_kept).bit_length(), np.int64),
            boards=np.zeros((2, game.state_size), np.int64),
            work=game.work(),
            lists=np.zeros((proof_nodes.LISTS, room), np.int64),
            cells=np.zeros((proof_nodes.SETS, words), np.int64),
            carriers=np.zeros((MOST_GOALS + 1, words), np.int64),
            circuit=lazy_zeros((cells, cells), np.float64),
            currents=np.zeros((2, cells), np.float64),
            **_policy_arrays(game, guided=guided),
        )
        self.proofs.numbers[proof_nodes.MOST_KEPT] = nodes_kept
        self.proofs.numbers[proof_nodes.STEPS] = STEPS

    def make_room(self, more: int) -> None:
        """Make room for so many nodes more."""
        old = self.proofs
        numbers, room = old.numbers, len(old.nodes)
        most = int(numbers[proof_nodes.MOST_KEPT]) + len(old.frames) + self.pinned + 2
        wanted = min(int(numbers[proof_nodes.USED]) + more, most)
        if wanted <= room:
            return
        slots: dict[str, Any] = {}
        for name in ("nodes", "states", "sets", "moves", "infos", "places", "refutations"):
            array = getattr(old, name)
            slots[name] = lazy_zeros((max(wanted, 2 * room), *array.shape[1:]), array.dtype)
            slots[name][:room] = array
        self.proofs = old._replace(**slots)

    def unpin(self, slot: int) -> None:
        """Remove the reference to a node."""
        self.pinned -= 1
        edition(proof_nodes, "unpin")(self.proofs, slot)


def _policy_arrays(game: PlacementGame[Any, Any], *, guided: bool) -> dict[str, Any]:
    """Return the fields of :class:`Proofs` for the network of a board, if it is used."""
    file = network_file(game) if guided and has_network(game) else None
    if file is None:
        return {
            "network": NO_NETWORK,
            "activations": new_activations(NO_NETWORK, np.zeros((0, TAPS), np.int64)),
            "inputs": NO_INPUTS,
            "policy": np.zeros(0, np.float32),
        }
    network = network_weights(file)
    return {
        "network": network,
        "activations": new_activations(network, directed_neighbours(game.topology)),
        "inputs": new_inputs(game, 1),
        "policy": np.zeros(game.topology.cell_count, np.float32),
    }


class ProofNode:
    """A position of the search, reduced, which a run changes. Sets of cells have a bit for each.

    Attributes:
        slot: of the arrays.
        state: the filled position.
    """

    def __init__(self, owner: ProofNodes, slot: int) -> None:
        """Take over the pin of a slot."""
        self._owner = owner
        self.slot = slot
        self.state: Array = owner.proofs.states[slot].copy()
        owner.pinned += 1
        finalize(self, owner.unpin, slot).atexit = False

    def _number(self, column: int) -> int:
        return int(self._owner.proofs.nodes[self.slot, column])

    @property
    def key(self) -> int:
        """The key in the table; 0 if fill-in decides the position."""
        return self._number(proof_nodes.KEY)

    @property
    def symmetry(self) -> int:
        """The symmetry that maps the position to the frame of the key."""
        return self._number(proof_nodes.SYMMETRY)

    @property
    def winner(self) -> int:
        """The winner: 1 Black, 2 White, 0 unknown."""
        return self._number(proof_nodes.NODE_WINNER)

    @property
    def mover(self) -> int:
        """1 if Black is to move, 2 if White is."""
        return int(self.state[header.COLOR]) + 1

    @property
    def carrier(self) -> int:
        """The carrier of the winner, once it is known."""
        return joined(self._owner.proofs.sets[self.slot, proof_nodes.CARRIER].tolist())

    @property
    def moves(self) -> list[int]:
        """The moves that may win, the most urgent first."""
        moves: list[int] = self._owner.proofs.moves[self.slot].tolist()
        return moves[: self._number(proof_nodes.MOVES)]

    @property
    def searched(self) -> list[int]:
        """The moves that are searched at first."""
        moves = self.moves
        return moves[: kernels.searched_of(self._owner.proofs, len(moves))]

    @property
    def child_info(self) -> dict[int, ChildInfo]:
        """The reduced positions after the searched moves, by move."""
        infos = self._owner.proofs.infos[self.slot, : self._number(proof_nodes.INFOS)]
        return {
            int(info[proof_nodes.MOVE]): ChildInfo.of(info[proof_nodes.REDUCED :]) for info in infos
        }


class DfpnSearch:
    """Proof-number search of positions of one placement game.

    Attributes:
        table: of the results.
    """

    def __init__(
        self,
        game: PlacementGame[Any, Any],
        table: ProofTable,
        *,
        nodes_kept: int = 5_000,
        guided: bool = False,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        """Prepare a search, which ends early when ``stop()`` is true at a position.

        If it is ``guided``, a network's policy helps to order the moves, on boards that have one.
        Beside a tree search with the network it should not be: it then finds the wins that the
        network does not expect.

        An owner that is freed often should limit runs by ``nodes`` instead: with a ``stop`` that
        refers to the search, its tables stay in memory until the next garbage collection.
        """
        self.game = game
        self.table = table
        self.stop = stop
        self._reducer = Reducer(game)
        self._words = self._reducer.words
        self._store = ConnectionSearch(game, ConnectionLimits(steps=STEPS)).buffers
        self._patterns = new_patterns(game, self._reducer)
        self._nodes = ProofNodes(game, self._words, nodes_kept, guided=guided)

    @property
    def nodes(self) -> int:
        """Positions evaluated so far."""
        return int(self._nodes.proofs.numbers[proof_nodes.EVALUATED])

    def arrays(self, more: int) -> dict[str, Any]:
        """Return the groups of arrays by the names of parameters, with room for more positions."""
        self._nodes.make_room(1 + more)
        return {
            "tables": self.game.tables,
            "graph": self._reducer.graph,
            "symmetries": self._reducer.symmetries,
            "store": self._store,
            "table": self.table.arrays(self._words),
            "patterns": self._patterns,
            "proofs": self._nodes.proofs,
        }

    def _call(self, kernel: str, *arguments: Any, most: int = 1) -> int:
        """Call a kernel with the arrays of the search; it evaluates so many positions at most."""
        return edition(kernels, kernel)(*self.arrays(most).values(), *arguments)

    def node(self, state: Array) -> ProofNode:
        """Return the evaluated node of a position; ``state`` need not be filled in."""
        return ProofNode(self._nodes, self._call("node_of", state))

    def child(self, node: ProofNode, move: int) -> ProofNode:
        """Return the node after a searched move."""
        return ProofNode(self._nodes, self._call("child_of", node.slot, move))

    def revise(self, node: ProofNode, work: int) -> bool:
        """Apply the table to a node after ``work`` positions below; return whether it is proven."""
        return bool(self._call("revise", node.slot, work))

    def run(self, state: Array, nodes: int | None = None) -> ProofNode:
        """Search a position until it is proven or stopped, or ``nodes`` more are searched."""
        numbers = self._nodes.proofs.numbers
        numbers[proof_nodes.LAST] = _ALL if nodes is None else self.nodes + nodes
        root = ProofNode(self._nodes, self._call("begin_search", state))
        try:
            steps = _STEPS if self.stop is None else 0
            while self._call("go_on", steps, most=steps) == kernels.PAUSED:
                if self.stop is not None:
                    numbers[proof_nodes.STOPPED] = self.stop()
                    steps = 1
        finally:
            edition(kernels, "abandon")(self._nodes.proofs)
        return root


def new_patterns(
    game: PlacementGame[Any, Any], reducer: Reducer, capacity: int = _PATTERNS
) -> Patterns:
    """Return room for the patterns of both colours."""
    cells, words = game.topology.cell_count, reducer.words
    symmetries = len(reducer.symmetries.images)
    return Patterns(
        sets=lazy_zeros((2 * capacity, 2, words), np.int64),
        counts=np.zeros(4, np.int64),
        moves=np.zeros(words, np.int64),
        base=np.zeros(words, np.int64),
        stack=np.zeros(2 * cells, np.int64),
        views=np.zeros((2 * symmetries, words), np.int64),
        carriers=np.zeros((cells, words), np.int64),
    )


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

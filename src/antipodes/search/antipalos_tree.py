"""A search tree of Antipalos in arrays, with leaves evaluated by circuits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from antipodes.core import Move
from antipodes.games.kernels import Array, edition, header
from antipodes.games.position import Game, Position
from antipodes.search.arrays import lazy_zeros
from antipodes.search.interface import Proven
from antipodes.search.kernels import antipalos_circuit as circuit
from antipodes.search.kernels import antipalos_evaluation as evaluation
from antipodes.search.kernels import antipalos_threats as threats
from antipodes.search.kernels import antipalos_tree as tree
from antipodes.search.kernels import nodes
from antipodes.search.kernels.antipalos_circuit import Floats
from antipodes.search.kernels.choosing import generator_state

_ROW_BYTES = 8 * (2 * (tree.LINKS + tree.VALUES) + 1)  # two trees, and the origins of moved rows
MAX_DEPTH = 250  # plies of a visit
_MAX_LINE = 30  # moves of a principal variation

# Tuned by games; see antipalos_evaluation.
TUNING = {
    evaluation.STEEPNESS: 2.5,
    evaluation.TEMPO: 0.3,
    evaluation.SHARPNESS: 1.5,
    evaluation.EXPLORATION: 0.12,
    evaluation.PAIRED: 10.0,
    evaluation.NOISE: 1 / 64,
}
_VARIED_NOISE = 0.5


@dataclass(slots=True)
class Child:
    """Statistics of a root move, for the side that makes it.

    Attributes:
        move: the move.
        visits: of the move.
        total_value: sum of the values of these visits.
        proven: the proven result, or ``None``.
        distance: turns until a proven end.
    """

    move: Move
    visits: int
    total_value: float
    proven: Proven | None
    distance: int

    def merge(self, other: Child) -> None:
        """Add the statistics of the same move in another tree."""
        self.visits += other.visits
        self.total_value += other.total_value
        if self.proven is None:
            self.proven, self.distance = other.proven, other.distance
        elif other.proven is Proven.WIN:
            self.distance = min(self.distance, other.distance)
        elif other.proven is Proven.LOSS:
            self.distance = max(self.distance, other.distance)


def rank(children: Sequence[Child]) -> list[int]:
    """Return the places of moves, the best first: wins, then moves by visits, then losses."""
    known = new_moves(len(children))
    for place, child in enumerate(children):
        known.visits[place], known.totals[place] = child.visits, child.total_value
        # As those of the side 0 that makes them.
        verdicts = {None: 0, Proven.WIN: 1, Proven.LOSS: 2}
        known.verdicts[place], known.distances[place] = verdicts[child.proven], child.distance
    order = np.zeros(len(children), np.int64)
    _kernel("rank_moves")(known, len(children), 0, order)
    places: list[int] = order.tolist()
    return places


def new_moves(count: int) -> tree.Moves:
    """Return room for the statistics of so many moves."""
    moves, visits, verdicts, distances = np.zeros((4, count), np.int64)
    totals = np.zeros(count, np.float64)
    return tree.Moves(
        moves=moves, visits=visits, totals=totals, verdicts=verdicts, distances=distances
    )


class AntipalosTree:
    """A search tree with one position at its root."""

    def __init__(
        self,
        position: Position,
        seed: int,
        size: int,
        exploration_factor: float,
        *,
        virtual_connections: bool = True,
        varied: bool = False,
        moves: Sequence[Move] | None = None,
    ) -> None:
        """Make a tree without visits.

        Args:
            position: at the root.
            seed: of its random numbers.
            size: bound of its arrays in bytes.
            exploration_factor: factor of the usual exploration.
            virtual_connections: whether the circuits know them.
            varied: whether chance varies the search of moves with different scores.
            moves: the only moves of the root; by default those that the evaluation suggests.
        """
        rows = max(size // _ROW_BYTES, 1000)
        self._arrays = [_new_tree(rows), _new_tree(rows)]
        self._origins = lazy_zeros(rows, np.int64)
        self._evaluator = _Evaluator(
            position.game, seed, exploration_factor, virtual_connections=virtual_connections
        )
        if varied:
            self._evaluator.tuning[evaluation.NOISE] = _VARIED_NOISE
        self._set_root(position)
        self._moves = moves

    def _set_root(self, position: Position) -> None:
        self._position = position
        self._root = position.searchable_state(MAX_DEPTH + 1)

    @property
    def visits(self) -> int:
        """Visits made so far."""
        return int(self._arrays[0].links[0, tree.VISITS])

    @property
    def begun(self) -> bool:
        """Whether any root move has been visited."""
        return bool(_kernel("has_begun")(self._arrays[0]))

    @property
    def proven(self) -> Proven | None:
        """The proven result for the seat to move, or ``None``."""
        return self._proven_for(0, self._side_to_move)

    @property
    def done(self) -> bool:
        """Whether the root is proven, and its winning move or longest defence is known."""
        tables = self._position.game.tables
        return bool(_kernel("is_done")(tables, self._root, self._arrays[0]))

    @property
    def _side_to_move(self) -> int:
        return self._position.seat_to_move % len(self._position.game.colors)

    def win_chances(self, other: int) -> Floats:
        """Return the win probability of a colour with a rod on each square; see the evaluator."""
        return self._evaluator.win_chances(self._root, other)

    def add_visits(self, visits: int, _most: int = 0) -> None:
        """Add visits; once all children of the root are proven losses, add its other moves."""
        if self._position.outcome is not None:
            return
        if self._moves is not None and visits and not self.visits:
            self._evaluator.add_visits(self._root, self._arrays[0], 1)
            self._set_moves(self._moves)
            visits -= 1
        self._evaluator.add_visits(self._root, self._arrays[0], visits)

    def _set_moves(self, moves: Sequence[Move]) -> None:
        """Set the children of the root after its first visit, which has suggested some.

        The others get the prior and the value of the worst of these. A win is enough.
        """
        links, values, settings = self._arrays[0]
        priors = {
            int(links[row, tree.MOVE]): values[row, [tree.PRIOR, tree.FIRST_VALUE]].copy()
            for row in self.children(0)
        }
        is_won = self.proven is Proven.WIN
        if is_won and not priors.keys().isdisjoint(moves):
            return
        if is_won:
            links[0, [tree.PROVEN, tree.DISTANCE]] = 0
        worst = np.array([0.5, 0.5]) if is_won else np.min(list(priors.values()), axis=0)
        ordered = sorted(moves, key=lambda move: move not in priors)[: len(links) - 1]
        rows = slice(1, 1 + len(ordered))
        links[rows], values[rows] = 0, 0.0
        links[rows, tree.MOVE], links[rows, tree.MOVER] = ordered, self._side_to_move
        first = np.array([priors.get(move, worst) for move in ordered])
        values[rows, tree.PRIOR] = first[:, 0] / max(first[:, 0].sum(), 1e-300)
        values[rows, tree.FIRST_VALUE] = first[:, 1]
        links[0, [tree.FIRST_CHILD, tree.CHILDREN, tree.COMPLETE]] = 1, len(ordered), 1
        settings[tree.NODES] = 1 + len(ordered)

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The tree, and the arrays with which it is grown."""
        return self._arrays[0], *self._evaluator.arrays

    def children(self, row: int) -> range:
        """Return the rows of a node's children; the root is row 0."""
        links = self._arrays[0].links
        first = int(links[row, tree.FIRST_CHILD])
        return range(first, first + int(links[row, tree.CHILDREN]))

    def visits_of(self, row: int) -> int:
        """Return the visits of a node."""
        return int(self._arrays[0].links[row, tree.VISITS])

    def child(self, row: int) -> Child:
        """Return the statistics of the move that leads to a node, for the side that made it."""
        links, values = self._arrays[0].links, self._arrays[0].values
        return Child(
            Move(links[row, tree.MOVE]),
            int(links[row, tree.VISITS]),
            float(values[row, tree.TOTAL_VALUE]),
            self._proven_for(row, int(links[row, tree.MOVER])),
            int(links[row, tree.DISTANCE]),
        )

    def _proven_for(self, row: int, side: int) -> Proven | None:
        proven = int(self._arrays[0].links[row, tree.PROVEN])
        if proven == 0:
            return None
        return Proven.WIN if proven == 1 + side else Proven.LOSS

    def line(self, row: int) -> tuple[Move, ...]:
        """Return the principal variation from a child of the root on."""
        links = self._arrays[0].links
        line = [Move(links[row, tree.MOVE])]
        while len(line) < _MAX_LINE:
            visited = [child for child in self.children(row) if self.visits_of(child)]
            if not visited:
                break
            row = visited[rank([self.child(child) for child in visited])[0]]
            line.append(Move(links[row, tree.MOVE]))
        return tuple(line)

    def move_root(self, position: Position, move: int) -> None:
        """Move the root to the position after a move, and keep the tree below it."""
        self._moves = None
        old, new = self._arrays
        known = [row for row in self.children(0) if old.links[row, tree.MOVE] == move]
        new.links[0] = 0
        new.values[0] = 0.0
        new.settings[tree.NODES] = 1
        if known and position.outcome is None:
            new.settings[tree.NODES] = _kernel("copy_subtree")(
                tree=old, node=known[0], target=new, origins=self._origins
            )
        self._arrays = [new, old]
        self._set_root(position)


def _new_tree(rows: int) -> tree.Tree:
    settings = np.zeros(tree.SETTINGS, np.int64)
    settings[tree.NODES] = 1
    settings[tree.ROOM] = 32
    settings[tree.RODS] = 5
    settings[tree.ROOT_ROOM] = 64
    return tree.Tree(
        links=lazy_zeros((rows, tree.LINKS), np.int64),
        values=lazy_zeros((rows, tree.VALUES), np.float64),
        settings=settings,
    )


class _Evaluator:
    """The arrays in which positions are played and evaluated.

    Attributes:
        tuning: parameters, as :mod:`antipodes.search.kernels.antipalos_evaluation` names them.
    """

    def __init__(
        self, game: Game, seed: int, exploration_factor: float, *, virtual_connections: bool
    ) -> None:
        size = game.options.size
        squares = size * size
        colors = len(game.colors)
        self._game = game
        moves = np.zeros(max(game.max_branching, 256), np.int64)
        start = game.initial().searchable_state(MAX_DEPTH + 1)
        self._walk = nodes.Walk(
            tables=game.tables,
            root=start,
            state=start.copy(),
            work=game.work(),
            rng=np.array([generator_state(seed)], np.int64),
            out=moves,
        )
        self._visit = tree.Visit(
            path=np.zeros(MAX_DEPTH + 1, np.int64),
            reach=np.zeros((size + 1) ** 2 + 2 * squares, np.int64),
            tactics=np.zeros(threats.TACTICS, np.int64),
            scores=np.zeros((squares, evaluation.SCORES)),
            rewards=np.zeros(colors),
        )
        self._lists = evaluation.Lists(
            moves=moves,
            odds=np.zeros(len(moves)),
            priors=np.zeros(len(moves)),
            targets=np.zeros(128, np.int64),
            rod_scores=np.zeros(128),
        )
        self._scratch = circuit.scratch(size)
        self._circuits = circuit.circuits(size, colors)
        self.tuning = np.zeros(evaluation.TUNING, np.float64)
        for number, value in TUNING.items():
            self.tuning[number] = value
        self.tuning[evaluation.EXPLORATION] *= exploration_factor
        if not virtual_connections:
            self.tuning[evaluation.PAIRED] = 1.0  # like all free diagonals

    def win_chances(self, root: Array, other: int) -> Floats:
        """Return the win probability of a colour with a rod on each square.

        The colour is the one to move, or with ``other`` 1 the next one.

        The tempo is not counted.
        """
        state = root.copy()
        state[header.SEAT] += other
        state[header.COLOR] ^= other
        tables, scores = self._walk.tables, self._visit.scores
        chances = np.zeros(len(scores))
        measured = (self.tuning, self._scratch, self._circuits, scores)
        _kernel("write_win_chances")(tables, state, *measured, chances)
        return chances

    def add_visits(self, root: Array, grown: tree.Tree, visits: int) -> None:
        state = self._walk.state
        if len(state) != len(root):
            state = root.copy()
        self._walk = self._walk._replace(root=root, state=state)
        _kernel("add_root_visits")(self._walk, grown, *self.arrays, visits)

    @property
    def arrays(self) -> tuple[Any, ...]:
        """The arrays with which kernels evaluate positions: from the visit to the lists."""
        return self._visit, self.tuning, self._scratch, self._circuits, self._lists


def _kernel(name: str) -> Callable[..., int]:
    """Return a kernel of the tree or of the evaluation."""
    return edition(evaluation if name in vars(evaluation) else tree, name)

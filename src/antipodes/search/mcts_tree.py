"""A Monte-Carlo search tree in arrays, grown by kernels that release the global lock.

A search has one tree for each of its threads; see :mod:`antipodes.search.tree`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.core import Move
from antipodes.games.kernels import Array, edition, header, placement, plain_rules
from antipodes.games.kernels.antipalos import MAIL
from antipodes.games.placement import is_connection_game
from antipodes.games.position import Game, Position
from antipodes.search.answers import new_answer, write_answer
from antipodes.search.arrays import lazy_zeros
from antipodes.search.families import imported, plain_playout, search_family
from antipodes.search.interface import Knowledge
from antipodes.search.kernels import (
    batch,
    bridges,
    estimates,
    network_choices,
    nodes,
    puct,
    rave,
    tree_queries,
    uct,
)
from antipodes.search.kernels.choosing import generator_state
from antipodes.search.kernels.nodes import Children, Way
from antipodes.search.network.evaluator import BATCH, Evaluator, has_network, new_inputs

Floats = npt.NDArray[np.float64]

_MAX_PLIES = 2_000  # below the root
_LINE = 40  # moves of a principal variation
SMALL = 64  # cells of a board on which a position is searched in less than a millisecond
_BATCHES = 16  # of random games, which take as long as a visit with the network


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeSettings:
    """Settings of a tree.

    Attributes:
        batches: whether a visit is a batch of 64 random games with RAVE updates; only in the
            placement games. Otherwise it is one random game or one estimate.
        estimate: the kernel of :mod:`antipodes.search.kernels.estimates` that evaluates leaves, or
            ``None`` for random games.
        exploration: factor of the bonus for few visits.
        rave_equivalence: visits at which the RAVE estimate and the mean have equal weights.
        threshold: visits after which a leaf is expanded.
        bridges: whether the random games of batches keep bridges.
        network: whether the neural network guides the selection and evaluates the leaves.
        proof_price: visits for each position of the proof search of the root; 0 for none.
    """

    batches: bool = False
    estimate: str | None = None
    exploration: float = 0.5
    rave_equivalence: float = 30.0
    threshold: int = 4
    bridges: bool = False
    network: bool = False
    proof_price: int = 0

    @property
    def games(self) -> int:
        """Random games or estimates of a visit."""
        return batch.LANES if self.batches else 1


def settings_for(position: Position, *, knowledge: bool, latest: bool = True) -> TreeSettings:
    """Return the best settings for a position's game.

    Args:
        position: of the game.
        knowledge: whether the search has a source of knowledge.
        latest: whether to use what is stronger than when the levels were rated.
    """
    family = search_family(position.game.family)
    if family is None or not family.tree_settings:
        return TreeSettings()
    choose: Callable[[Game, bool, bool], TreeSettings] = imported(family.tree_settings)
    return choose(position.game, knowledge, latest)


def placement_settings(game: Game, knowledge: bool, latest: bool) -> TreeSettings:
    """Return the best settings for a placement game.

    The RAVE estimates of all moves change with each batch, so that moves are explored without a
    bonus for few visits.
    """
    exploration = 0.0 if latest else 0.02
    price = _price(game, _BATCHES) if latest and knowledge else 0
    return TreeSettings(
        batches=True, exploration=exploration, threshold=1, bridges=knowledge, proof_price=price
    )


def network_settings(game: Game, *, latest: bool = True) -> TreeSettings:
    """Return the best settings for a search with the neural network."""
    price = _price(game, 1) if latest else 0
    return TreeSettings(network=True, exploration=1.2, threshold=1, proof_price=price)


def _price(game: Game, batches: int) -> int:
    """Return the visits that pay a position of the root's proof search.

    The search takes about half of the time on small boards, where it proves most, and an eighth to
    a fifth on others.

    Args:
        game: a placement game.
        batches: visits that take as long as one with the network.
    """
    cells = game.topology.cell_count
    return batches * (max(1, cells // 50) if cells <= SMALL else cells // 2)


def antipalos_settings(game: Game, _knowledge: bool, _latest: bool) -> TreeSettings:
    """Return the best settings for a ruleset of Antipalos."""
    if game.tables[MAIL]:
        return TreeSettings()
    # Random rods hardly ever connect, so random games are no evaluation.
    return TreeSettings(estimate="estimate_antipalos", threshold=1)


def node_bytes(rows: int) -> int:
    """Return the bytes of a node with so many rows of statistics."""
    # The last four bytes are scratch for moving the root.
    return 4 * nodes.LINKS + 4 * rows + 8 + nodes.MARKS + 4


def new_children(count: int) -> Children:
    """Return room for the statistics of so many moves."""
    moves, places, visits, verdicts = np.zeros((4, count), np.int64)
    return Children(
        moves=moves,
        nodes=places,
        visits=visits,
        totals=np.zeros(count, np.float64),
        verdicts=verdicts,
    )


@lru_cache(maxsize=32)
def _board_arrays(game: Game) -> tuple[batch.FloodLayout, batch.Words]:
    """Return the layout for floods and the table of bridges of a placement game's board.

    They are made once for each game, since that takes longer than a short search.
    """
    return batch.flood_layout(game.topology, game.tables), bridges.bridge_table(game.tables)


def network_policy(position: Position) -> dict[Move, float] | None:
    """Return the probability of each legal move by the network, together 1.

    ``None`` if the game has no network, or is over.
    """
    if position.outcome is not None or not has_network(position.game):
        return None
    tree = MctsTree(position, network_settings(position.game), seed=1, size=0)
    tree.add_visits(1)
    return tree.priors()


class MctsTree:
    """A search tree with one position at its root.

    Attributes:
        records: sums over all batches; see :mod:`antipodes.search.kernels.rave`.
        state: of the position to which the tree walked last; the next visits overwrite it.
    """

    def __init__(
        self,
        position: Position,
        settings: TreeSettings,
        seed: int,
        size: int,
        *,
        moves: Sequence[Move] | None = None,
    ) -> None:
        """Make a tree without visits.

        Args:
            position: at the root.
            settings: of the tree.
            seed: of its random numbers.
            size: bound of its arrays in bytes.
            moves: the only moves of the root; all by default.
        """
        game: Game = position.game
        self._game = game
        self._moves = moves
        self._tree_settings = settings
        self._known = 0
        self._queries = np.zeros(tree_queries.QUERIES, np.int64)
        self._answer = new_answer(game.move_count + 1)
        rows = rave.ROWS if settings.batches else puct.ROWS if settings.network else nodes.STATS
        room = max(size // node_bytes(rows), game.max_branching + 1)
        self._settings = np.zeros(nodes.SETTINGS, np.int64)
        self._tree = nodes.Tree(
            links=lazy_zeros((nodes.LINKS, room), np.uint32),
            stats=lazy_zeros((rows, room), np.float32),
            totals=lazy_zeros(room, np.float64),
            marks=lazy_zeros((nodes.MARKS, room), np.int8),
            settings=self._settings,
            weights=np.array([settings.exploration, settings.rave_equivalence], np.float64),
        )
        self._rng = np.array([generator_state(seed)], np.int64)
        self._out = np.zeros(game.max_branching, np.int64)
        chances, rewards = np.zeros((2, len(game.colors)), np.float64)
        self._outcome = uct.Outcome(chances=chances, rewards=rewards)
        self._settings[nodes.SIDES] = len(game.colors)
        self._settings[nodes.THRESHOLD] = settings.threshold
        self._settings[nodes.USE_ESTIMATE] = settings.estimate is not None
        # Finding bridges needs the chains, which light steps do not update.
        is_light = is_connection_game(game) and not settings.network
        self._settings[nodes.LIGHT] = is_light and not settings.bridges
        self._settings[nodes.BRIDGES] = settings.bridges
        self._settings[nodes.PROOF_PRICE] = settings.proof_price
        self._settings[nodes.USED] = 1
        grid = 5 * (game.topology.cell_count + 2 * max(game.topology.size) + 1)
        self._work = np.zeros(max(game.work_size, grid), np.int64)
        cells = game.topology.cell_count
        self.records = np.zeros((rave.RECORDS, cells + 1), np.float64)
        if settings.batches:
            self._batches = self._new_batches(self.records)
        if settings.network:
            self._evaluate = Evaluator(game)
            self._inputs = new_inputs(game, BATCH)
        self._set_root(position)

    def _set_root(self, position: Position) -> None:
        plies = min(self._game.max_plies, _MAX_PLIES) + 1
        self._root = position.searchable_state(plies)
        self._walk = nodes.Walk(
            tables=self._game.tables,
            root=self._root,
            state=self._root.copy(),
            work=self._work,
            rng=self._rng,
            out=self._out,
        )
        path, movers, colors = np.zeros((3, plies + 1), np.int64)
        self._way = Way(nodes=path, movers=movers, colors=colors)
        if self._tree_settings.network:
            paths, movers = np.zeros((2, BATCH, plies + 1), np.int64)
            numbers = np.zeros((puct.LEAVES, BATCH), np.int64)
            self._leaves = puct.Leaves(paths=paths, movers=movers, numbers=numbers)
        self.records[:] = 0
        light = header.HEADER + int(self._game.tables[placement.NODES])
        whole = len(position.state)
        self._settings[nodes.COPIED] = light if self._settings[nodes.LIGHT] else whole
        self._settings[nodes.PLIES] = plies
        # Only new visits pay for proofs.
        self._queries[tree_queries.PAID] = self.visits // max(self._tree_settings.proof_price, 1)
        winner = int(self._root[header.WINNER])
        if winner:
            self._tree.marks[nodes.VERDICT, 0] = self._verdict(self._root, winner)

    def _verdict(self, state: Array, winner: int) -> int:
        """Return the verdict for a winner as states encode it."""
        if winner < 0:
            return nodes.EVEN
        sides = len(self._game.colors)
        return 1 + int(winner - 1 - state[header.COLOR] + state[header.SEAT]) % sides

    @property
    def side(self) -> int:
        """The side to move at the root."""
        return int(self._root[header.SEAT]) % len(self._game.colors)

    @property
    def visits(self) -> int:
        """Visits made so far, including those made before the root was moved here."""
        return int(self._tree.links[nodes.VISITS, 0])

    @property
    def verdict(self) -> int:
        """The proven result of the root as kernels encode it; 0 if there is none."""
        return int(self._tree.marks[nodes.VERDICT, 0])

    @property
    def has_unlocated_win(self) -> bool:
        """Whether the root is won for the side to move, but the winning move is not known."""
        return self._known == 1 + self.side and not self.verdict

    @property
    def begun(self) -> bool:
        """Whether any root move has been visited."""
        return self.visits > 1 and bool(self._tree.links[nodes.SIZE, 0])

    @property
    def done(self) -> bool:
        """Whether the root is proven."""
        return self.verdict != 0

    @property
    def nodes(self) -> int:
        """Nodes in use."""
        return int(self._settings[nodes.USED])

    def _new_batches(self, records: Floats) -> rave.Batches:
        """Return scratch for batches in a placement game, which are added to the records."""
        cells = self._game.topology.cell_count
        return rave.Batches(
            lanes=np.zeros((2, cells + 1), np.int64),
            bridges=_board_arrays(self._game)[1],
            pairs=np.zeros(bridges.ROOM * cells, np.int64),
            counts=np.zeros((rave.COUNTS, cells + 1), np.float32),
            records=records,
        )

    @property
    def way(self) -> Way:
        """The way on which kernels walk down to a node."""
        return self._way

    @property
    def arrays(self) -> dict[str, Any]:
        """The groups of arrays with which kernels add visits, by their names."""
        grown: dict[str, Any] = {"walk": self._walk, "tree": self._tree}
        if self._tree_settings.network:
            evaluate = self._evaluate
            return grown | {
                "leaves": self._leaves,
                "inputs": self._inputs,
                "network": evaluate.network,
                "board": evaluate.board,
                "evaluations": evaluate.evaluations,
            }
        grown["way"] = self._way
        if self._tree_settings.batches:
            layout, _ = _board_arrays(self._game)
            return grown | {"layout": layout, "batches": self._batches}
        return grown | {"outcome": self._outcome}

    def add_visits(self, visits: int, most: int = puct.NEVER) -> int:
        """Add visits until the root is proven or has ``most``; return how many were made."""
        visits = min(visits, most - self.visits)
        if self._moves is None or self.visits or visits < 1:
            return self._add_visits(visits, most)
        made = self._add_visits(1, most)
        self._keep_moves(self._moves)
        return made + self._add_visits(visits - made, most)

    def _keep_moves(self, moves: Sequence[Move]) -> None:
        """Remove all other moves of the root, which its first visit has expanded."""
        self.apply_to_root(Knowledge(moves=tuple(moves)))
        if self._tree_settings.network:
            # The probabilities of the moves that are left are again those of all.
            first, count = self._tree.links[[nodes.FIRST, nodes.LIVE], 0].tolist()
            stats = self._tree.stats[:, first : first + count]
            stats[puct.PRIOR] /= max(stats[puct.PRIOR].sum(), np.finfo(np.float32).tiny)
            stats[nodes.BONUS] = stats[puct.PRIOR]

    def _add_visits(self, visits: int, most: int) -> int:
        plain = plain_rules(self._game.family)
        given: dict[str, Any] = {"moves": plain.moves, "play": plain.play, "step": plain.play}
        if self._tree_settings.network:
            return edition(puct, "simulate", **given)(**self.arrays, visits=visits, most=most)
        if self._settings[nodes.LIGHT]:
            given["step"] = placement.place
        if self._tree_settings.batches:
            return edition(rave, "simulate", **given)(**self.arrays, visits=visits)
        given["playout"] = plain_playout(self._game.family)
        given["estimate"] = vars(estimates)[self._tree_settings.estimate or "no_estimate"]
        return edition(uct, "simulate", **given)(**self.arrays, visits=visits)

    def evaluate_stones(self) -> Floats:
        """Return how much each cell matters by the network; see :func:`puct.weigh_stones`."""
        weights = np.zeros(self._game.topology.cell_count)
        evaluate = self._evaluate
        given = (evaluate.network, evaluate.board, evaluate.evaluations, weights)
        edition(puct, "weigh_stones")(self._walk, self._inputs, *given)
        return weights

    def sample_batches(self, batches: int) -> Floats:
        """Return records of fresh batches at the root of a placement game."""
        records = np.zeros_like(self.records)
        walk = self._walk._replace(
            rng=np.array([generator_state(batches)], np.int64), out=np.zeros_like(self._out)
        )
        layout, _ = _board_arrays(self._game)
        scratch = self._new_batches(records)
        edition(rave, "sample_batches")(walk, layout, scratch, batches)
        return records

    def children(self) -> Children:
        """Return the statistics of the root's moves, as copies."""
        children = new_children(self._game.max_branching)
        count = edition(nodes, "list_children")(self._tree, children)
        return Children(
            moves=children.moves[:count],
            nodes=children.nodes[:count],
            visits=children.visits[:count],
            totals=children.totals[:count],
            verdicts=children.verdicts[:count],
        )

    def next_move(self) -> Move | None:
        """Return the root's move with the highest bound, or ``None`` before it is expanded."""
        first, count = self._tree.links[[nodes.FIRST, nodes.LIVE], 0].tolist()
        if not count:
            return None
        stats = self._tree.stats[:, first : first + count]
        bounds = stats[nodes.VALUE] + self._tree_settings.exploration * stats[nodes.BONUS]
        return Move(self._tree.links[nodes.MOVE, first + int(bounds.argmax())])

    def priors(self) -> dict[Move, float]:
        """Return the probability of each move of the root by the network, together 1."""
        first, count = self._tree.links[[nodes.FIRST, nodes.SIZE], 0].tolist()
        moves = self._tree.links[nodes.MOVE, first : first + count].tolist()
        priors = self._tree.stats[puct.PRIOR, first : first + count]
        return dict(zip(map(Move, moves), (priors / priors.sum()).tolist(), strict=True))

    def mean(self) -> float:
        """Return the mean value of the root's visits for the side to move; 0.5 before any."""
        return float(self._tree.totals[0]) / self.visits if self.visits else 0.5

    def vary(self, children: Children, order: Array) -> None:
        """Move one of about equally good moves to the front of an order, by the tree's seed."""
        edition(network_choices, "vary")(self._walk, children, order, len(order))

    def line_after(self, node: int) -> tuple[Move, ...]:
        """Return the principal variation after a node."""
        if self._tree.links[nodes.SIZE, node] == 0:
            return ()
        out = np.zeros(_LINE, np.int64)
        count = edition(nodes, "principal_line")(self._tree, node, out)
        return tuple(map(Move, out[:count].tolist()))

    def move_root(self, position: Position, move: int) -> None:
        """Move the root to the position after a move, and keep the tree below it."""
        side = position.seat_to_move % len(self._game.colors)
        is_new = self._moves is not None and move not in self._moves
        known = 0 if is_new else self._verdict_after(move)
        self._moves = None
        children = self.children()
        places = np.flatnonzero((children.moves == move) & (children.visits > 0))
        is_explained = False
        if len(places):
            used = self.nodes
            self._settings[nodes.USED] = edition(nodes, "reroot")(
                self._tree, np.zeros(used, np.uint32), int(children.nodes[places[0]]), used
            )
            is_explained = self._explains_verdict(side)
        self._known = known
        if not is_explained:
            self._clear()
        self._set_root(position)

    def _verdict_after(self, move: int) -> int:
        """Return the verdict on the position after a move, as kernels encode it."""
        verdict = self.verdict or self._known
        if verdict not in {0, nodes.EVEN, 1 + self.side}:
            return verdict  # it holds for every move, even for those that are not in the tree
        children = self.children()
        places = np.flatnonzero(children.moves == move)
        return int(children.verdicts[places[0]]) if len(places) else 0

    def _explains_verdict(self, side: int) -> bool:
        """Return whether the root's children support its verdict, where ``side`` is to move.

        Knowledge can prove a node without visits below it, or without its winning move.
        """
        children = self.children()
        if self.verdict == 1 + side:
            return bool((children.verdicts == self.verdict).any())
        return bool(not self.verdict or children.visits.any() or children.verdicts.any())

    def _clear(self) -> None:
        """Remove all nodes but the root."""
        edition(tree_queries, "clear_tree")(self._tree)

    @property
    def state(self) -> Array:
        """The state of the position to which the tree walked last."""
        return self._walk.state

    def _of_queries(self, kernel: str) -> Callable[..., int]:
        """Return a kernel of queries."""
        return edition(tree_queries, kernel, play=plain_rules(self._game.family).play)

    def find_query(self, visits: int) -> int:
        """Walk to a node that was not queried yet; return its depth, or -1 if there is none.

        It has so many visits, or more after queries that had no answer.
        """
        find = self._of_queries("find_query")
        return find(self._walk, self._tree, self._way, self._queries, visits)

    def take_answer(self, depth: int, visits: int, answer: Knowledge | None) -> bool:
        """Apply the answer about the node that was found; return whether there may be others."""
        write_answer(answer, self._answer)
        groups = (self._walk, self._tree, self._way)
        take = self._of_queries("take_answer")
        return bool(take(*groups, depth, self._queries, visits, self._answer))

    def apply_to_root(self, answer: Knowledge) -> None:
        """Apply knowledge to the root: its winner, and the winning moves of the side to move."""
        write_answer(answer, self._answer)
        if edition(tree_queries, "lacks_moves")(self._tree, self._answer):
            # Earlier knowledge kept other sufficient moves and removed these.
            self._clear()
            self.add_visits(1)
        self._of_queries("apply_to_root")(self._walk, self._tree, self._way, self._answer)

    @property
    def query_interval(self) -> int:
        """Visits between two rounds of queries."""
        return edition(tree_queries, "query_interval")(self._tree)

    def positions_due(self) -> int:
        """Return how many positions the proof search of the root may look at now."""
        return edition(tree_queries, "positions_due")(self._walk, self._tree, self._queries)

    def apply_proof(self, answer: Knowledge) -> None:
        """Apply the result of the proof search to the root, if it is a proof that is due."""
        write_answer(answer, self._answer)
        if edition(tree_queries, "is_usable")(self._walk, self._tree, self._answer):
            self.apply_to_root(answer)

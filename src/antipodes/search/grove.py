"""One tree of a search in arrays, and how it grows: in slices, by kernels that let go of the lock.

A search has a tree for each of its threads; :mod:`antipodes.search.tree` keeps them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from antipodes.core import Move
from antipodes.games.kernels import Array, compiled_rules, header, placement
from antipodes.games.kernels.antipalos import MAIL
from antipodes.games.position import Game, Position
from antipodes.search.editions import edition, generator_state
from antipodes.search.kernels import batch, bridges, estimates, nodes, rave, uct
from antipodes.search.playouts import playout_kernel
from antipodes.search.thinking import Advice

Floats = npt.NDArray[np.float64]

_LONGEST = 2_000  # plies below the root that a tree has room for
_LINE = 40  # moves of an expected line


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How a tree grows.

    Attributes:
        batches: whether a visit is a batch of 64 random games that teach about all moves; only in
            the placement games. Otherwise it is one random game or one estimate.
        estimate: the kernel of :mod:`antipodes.search.kernels.estimates` that judges leaves, or
            ``None`` for random games.
        exploration: how much having been visited little counts.
        trust: visits that count as much as what batches teach.
        threshold: visits after which a leaf is expanded.
        bridges: whether the random games of batches keep bridges.
    """

    batches: bool = False
    estimate: str | None = None
    exploration: float = 0.5
    trust: float = 30.0
    threshold: int = 4
    bridges: bool = False

    @property
    def games(self) -> int:
        """Random games, or what counts as one, that a visit is worth."""
        return batch.LANES if self.batches else 1


def plan_for(position: Position, *, knowledge: bool) -> Plan:
    """Return how a position's game is searched best, with or without knowledge of the game."""
    game = position.game
    if game.family == "placement":
        # Batches tell so much that little exploration is needed.
        return Plan(batches=True, exploration=0.02, threshold=1, bridges=knowledge)
    if game.family == "antipalos" and game.tables[MAIL] == 0:
        # Random rods hardly ever connect, so random games tell nothing.
        return Plan(estimate="estimate_antipalos", threshold=1)
    return Plan()


@dataclass(frozen=True, slots=True)
class Children:
    """What a tree knows of the root's moves, a place for each; a copy.

    Attributes:
        moves: the moves.
        nodes: their nodes.
        visits: how often each was gone.
        totals: sums of what that was worth to the side to move.
        verdicts: what is proven of them, as kernels write it.
    """

    moves: Array
    nodes: Array
    visits: Array
    totals: Floats
    verdicts: Array


class Tree:
    """A tree that grows from one position.

    Attributes:
        records: sums over all batches, as :mod:`antipodes.search.kernels.rave` keeps them.
        silence: how often more than not the advisor had nothing to say; whoever asks it counts.
    """

    def __init__(self, position: Position, plan: Plan, seed: int, size: int) -> None:
        """Plant a tree.

        Args:
            position: where to search.
            plan: how.
            seed: of its random numbers.
            size: bound of its arrays in bytes.
        """
        game: Game = position.game
        self._game = game
        self._plan = plan
        self.silence = 0
        self._known = 0
        rows = rave.ROWS if plan.batches else nodes.STATS
        # The last four bytes are the scratch of moving the root.
        node = 4 * nodes.LINKS + 4 * rows + 8 + nodes.MARKS + 4
        room = max(size // node, game.max_branching + 1)
        self._links = np.zeros((nodes.LINKS, room), np.uint32)
        self._stats = np.zeros((rows, room), np.float32)
        self._totals = np.zeros(room, np.float64)
        self._marks = np.zeros((nodes.MARKS, room), np.int8)
        self._rng = np.array([generator_state(seed)], np.int64)
        self._out = np.zeros(game.max_branching, np.int64)
        self._rewards = np.zeros((2, len(game.colors)), np.float64)
        self._weights = np.array([plan.exploration, plan.trust], np.float64)
        self._settings = np.zeros(nodes.SETTINGS, np.int64)
        self._settings[nodes.SIDES] = len(game.colors)
        self._settings[nodes.THRESHOLD] = plan.threshold
        self._settings[nodes.USE_ESTIMATE] = plan.estimate is not None
        # To tell bridges from chains it takes the chains.
        self._settings[nodes.LIGHT] = game.family == "placement" and not plan.bridges
        self._settings[nodes.BRIDGES] = plan.bridges
        self._settings[nodes.USED] = 1
        grid = 5 * (game.topology.cell_count + 2 * max(game.topology.size) + 1)
        self._work = np.zeros(max(game.work_size, grid), np.int64)
        cells = game.topology.cell_count
        self._lanes = np.zeros((2, cells + 1), np.int64)
        self._counts = np.zeros((rave.COUNTS, cells + 1), np.float32)
        self.records = np.zeros((rave.RECORDS, cells + 1), np.float64)
        if plan.batches:
            self._layout = batch.flood_layout(game.topology, game.tables)
            self._bridges = bridges.bridge_table(game.tables)
            self._pairs = np.zeros(bridges.ROOM * cells, np.int64)
        self._stand_on(position)

    def _stand_on(self, position: Position) -> None:
        """Make what depends on the position at the root."""
        plies = min(self._game.max_plies, _LONGEST) + 1
        self._root = position.searchable_state(plies)
        self._state = self._root.copy()
        self._ways = np.zeros((3, plies + 1), np.int64)
        self.records[:] = 0
        light = header.HEADER + int(self._game.tables[placement.NODES])
        whole = len(position.state)
        self._settings[nodes.COPIED] = light if self._settings[nodes.LIGHT] else whole
        self._settings[nodes.PLIES] = plies
        winner = int(self._root[header.WINNER])
        if winner:
            self._marks[nodes.VERDICT, 0] = self._verdict(self._root, winner)

    def _verdict(self, state: Array, winner: int) -> int:
        """Return the verdict that a winner, as states have it, means."""
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
        """Visits made so far, those of the tree that this one was part of included."""
        return int(self._links[nodes.VISITS, 0])

    @property
    def verdict(self) -> int:
        """What is proven of the root, as kernels write it; 0 for nothing."""
        return int(self._marks[nodes.VERDICT, 0])

    @property
    def owes_win(self) -> bool:
        """Whether the root is known to be won for the side to move, but not by which move."""
        return self._known == 1 + self.side and not self.verdict

    @property
    def begun(self) -> bool:
        """Whether any move of the root was looked at."""
        return self.visits > 1

    @property
    def done(self) -> bool:
        """Whether the root is proven."""
        return self.verdict != 0

    @property
    def nodes(self) -> int:
        """Nodes in use."""
        return int(self._settings[nodes.USED])

    @property
    def _arrays(self) -> tuple[Any, ...]:
        return self._links, self._stats, self._totals, self._marks

    def add(self, visits: int) -> int:
        """Add visits until the root is proven; return how many were made."""
        rules = compiled_rules(self._game.family)
        walk = rules.play
        if self._settings[nodes.LIGHT]:
            walk = edition(placement, "place")
        states = (self._game.tables, self._root, self._state, self._work, self._rng, self._out)
        path, movers, colors = self._ways
        if self._plan.batches:
            near = self._layout
            return edition(rave, "simulate")(
                rules.moves,
                rules.play,
                walk,
                *states,
                *self._arrays,
                self._settings,
                path,
                movers,
                colors,
                near.slots,
                near.ahead,
                near.behind,
                near.sources,
                near.targets,
                self._lanes,
                self._bridges,
                self._pairs,
                self._counts,
                self.records,
                self._weights,
                visits,
            )
        return edition(uct, "simulate")(
            rules.moves,
            rules.play,
            walk,
            playout_kernel(self._game.family),
            edition(estimates, self._plan.estimate or "no_estimate"),
            *states,
            *self._arrays,
            self._settings,
            path,
            movers,
            *self._rewards,
            self._weights,
            visits,
        )

    def survey(self, batches: int) -> Floats:
        """Return records of fresh batches at the root of a placement game."""
        near = batch.flood_layout(self._game.topology, self._game.tables)
        records = np.zeros_like(self.records)
        edition(rave, "survey")(
            self._game.tables,
            self._root,
            np.array([generator_state(batches)], np.int64),
            np.zeros_like(self._out),
            near.slots,
            near.ahead,
            near.behind,
            near.sources,
            near.targets,
            np.zeros_like(self._lanes),
            np.zeros_like(self._counts),
            records,
            batches,
        )
        return records

    def children(self) -> Children:
        """Return what is known of the root's moves."""
        first = int(self._links[nodes.FIRST, 0])
        span = slice(first, first + int(self._links[nodes.SIZE, 0]) if first else first)
        return Children(
            self._links[nodes.MOVE, span].astype(np.int64),
            np.arange(span.start, span.stop),
            self._links[nodes.VISITS, span].astype(np.int64),
            self._totals[span].copy(),
            self._marks[nodes.VERDICT, span].astype(np.int64),
        )

    def line_after(self, node: int) -> tuple[Move, ...]:
        """Return the moves that are expected after a node."""
        if self._links[nodes.SIZE, node] == 0:
            return ()
        out = np.zeros(_LINE, np.int64)
        count = edition(nodes, "follow")(self._links, self._marks, node, out)
        return tuple(map(Move, out[:count].tolist()))

    def move_root(self, position: Position, move: int) -> None:
        """Go on from the position after a move, with what is known of it."""
        side = position.seat_to_move % len(self._game.colors)
        known = self._verdict_after(move)
        children = self.children()
        places = np.flatnonzero((children.moves == move) & (children.visits > 0))
        kept = False
        if len(places):
            used = self.nodes
            self._settings[nodes.USED] = edition(nodes, "keep_only")(
                *self._arrays, np.zeros(used, np.uint32), int(children.nodes[places[0]]), used
            )
            kept = self._bears_its_verdict(side)
        self._known = known
        if not kept:
            self._clear()
        self._stand_on(position)

    def _verdict_after(self, move: int) -> int:
        """Return what is proven of the position after a move, as kernels write it."""
        verdict = self.verdict or self._known
        if verdict not in {0, nodes.EVEN, 1 + self.side}:
            return verdict  # no move helps against it, and not all may be in the tree
        children = self.children()
        places = np.flatnonzero(children.moves == move)
        return int(children.verdicts[places[0]]) if len(places) else 0

    def _bears_its_verdict(self, side: int) -> bool:
        """Return whether the root's children tell how to play it, where ``side`` is to move.

        Advice proves a node without a word on the nodes below its children; so a node may be
        proven before anything was tried there, or before the winning move was found.
        """
        children = self.children()
        if self.verdict == 1 + side:
            return bool((children.verdicts == self.verdict).any())
        return bool(not self.verdict or children.visits.any() or children.verdicts.any())

    def _clear(self) -> None:
        """Forget all but the root's position."""
        for array in self._arrays:
            array[..., 0] = 0
        self._settings[nodes.USED] = 1

    def find_unadvised(self, threshold: int) -> tuple[int, Array] | None:
        """Walk to a node with so many visits that no advisor has seen; return depth and state."""
        path, movers, cursors = self._ways
        find = edition(nodes, "find_unadvised")
        depth = int(find(self._links, self._marks, path, cursors, threshold))
        if depth < 0:
            return None
        sides = len(self._game.colors)
        state = self._root.copy()
        movers[0] = self.side
        play = compiled_rules(self._game.family).play
        for i in range(1, depth + 1):
            play(self._game.tables, state, self._work, int(self._links[nodes.MOVE, path[i]]))
            movers[i] = state[header.SEAT] % sides
        return depth, state

    def advise_root(self, advice: Advice) -> None:
        """Note who has won at the root, and by which moves if that is the side to move."""
        if advice.moves and not set(advice.moves) & set(self.children().moves.tolist()):
            # Earlier advice thought other moves enough, and left these out.
            self._clear()
            self.add(1)
        path, movers, _ = self._ways
        path[0], movers[0] = 0, self.side
        self.take_advice(0, self._root, advice)

    def take_advice(self, depth: int, state: Array, advice: Advice) -> None:
        """Note advice about the node that was found last."""
        path, movers, _ = self._ways
        worthy = np.ones(self._game.move_count, np.uint8)
        winner = advice.winner
        if advice.moves == ():
            winner = 1 - int(state[header.COLOR])
        elif advice.moves is not None:
            worthy[:] = 0
            worthy[list(advice.moves)] = 1
        verdict = 0 if winner is None else self._verdict(state, 1 + winner)
        sides = len(self._game.colors)
        edition(nodes, "advise")(*self._arrays, path, movers, depth, sides, worthy, verdict)

"""Iterative deepening of an alpha-beta search of Antipode in one thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from antipodes.core import Move
from antipodes.games.kernels import Array, edition, header
from antipodes.games.kernels import antipode as rules
from antipodes.games.position import Position
from antipodes.search.interface import Proven
from antipodes.search.kernels import antipode_deepening as deepening
from antipodes.search.kernels import antipode_search as kernels
from antipodes.search.kernels import antipode_table
from antipodes.search.kernels.choosing import generator_state

WEIGHTS_FILE = Path(__file__).with_name("weights.txt")
_RATED_WEIGHTS_FILE = WEIGHTS_FILE.with_name("rated_weights.txt")
MOVES = rules.CELLS * rules.CELLS


class IterativeDeepening:
    """The search of one thread, which shares the transposition table with the other threads.

    Attributes:
        roots: statistics of the root's turns, in rows as the kernels name them.
    """

    def __init__(
        self,
        table: Array,
        seed: int,
        order_offset: float,
        *,
        latest: bool = True,
        varied: bool = False,
    ) -> None:
        """Allocate the stack and the lists.

        Args:
            table: transposition table; its length is a power of two times the size of an entry.
            seed: orders turns with equal values.
            order_offset: rotation of the root's turns, from 0 to 1. So threads begin at different
                turns, and find the results of the others in the table.
            latest: whether turns are ordered by estimates with the latest weights, and killers
                tried at the horizon. Without it the levels play as their ratings say.
            varied: whether the seed changes the weights of the estimate a little.
        """
        self._seed = seed
        self._order_offset = order_offset
        weights = read_weights(latest=latest)
        settings = np.zeros(kernels.SETTINGS, np.int64)
        settings[kernels.MASK] = len(table) // antipode_table.ENTRY - 1
        settings[kernels.ORDERING] = latest
        self.roots = np.zeros((kernels.KNOWN, MOVES), np.int64)
        self._search = kernels.AlphaBeta(
            weights=varied_weights(weights, seed) if varied else weights,
            settings=settings,
            stack=np.zeros(kernels.PLIES * kernels.FRAME, np.int64),
            lists=np.zeros(kernels.PLIES * kernels.MOST, np.int64),
            table=table,
            roots=self.roots,
            history=np.zeros(MOVES, np.int64),
            scratch=np.zeros(kernels.SCRATCH, np.int64),
        )
        self._progress = np.zeros(deepening.PROGRESS, np.int64)

    @property
    def arrays(self) -> tuple[kernels.AlphaBeta, Array]:
        """The search and its progress, as kernels take them."""
        return self._search, self._progress

    def set_position(self, position: Position, moves: Sequence[Move] | None = None) -> None:
        """Set the position, and the only turns that are searched there; the table is kept."""
        self._position = position
        rng = np.array([generator_state(self._seed)], np.int64)
        search_kernel("set_position")(position.kernel_state, self._search, self._progress, rng)
        if moves is not None:
            self.roots[kernels.BARRED] = 1
            self.roots[kernels.BARRED, list(moves)] = 0

    @property
    def depth(self) -> int:
        """Current depth in turns, without reductions."""
        return int(self._progress[deepening.ROUND])

    @property
    def finished(self) -> int:
        """The last depth that was completed."""
        return int(self._progress[deepening.FINISHED])

    @property
    def best(self) -> int | None:
        """The best turn, if any is known."""
        turn = int(self._progress[deepening.FOUND])
        return turn if turn >= 0 else None

    @property
    def value(self) -> int:
        """The value of the position as kernels encode it."""
        return int(self._progress[deepening.RESULT])

    @property
    def exact(self) -> bool:
        """Whether the rest of the game was searched completely and is a draw."""
        return bool(self._progress[deepening.EXACT_DRAW])

    @property
    def visits(self) -> int:
        """Positions searched so far."""
        return int(self._search.settings[kernels.VISITS])

    @property
    def _running(self) -> bool:
        return bool(self._progress[deepening.RUNNING])

    @property
    def begun(self) -> bool:
        """Whether each turn has been searched to depth 1."""
        return self.depth > 1 or not self._running

    @property
    def proven(self) -> Proven | None:
        """The proven result for the seat to move, or ``None``."""
        found = proven_by(self.value) or (Proven.DRAW if self.exact else None)
        # Turns that are not searched yet may be better.
        return None if found is Proven.LOSS and self._running else found

    @property
    def done(self) -> bool:
        """Whether the search is complete."""
        return bool(search_kernel("is_done")(self._progress))

    def add_visits(self, visits: int, _most: int = 0) -> None:
        """Search until there are so many more visits, or the current depth is complete."""
        tables = self._position.game.tables
        has_ended = search_kernel("deepen")(tables, self._search, self._progress, visits)
        if has_ended and self._order_offset > 0:
            self._rotate_order()

    def _rotate_order(self) -> None:
        """Begin the next depth at other turns than the other threads do."""
        order = self.roots[kernels.ORDER]
        reached = self.roots[kernels.REACHED] > 0
        ranks = np.argsort(-order, kind="stable")
        # Turns stay among those with the same depth reduction.
        ends = (1, kernels.FULL_DEPTH, kernels.REDUCED, int(reached.sum()))
        for first, last in pairwise(ends):
            ranks[first:last] = np.roll(
                ranks[first:last], -int(self._order_offset * (last - first))
            )
        order[ranks] = np.arange(len(ranks), 0, -1)

    def rank(self, efforts: Array) -> list[int]:
        """Return the turns that were searched, the best first.

        Args:
            efforts: visits of each turn, by all threads.
        """
        ranked = np.zeros(MOVES, np.int64)
        rank_turns = search_kernel("rank_turns")
        count = rank_turns(self.roots, self._progress, efforts, ranked)
        turns: list[int] = ranked[:count].tolist()
        return turns

    def value_of(self, turn: int) -> int:
        """Return the value of a turn as far as it is known."""
        return search_kernel("value_of_turn")(self.roots, self._progress, turn)


def proven_by(value: int) -> Proven | None:
    """Return the result that a value proves for the mover."""
    if abs(value) <= kernels.SURE:
        return None
    return Proven.WIN if value > 0 else Proven.LOSS


@cache
def read_weights(*, latest: bool = True) -> Array:
    """Return the weights of the estimate, or those with which the levels were rated."""
    file = WEIGHTS_FILE if latest else _RATED_WEIGHTS_FILE
    return np.array(file.read_text(encoding="ascii").split(), np.int64)


def varied_weights(weights: Array, seed: int) -> Array:
    """Return weights with a small random change of those for early stages."""
    weights = weights.copy()
    search_kernel("vary_weights")(weights, np.array([generator_state(seed)], np.int64))
    return weights


def mover_view(position: Position) -> tuple[int, int, int, int]:
    """Return the mover's tokens, the others, the mover's pawn and the other pawn."""
    state = position.kernel_state
    mover = int(state[header.COLOR])
    own, other = (int(state[rules.TOKENS + (mover ^ i)]) for i in range(2))
    pawn, rival = (int(state[rules.PAWNS + (mover ^ i)]) for i in range(2))
    return own, other, pawn, rival


def search_kernel(name: str) -> Callable[..., int]:
    """Return a kernel of the deepening."""
    return edition(deepening, name)

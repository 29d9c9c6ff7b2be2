"""Iterative deepening of an alpha-beta search of Antipode in one thread."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np

from antipodes.games.kernels import Array, edition, header
from antipodes.games.kernels import antipode as rules
from antipodes.games.position import Position
from antipodes.search.interface import Proven
from antipodes.search.kernels import antipode_estimate, antipode_table
from antipodes.search.kernels import antipode_search as kernels

WEIGHTS_FILE = Path(__file__).with_name("weights.txt")
_RATED_WEIGHTS_FILE = WEIGHTS_FILE.with_name("rated_weights.txt")
MOVES = rules.CELLS * rules.CELLS
_VARIATION = 0.03  # standard deviation of a varied weight, as a share of it
_SEED_BITS = (1 << 63) - 1  # NumPy takes no negative seeds


class IterativeDeepening:
    """The search of one thread, which shares the transposition table with the other threads.

    Attributes:
        roots: statistics of the root's turns, in rows as the kernels name them.
        depth: current depth in turns, without reductions.
        finished: the last depth that was completed.
        best: the best turn, if any is known.
        value: of the position as kernels encode it.
        exact: whether the rest of the game was searched completely and is a draw.
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

    def set_position(self, position: Position) -> None:
        """Set the position; the table is kept."""
        self._position = position
        self._search.settings[[kernels.PLY, kernels.VISITS]] = 0
        self._search.history[:] //= 8
        self.roots[:] = 0
        chance = random.Random(self._seed)
        self.roots[kernels.ORDER] = chance.sample(range(MOVES), MOVES)
        self.depth = self.finished = 0
        self._running = False
        self.best: int | None = None
        self.value = 0
        self.exact = False
        self._root_frame()

    def _root_frame(self) -> None:
        """Write the position into the first frame of the stack."""
        stack = self._search.stack
        stack[:] = 0
        stack.reshape(-1, kernels.FRAME)[:, kernels.KILLER : kernels.KILLER + 2] = -1
        stack[kernels.OWN : kernels.RIVAL + 1] = mover_view(self._position)

    @property
    def visits(self) -> int:
        """Positions searched so far."""
        return int(self._search.settings[kernels.VISITS])

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
        return not self._running and (self.proven is not None or self.depth >= self._empty())

    def add_visits(self, visits: int) -> None:
        """Search until there are so many more visits, or the current depth is complete."""
        if not self.done:
            self._deepen()
            self._continue(self.visits + visits)

    def _deepen(self) -> None:
        """Begin the next depth unless one is in progress."""
        if self._running:
            return
        self.depth += 1
        frame = self._search.stack
        frame[kernels.PART] = kernels.OPEN
        frame[kernels.DEPTH] = self.depth
        frame[kernels.ALPHA] = -kernels.INFINITE
        frame[kernels.BETA] = kernels.INFINITE
        self.roots[kernels.REACHED] = np.minimum(self.roots[kernels.REACHED], 1)
        self._running = True

    def _empty(self) -> int:
        """Count the empty cells, which is how many turns are left at most."""
        state = self._position.kernel_state
        return rules.CELLS - int(state[rules.TOKENS] | state[rules.TOKENS + 1]).bit_count()

    def _continue(self, goal: int) -> None:
        """Search until there are ``goal`` visits or the depth is complete; keep the results."""
        ended = search_kernel("run")(self._position.game.tables, self._search, goal)
        stack = self._search.stack
        turn = int(stack[kernels.BEST_TURN])
        if turn >= 0 and stack[kernels.PART] != kernels.OPEN:
            self.best = turn
            self.value = int(stack[kernels.BEST])
        if ended:
            self._running = False
            self.finished = self.depth
            self.value = int(stack[kernels.BEST])
            self.exact = self.depth >= self._empty() and proven_by(self.value) is None
            self._set_order()

    def _set_order(self) -> None:
        """Order the turns for the next depth: the best first, then by value."""
        order = self.roots[kernels.ORDER]
        reached = self.roots[kernels.REACHED] > 0
        order[:] = np.where(reached, self.roots[kernels.VALUE] + kernels.UNSETTLED, 0)
        if self.best is not None:
            order[self.best] = 3 * kernels.UNSETTLED
        if self._order_offset > 0:
            ranks = np.argsort(-order, kind="stable")
            # Turns stay among those with the same depth reduction.
            ends = (1, kernels.FULL_DEPTH, kernels.REDUCED, int(reached.sum()))
            for first, last in pairwise(ends):
                ranks[first:last] = np.roll(
                    ranks[first:last], -int(self._order_offset * (last - first))
                )
            order[ranks] = np.arange(len(ranks), 0, -1)


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
    """Return weights with a small random change of those for early stages.

    In 300 games of 2,100 visits a move this cost 12 Elo (95 % from -21 to 45), changes of 5 % in
    all stages 36 (4 to 68).
    """
    weights = weights.copy()
    early = weights[antipode_estimate.LATE_STAGE * antipode_estimate.STAGE :]
    chance = np.random.default_rng(seed & _SEED_BITS)
    early[:] = np.rint(early * (1 + _VARIATION * chance.standard_normal(len(early))))
    return weights


def mover_view(position: Position) -> tuple[int, int, int, int]:
    """Return the mover's tokens, the others, the mover's pawn and the other pawn."""
    state = position.kernel_state
    mover = int(state[header.COLOR])
    own, other = (int(state[rules.TOKENS + (mover ^ i)]) for i in range(2))
    pawn, rival = (int(state[rules.PAWNS + (mover ^ i)]) for i in range(2))
    return own, other, pawn, rival


def search_kernel(name: str) -> Callable[..., int]:
    """Return a kernel of the search."""
    return edition(kernels, name)

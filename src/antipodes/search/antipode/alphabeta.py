"""Alpha-beta search of Antipode with progress, lines and threads.

All threads search the same position with different move orders and share one transposition table
without waiting for each other ("lazy SMP").
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

import numpy as np

from antipodes.core import Move
from antipodes.games.kernels import antipode as rules
from antipodes.games.kernels import edition
from antipodes.games.position import Position
from antipodes.search.antipode.deepening import (
    IterativeDeepening,
    mover_view,
    proven_by,
)
from antipodes.search.families import plain_playout
from antipodes.search.interface import Candidate, Limits, ProgressCallback, Proven, SearchProgress
from antipodes.search.kernels import antipode_analysis, antipode_table
from antipodes.search.kernels import antipode_search as kernels
from antipodes.search.kernels.antipode_analysis import chance_of
from antipodes.search.kernels.choosing import generator_state
from antipodes.search.kernels.nodes import Walk
from antipodes.search.runs import SearchRun

_LINES = 10  # candidates with a principal variation


class AlphaBetaSearch:
    """An alpha-beta search of one position of Antipode with iterative deepening.

    A visit is a position searched by any thread.
    """

    def __init__(
        self,
        position: Position,
        *,
        seed: int = 1,
        memory: int = 256,
        threads: int = 1,
        latest: bool = True,
        varied: bool = False,
        moves: Sequence[Move] | None = None,
    ) -> None:
        """Prepare a search.

        Args:
            position: the root; the game must not be over.
            seed: orders turns with equal values; any whole number. With one thread it makes the
                search reproducible.
            memory: bound of the transposition table in MiB.
            threads: of the search.
            latest: whether turns are ordered by estimates with the latest weights, and killers
                tried at the horizon. So the search is much faster; without it the levels play as
                their ratings say.
            varied: whether the seed also changes the weights of the estimate a little.
            moves: the only turns that are searched in the position; all by default.

        Raises:
            ValueError: the game is over, or the number of threads is not positive.
        """
        if position.outcome is not None:
            raise ValueError(f"the game is over: {position.outcome}")
        if threads < 1:
            raise ValueError(f"threads must be positive, not {threads}")
        entries = max(memory << 20, 1 << 16) // (8 * antipode_table.ENTRY)
        # The hash is masked, so the number of entries is a power of two.
        self._places = 1 << (entries.bit_length() - 1)
        self._seed = seed
        self._stopped = threading.Event()
        self._table = np.zeros(self._places * antipode_table.ENTRY, np.int64)
        self._threads = [
            IterativeDeepening(self._table, seed, n / threads, latest=latest, varied=varied)
            for n in range(threads)
        ]
        self._settle(position, moves)

    def _settle(self, position: Position, moves: Sequence[Move] | None = None) -> None:
        """Set the position of all threads, and its turns; the table is kept."""
        self._position = position
        self._moves = moves
        for thread in self._threads:
            thread.set_position(position, moves)

    @property
    def _leader(self) -> IterativeDeepening:
        """The thread with the best results."""
        return max(
            self._threads, key=lambda one: (one.done, one.value > kernels.SURE, one.finished)
        )

    @property
    def position(self) -> Position:
        """The position at the root."""
        return self._position

    @property
    def visits(self) -> int:
        """Positions searched so far."""
        return sum(thread.visits for thread in self._threads)

    @property
    def depth(self) -> int:
        """Depth of the search in turns, without reductions."""
        return self._leader.depth

    @property
    def proven(self) -> Proven | None:
        """The proven result for the seat to move, or ``None``."""
        return self._leader.proven

    def value(self) -> float:
        """Return the value of the position for the seat to move, from 0 (lost) to 1 (won)."""
        return chance_of(self._leader.value)

    def criticality(self) -> tuple[float, ...] | None:
        """Return the criticality of each cell, estimated by random games.

        Cells with tokens are included, since tokens may flip.
        """
        game, root = self._position.game, self._position.kernel_state
        rng = np.array([generator_state(self._seed)], np.int64)
        walk = Walk(
            tables=game.tables, root=root, state=root.copy(), work=game.work(), rng=rng, out=rng
        )
        counts, weights = np.zeros(2 * rules.CELLS, np.int64), np.zeros(rules.CELLS)
        weigh = edition(antipode_analysis, "weigh_cells", playout=plain_playout(game.family))
        weigh(walk, rng, counts, weights)
        return tuple(weights.tolist())

    def stop(self) -> None:
        """End a run in another thread."""
        self._stopped.set()

    def play(self, move: Move) -> None:
        """Move the root to the position after ``move``; the table is kept.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
            ValueError: the move ends the game; nothing has changed.
        """
        following = self._position.play(move)
        if following.outcome is not None:
            raise ValueError(f"the game is over: {following.outcome}")
        self._settle(following)

    def run(self, limits: Limits, on_progress: ProgressCallback | None = None) -> None:
        """Continue the search until a limit is met, it is complete, or it is stopped.

        Each legal turn is searched to depth 1, whatever the limit of seconds.
        """
        self._stopped.clear()

        def report(share: float, seconds: float) -> None:
            best = self._leader.best
            if on_progress is not None and best is not None:
                on_progress(SearchProgress(self.visits, share, Move(best), self.value(), seconds))

        SearchRun(self._threads, limits, self._stopped, report).execute()

    def candidates(self) -> list[Candidate]:
        """Return the searched turns, the best first."""
        leader = self._leader
        efforts = np.sum([thread.roots[kernels.EFFORT] for thread in self._threads], axis=0)
        # Every turn may lose at once, or none has been searched yet.
        turns = leader.rank(efforts) or list(self._moves or self._position.legal_moves)[:1]
        return [
            self._candidate(leader, turn, leader.value_of(turn), int(efforts[turn]), rank < _LINES)
            for rank, turn in enumerate(turns)
        ]

    def _candidate(
        self, leader: IterativeDeepening, turn: int, value: int, visits: int, with_line: bool
    ) -> Candidate:
        best = turn == leader.best
        proven = proven_by(value) or (Proven.DRAW if best and leader.exact else None)
        chance = chance_of(value)
        error = 0.0
        if proven is None:
            error = antipode_analysis.error_of(chance, int(leader.roots[kernels.GUESS, turn]))
        line = self._line(turn) if with_line else (Move(turn),)
        return Candidate(Move(turn), visits, chance, error, proven, line)

    def _line(self, turn: int) -> tuple[Move, ...]:
        """Return a turn and the best answers from the transposition table."""
        line = [Move(turn)]
        position = self._position.play(turn)
        while position.outcome is None and len(line) < antipode_analysis.LINE:
            answer = self._table_move(position)
            if answer is None or answer not in position.legal_moves:
                break
            line.append(Move(answer))
            position = position.play(answer)
        return tuple(line)

    def _table_move(self, position: Position) -> int | None:
        own, other, pawn, rival = mover_view(position)
        key = (own, other, 64 * pawn + rival)
        place = edition(antipode_table, "table_slot")(*key, self._places - 1)
        turn = (edition(antipode_table, "probe_table")(self._table, place, *key) & 4095) - 1
        return turn if turn >= 0 else None

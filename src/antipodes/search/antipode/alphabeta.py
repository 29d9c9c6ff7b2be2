"""Alpha-beta search of Antipode, in Python's hands: watched, stopped, explained.

Several threads search the same position and share what they find in one table of positions ("lazy
SMP": each begins at other turns, and nobody waits for anybody).
"""

from __future__ import annotations

import math
import random
import threading

import numpy as np

from antipodes.core import Move
from antipodes.games.kernels import antipode as rules
from antipodes.games.position import Position
from antipodes.search.antipode.deepening import (
    Deepening,
    proven_by,
    search_kernel,
    seen_by_the_mover,
)
from antipodes.search.kernels import antipode_estimate
from antipodes.search.kernels import antipode_search as kernels
from antipodes.search.playouts import playout_kernel
from antipodes.search.runs import Run
from antipodes.search.thinking import Candidate, Limits, Progress, Proven, Watcher

_LINE = 12  # turns of a line that is shown
_LINES = 10  # candidates that get one
_RANDOM_GAMES = 1_000  # that tell which cells matter
_LEAST_ERROR = 0.02  # of a value that is not proven


class AlphaBetaSearch:
    """An alpha-beta search of one position of Antipode, one ply deeper each time.

    A visit is a position that was looked at, by any thread.
    """

    def __init__(
        self, position: Position, *, seed: int = 1, memory: int = 256, threads: int = 1
    ) -> None:
        """Prepare a search.

        Args:
            position: where to search; it must not be over.
            seed: decides between turns that look alike; any whole number. With one thread it makes
                the search reproducible.
            memory: bound of the table of positions in MiB.
            threads: how many think at once.

        Raises:
            ValueError: the game is over, or there is no thread.
        """
        if position.outcome is not None:
            raise ValueError(f"the game is over: {position.outcome}")
        if threads < 1:
            raise ValueError(f"threads must be positive, not {threads}")
        entries = max(memory << 20, 1 << 16) // (8 * kernels.ENTRY)
        # The mask that finds a place wants a power of two.
        self._places = 1 << (entries.bit_length() - 1)
        self._seed = seed
        self._stopped = threading.Event()
        self._table = np.zeros(self._places * kernels.ENTRY, np.int64)
        self._threads = [Deepening(self._table, seed, n / threads) for n in range(threads)]
        self._settle(position)

    def _settle(self, position: Position) -> None:
        """Begin with a position; what the table knows stays."""
        self._position = position
        for thread in self._threads:
            thread.settle(position)

    @property
    def _leader(self) -> Deepening:
        """The thread that knows most."""
        return max(
            self._threads, key=lambda one: (one.done, one.value > kernels.SURE, one.finished)
        )

    @property
    def position(self) -> Position:
        """The position that is searched."""
        return self._position

    @property
    def visits(self) -> int:
        """Positions that were looked at."""
        return sum(thread.visits for thread in self._threads)

    @property
    def depth(self) -> int:
        """Turns that are looked ahead on the main lines."""
        return self._leader.depth

    @property
    def proven(self) -> Proven | None:
        """What is certain for the seat to move, or ``None``."""
        return self._leader.proven

    def value(self) -> float:
        """Return what the position is worth to the seat to move, from 0 (lost) to 1 (won)."""
        return _chance(self._leader.value)

    def criticality(self) -> tuple[float, ...] | None:
        """Return for each cell how much the game hangs on it, by random games from here.

        Tokens on the board count too, for they may flip.
        """
        game, root = self._position.game, self._position.kernel_state
        playout, state, work = playout_kernel(game.family), root.copy(), game.work()
        rng = np.array([random.Random(self._seed).getrandbits(62) | 1], np.int64)
        ends = np.zeros((_RANDOM_GAMES, 2), np.int64)
        for row in ends:
            state[:] = root
            winner = playout(game.tables, state, work, rng)
            row[:] = state[rules.TOKENS], {1: 1, 2: -1}.get(int(winner), 0)
        blue = ends[:, :1] >> np.arange(rules.CELLS) & 1
        held, won = 2.0 * blue - 1, ends[:, 1:].astype(np.float64)
        covariance = (held * won).mean(axis=0) - held.mean(axis=0) * won.mean()
        return tuple(map(float, covariance))

    def stop(self) -> None:
        """End the run that is going on in another thread."""
        self._stopped.set()

    def play(self, move: Move) -> None:
        """Go on from the position after ``move``; the table keeps what it knows.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
            ValueError: the move ends the game; nothing has changed.
        """
        following = self._position.play(move)
        if following.outcome is not None:
            raise ValueError(f"the game is over: {following.outcome}")
        self._settle(following)

    def run(self, limits: Limits, watch: Watcher | None = None) -> None:
        """Go on searching until a limit is met, all is known, or the search is stopped.

        Each turn that is legal here is looked at once, whatever the limit of seconds.
        """
        self._stopped.clear()

        def report(share: float, seconds: float) -> None:
            best = self._leader.best
            if watch is not None and best is not None:
                watch(Progress(self.visits, share, Move(best), self.value(), seconds))

        Run(self._threads, limits, self._stopped, report).make()

    def candidates(self) -> list[Candidate]:
        """Return the turns that were looked at, the best first."""
        leader = self._leader
        efforts = np.sum([thread.roots[kernels.EFFORT] for thread in self._threads], axis=0)
        turns = np.flatnonzero(leader.roots[kernels.REACHED]).tolist()
        if leader.best is None:
            # Every turn loses at once, or nothing was looked at yet.
            turns = turns or self._position.legal_moves.array().tolist()[:1]
        values = {turn: _worth(leader, turn) for turn in turns}
        turns.sort(key=lambda t: (t == leader.best, values[t], efforts[t]))
        turns.reverse()
        return [
            self._candidate(leader, turn, values[turn], int(efforts[turn]), rank < _LINES)
            for rank, turn in enumerate(turns)
        ]

    def _candidate(
        self, leader: Deepening, turn: int, value: int, visits: int, with_line: bool
    ) -> Candidate:
        best = turn == leader.best
        proven = proven_by(value) or (Proven.DRAW if best and leader.exact else None)
        chance = _chance(value)
        error = 0.0
        if proven is None:
            # Nobody tells an estimate's error; that the first look and the last differ says most.
            first = _chance(int(leader.roots[kernels.GUESS, turn]))
            error = max(_LEAST_ERROR, abs(chance - first) / 2)
        line = self._line(turn) if with_line else (Move(turn),)
        return Candidate(Move(turn), visits, chance, error, proven, line)

    def _line(self, turn: int) -> tuple[Move, ...]:
        """Return a turn and the best answers that the table remembers."""
        line = [Move(turn)]
        position = self._position.play(turn)
        while position.outcome is None and len(line) < _LINE:
            answer = self._remembered(position)
            if answer is None or answer not in position.legal_moves:
                break
            line.append(Move(answer))
            position = position.play(answer)
        return tuple(line)

    def _remembered(self, position: Position) -> int | None:
        """Return the best turn of a position in the table."""
        own, other, pawn, rival = seen_by_the_mover(position)
        key = (own, other, 64 * pawn + rival)
        place = search_kernel("place_of")(*key, self._places - 1)
        turn = (search_kernel("recall")(self._table, place, *key) & 4095) - 1
        return turn if turn >= 0 else None


def _worth(leader: Deepening, turn: int) -> int:
    """Return what a turn is worth as far as it is known.

    Of turns that are no better than the best the search knows only that; then what a first
    look said, by how much they are worse, decides.
    """
    roots, best = leader.roots, leader.best
    value = int(roots[kernels.VALUE, turn])
    if best is None or turn == best or proven_by(value) is not None:
        return value
    guess = int(roots[kernels.GUESS, turn] - roots[kernels.GUESS, best])
    return min(value, leader.value, max(leader.value + guess, -antipode_estimate.LIMIT))


def _chance(value: int) -> float:
    """Return a value as a chance to win, from 0 to 1."""
    if proven_by(value) is not None:
        return 1.0 if value > 0 else 0.0
    return 1.0 / (1.0 + math.exp(-value / antipode_estimate.UNIT))

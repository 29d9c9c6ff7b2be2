"""Alpha-beta search of Antipode, in Python's hands: deepened, watched, stopped, explained."""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from antipodes.core import Move
from antipodes.games.kernels import Array, header
from antipodes.games.kernels import antipode as rules
from antipodes.games.position import BoardPosition
from antipodes.search.editions import edition
from antipodes.search.kernels import antipode_estimate
from antipodes.search.kernels import antipode_search as kernels
from antipodes.search.playouts import playout_kernel
from antipodes.search.thinking import Candidate, Limits, Progress, Proven, Watcher

WEIGHTS_FILE = Path(__file__).with_name("weights.txt")

_SLICE = 0.03  # seconds between two looks at the clock and the caller
_LINE = 12  # turns of a line that is shown
_LINES = 10  # candidates that get one
_RANDOM_GAMES = 1_000  # that tell which cells matter
_LEAST_ERROR = 0.02  # of a value that is not proven
_MOVES = rules.CELLS * rules.CELLS


class AlphaBetaSearch:
    """An alpha-beta search of one position of Antipode, one ply deeper each time.

    It uses one thread. A visit is a position that was looked at.
    """

    def __init__(self, position: BoardPosition[Any], *, seed: int = 1, memory: int = 256) -> None:
        """Prepare a search.

        Args:
            position: where to search; it must not be over.
            seed: decides between turns that look alike; any whole number.
            memory: bound of the table of positions in MiB.

        Raises:
            ValueError: the game is over.
        """
        if position.outcome is not None:
            raise ValueError(f"the game is over: {position.outcome}")
        entries = max(memory << 20, 1 << 16) // (8 * kernels.ENTRY)
        # The mask that finds a place wants a power of two.
        places = 1 << (entries.bit_length() - 1)
        self._seed = seed
        self._stopped = threading.Event()
        self._table = np.zeros(places * kernels.ENTRY, np.int64)
        self._history = np.zeros(_MOVES, np.int64)
        self._stack = np.zeros(kernels.PLIES * kernels.FRAME, np.int64)
        self._lists = np.zeros(kernels.PLIES * kernels.MOST, np.int64)
        self._settings = np.zeros(kernels.SETTINGS, np.int64)
        self._settings[kernels.MASK] = places - 1
        self._scratch = np.zeros(antipode_estimate.SCRATCH, np.int64)
        self._roots = np.zeros((kernels.KNOWN, _MOVES), np.int64)
        self._settle(position)

    def _settle(self, position: BoardPosition[Any]) -> None:
        """Begin with a position; what the table knows stays."""
        self._position = position
        self._settings[[kernels.PLY, kernels.VISITS]] = 0
        self._history //= 8
        self._roots[:] = 0
        chance = random.Random(self._seed)
        self._roots[kernels.ORDER] = chance.sample(range(_MOVES), _MOVES)
        self._depth = 0
        self._running = False
        self._best: int | None = None
        self._value = 0
        self._exact = False
        self._root_frame()

    def _root_frame(self) -> None:
        """Write the position into the first frame of the stack."""
        tables, stack = self._position.game.tables, self._stack
        stack[:] = 0
        stack.reshape(-1, kernels.FRAME)[:, kernels.KILLER : kernels.KILLER + 2] = -1
        stack[kernels.OWN : kernels.RIVAL + 1] = seen_by_the_mover(self._position)
        for i, missing in enumerate((kernels.OWN_MISSING, kernels.OTHER_MISSING)):
            for pair in range(3):
                needed = rules.missing(tables, stack[kernels.OWN + i], pair)  # type: ignore[no-untyped-call]
                stack[missing + pair] = needed
                stack[missing + 3] |= needed

    @property
    def position(self) -> BoardPosition[Any]:
        """The position that is searched."""
        return self._position

    @property
    def visits(self) -> int:
        """Positions that were looked at."""
        return int(self._settings[kernels.VISITS])

    @property
    def depth(self) -> int:
        """Turns that are looked ahead on the main lines."""
        return self._depth

    @property
    def proven(self) -> Proven | None:
        """What is certain for the seat to move, or ``None``."""
        return _proven(self._value) or (Proven.DRAW if self._exact else None)

    def value(self) -> float:
        """Return what the position is worth to the seat to move, from 0 (lost) to 1 (won)."""
        return _chance(self._value)

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
        began = time.perf_counter()
        self._stopped.clear()
        size = 500
        share = 0.0
        while share < 1.0 and not self._stopped.is_set() and self._deepen():
            before = time.perf_counter()
            goal = self.visits + size
            if limits.visits is not None:
                goal = max(min(goal, limits.visits), self.visits + 1)
            self._go_on(goal)
            now = time.perf_counter()
            if now - before < _SLICE / 2:
                size *= 2
            elif now - before > _SLICE * 2:
                size = max(size // 2, 1)
            share = self._share(limits, now - began)
            if watch is not None and self._best is not None:
                best = Move(self._best)
                watch(Progress(self.visits, min(share, 1.0), best, self.value(), now - began))

    def _share(self, limits: Limits, seconds: float) -> float:
        """Return how much of a run is done; 1 or more when it is over."""
        by_visits = self.visits / max(limits.visits, 2) if limits.visits is not None else 0.0
        if limits.seconds is None:
            return by_visits
        begun = self._depth > 1 or not self._running
        by_time = seconds / limits.seconds if limits.seconds > 0 and begun else float(begun)
        return max(by_visits, by_time)

    def _deepen(self) -> bool:
        """Begin the next depth unless one is going on; tell whether anything is left to search."""
        if self._running:
            return True
        if self.proven is not None or self._depth >= self._empty():
            return False
        self._depth += 1
        frame = self._stack
        frame[kernels.PART] = kernels.OPEN
        frame[kernels.DEPTH] = self._depth
        frame[kernels.ALPHA] = -kernels.INFINITE
        frame[kernels.BETA] = kernels.INFINITE
        self._roots[kernels.REACHED] = np.minimum(self._roots[kernels.REACHED], 1)
        self._running = True
        return True

    def _empty(self) -> int:
        """Count the empty cells, which is how many turns are left at most."""
        state = self._position.kernel_state
        return rules.CELLS - int(state[rules.TOKENS] | state[rules.TOKENS + 1]).bit_count()

    def _go_on(self, goal: int) -> None:
        """Search until there were ``goal`` visits or the depth is done; keep what was found."""
        ended = _kernel("run")(
            self._position.game.tables,
            read_weights(),
            self._settings,
            self._stack,
            self._lists,
            self._table,
            self._roots,
            self._history,
            self._scratch,
            goal,
        )
        turn = int(self._stack[kernels.BEST_TURN])
        if turn >= 0 and self._stack[kernels.PART] != kernels.OPEN:
            self._best = turn
            self._value = int(self._stack[kernels.BEST])
        if ended:
            self._running = False
            self._value = int(self._stack[kernels.BEST])
            self._exact = self._depth >= self._empty() and _proven(self._value) is None
            reached = self._roots[kernels.REACHED] > 0
            order = self._roots[kernels.VALUE] + kernels.UNSETTLED
            self._roots[kernels.ORDER] = np.where(reached, order, 0)
            if self._best is not None:
                self._roots[kernels.ORDER, self._best] = 3 * kernels.UNSETTLED

    def candidates(self) -> list[Candidate]:
        """Return the turns that were looked at, the best first."""
        roots = self._roots
        turns = np.flatnonzero(roots[kernels.REACHED]).tolist()
        if self._best is None:
            # Every turn loses at once, or nothing was looked at yet.
            turns = turns or self._position.legal_moves.array().tolist()[:1]
        values = {turn: self._worth(turn) for turn in turns}
        turns.sort(key=lambda t: (t == self._best, values[t], roots[kernels.EFFORT, t]))
        turns.reverse()
        return [self._candidate(t, values[t], n < _LINES) for n, t in enumerate(turns)]

    def _worth(self, turn: int) -> int:
        """Return what a turn is worth as far as it is known.

        Of turns that are no better than the best the search knows only that; then what a first
        look said, by how much they are worse, decides.
        """
        roots = self._roots
        value = int(roots[kernels.VALUE, turn])
        if turn == self._best or _proven(value) is not None or self._best is None:
            return value
        guess = int(roots[kernels.GUESS, turn] - roots[kernels.GUESS, self._best])
        return min(value, self._value, max(self._value + guess, -antipode_estimate.LIMIT))

    def _candidate(self, turn: int, value: int, with_line: bool) -> Candidate:
        best = turn == self._best
        proven = _proven(value) or (Proven.DRAW if best and self._exact else None)
        chance = _chance(value)
        error = 0.0
        if proven is None:
            # Nobody tells an estimate's error; that the first look and the last differ says most.
            first = _chance(int(self._roots[kernels.GUESS, turn]))
            error = max(_LEAST_ERROR, abs(chance - first) / 2)
        line = self._line(turn) if with_line else (Move(turn),)
        visits = int(self._roots[kernels.EFFORT, turn])
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

    def _remembered(self, position: BoardPosition[Any]) -> int | None:
        """Return the best turn of a position in the table."""
        own, other, pawn, rival = seen_by_the_mover(position)
        key = (own, other, 64 * pawn + rival)
        place = _kernel("place_of")(*key, int(self._settings[kernels.MASK]))
        if tuple(self._table[place : place + 3].tolist()) != key:
            return None
        turn = int(self._table[place + 3] & 4095) - 1
        return turn if turn >= 0 else None


def _proven(value: int) -> Proven | None:
    """Return what a value proves to the mover."""
    if abs(value) <= kernels.SURE:
        return None
    return Proven.WIN if value > 0 else Proven.LOSS


def _chance(value: int) -> float:
    """Return a value as a chance to win, from 0 to 1."""
    if _proven(value) is not None:
        return 1.0 if value > 0 else 0.0
    return 1.0 / (1.0 + math.exp(-value / antipode_estimate.UNIT))


@cache
def read_weights() -> Array:
    """Return the weights of the estimate."""
    return np.array(WEIGHTS_FILE.read_text(encoding="ascii").split(), np.int64)


def seen_by_the_mover(position: BoardPosition[Any]) -> tuple[int, int, int, int]:
    """Return the mover's tokens, the others, the mover's pawn and the other pawn."""
    state = position.kernel_state
    mover = int(state[header.COLOR])
    own, other = (int(state[rules.TOKENS + (mover ^ i)]) for i in range(2))
    pawn, rival = (int(state[rules.PAWNS + (mover ^ i)]) for i in range(2))
    return own, other, pawn, rival


def _kernel(name: str) -> Callable[..., int]:
    """Return a kernel of the search."""
    return edition(kernels, name)

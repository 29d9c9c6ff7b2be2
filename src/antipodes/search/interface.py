"""The interface of all searches: limits, progress, candidates, knowledge and the search itself.

A search belongs to one position. It may be run several times, queried at any time, stopped from
another thread, and moved on to the next position, where it keeps its tree or table.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from antipodes.core import Move

if TYPE_CHECKING:  # the help of commands does not wait for NumPy
    from antipodes.games.kernels import Array
    from antipodes.games.position import Position


class Proven(StrEnum):
    """A proven result for the seat that makes the move."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


class Timekeeping(StrEnum):
    """Kinds of time: seconds on the wall, or CPU seconds of this process."""

    WALL = "wall"
    CPU = "cpu"

    def now(self) -> float:
        """Return the seconds of this kind since some moment."""
        return time.process_time() if self is Timekeeping.CPU else time.perf_counter()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of a run of a search, which ends at the first one it meets or when the root is proven.

    Attributes:
        visits: of leaves of the tree, counted from the start of the search.
        seconds: from the start of the run.
        clock: the kind of these seconds. With several searches in one process CPU time is that of
            all of them.
    """

    visits: int | None = None
    seconds: float | None = None
    clock: Timekeeping = Timekeeping.WALL

    def __post_init__(self) -> None:
        """Refuse limits without end and negative ones."""
        if self.visits is None and self.seconds is None:
            raise ValueError("a search needs a limit: visits or seconds")
        if self.visits is not None and self.visits < 1:
            raise ValueError(f"visits must be positive, not {self.visits}")
        # The comparison is false for NaN.
        if self.seconds is not None and not self.seconds >= 0:
            raise ValueError(f"seconds must not be negative, not {self.seconds}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchSettings:
    """Settings of a search: what it may use, and how much of the machine.

    Attributes:
        knowledge: whether connections, proofs and other knowledge of the game are used.
        network: whether the neural network is used where there is one.
        latest: whether the search uses what makes it stronger since the levels were rated: in
            Antipode the best order of turns and the latest weights, in Antipalos virtual
            connections, and in the placement games a proof search of the root, and neither a bonus
            for few visits nor short proofs.
            With their visits the levels do not, so that their ratings hold.
        varied: whether the seed decides between about equally good moves in searches that are not
            random anyway, so that the same moves do not always get the same answers.
        threads: of the search; the plain search has one.
        memory: bound of the search's tables in MiB.
    """

    knowledge: bool = True
    network: bool = field(default=True, repr=False)
    latest: bool = field(default=True, repr=False)
    varied: bool = field(default=False, repr=False)
    threads: int = 1
    memory: int = 256


STRONGEST = SearchSettings()


@dataclass(frozen=True, slots=True)
class SearchProgress:
    """The progress of a run.

    Attributes:
        visits: of leaves of the tree so far.
        share: the part of the run that is done, from 0 to 1, by the limit that is nearest.
        best: the best move so far.
        value: its value for the seat to move, from 0 (lost) to 1 (won).
        seconds: since the run began.
    """

    visits: int
    share: float
    best: Move
    value: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that the search has visited.

    Attributes:
        move: the move.
        visits: of the move in the search.
        value: for the seat that makes the move, from 0 (lost) to 1 (won).
        error: one standard error of the value; 0 where it is proven.
        proven: the proven result of the move, or ``None``.
        line: the principal variation, which begins with the move.
    """

    move: Move
    visits: int
    value: float
    error: float
    proven: Proven | None
    line: tuple[Move, ...]


ProgressCallback = Callable[[SearchProgress], object]


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Certain knowledge of a position with two sides: its winner, or the moves that may win.

    Attributes:
        winner: index of the colour (as kernels count) that has a winning strategy; ``None`` if it
            is not known.
        moves: if the colour to move can win at all, one of these moves wins. Where the winner is
            to move they all win, and there is at least one. ``None`` means all legal moves; an
            empty tuple means that the colour to move has lost.
    """

    winner: int | None = None
    moves: tuple[int, ...] | None = None


class KnowledgeSource(Protocol):
    """A source of knowledge that a tree search queries between its visits."""

    def query(self, state: Array) -> Knowledge | None:
        """Return the knowledge of a position, or ``None`` if there is none.

        ``state`` is complete, like ``position.state``, and must not be changed. The game is not
        over and no swap is open. A query should hold the global lock for a few milliseconds at
        most.
        """
        ...


@runtime_checkable
class Prover(KnowledgeSource, Protocol):
    """A source of knowledge that can search further on demand."""

    def prove(self, state: Array, effort: int) -> Knowledge | None:
        """Return the knowledge of a position after a search of up to ``effort`` positions."""
        ...


class Search(Protocol):
    """A search of one position. One thread runs it; ``stop`` may be called from any other."""

    @property
    def position(self) -> Position:
        """The position at the root."""
        ...

    @property
    def visits(self) -> int:
        """Visits made so far."""
        ...

    @property
    def proven(self) -> Proven | None:
        """The proven result for the seat to move, or ``None``."""
        ...

    def value(self) -> float:
        """Return the value of the position for the seat to move, from 0 (lost) to 1 (won)."""
        ...

    def criticality(self) -> tuple[float, ...] | None:
        """Return how much each cell matters for winning, or ``None`` if that is not known.

        The criticality of a cell is the covariance of holding it and winning, each counted as +1
        or -1: 1 if the winner always holds it and either colour may win, 0 if holding it and
        winning are independent. Stones that can neither move nor flip get 0.
        """
        ...

    def run(self, limits: Limits, on_progress: ProgressCallback | None = None) -> None:
        """Continue the search until a limit is met, the root is proven, or it is stopped.

        ``on_progress`` is called every few hundredths of a second. An exception in it ends the
        run, and the search can be used further.
        """
        ...

    def stop(self) -> None:
        """End a run in another thread within a few hundredths of a second."""
        ...

    def candidates(self) -> list[Candidate]:
        """Return the visited moves, the best first; never empty after a run."""
        ...

    def play(self, move: Move) -> None:
        """Move the root to the position after ``move``, and keep the results below it.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
        """
        ...

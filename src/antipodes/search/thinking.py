"""What all searches have in common: limits, and what they tell.

A search belongs to one position. It may be run several times, asked at any time, stopped from
another thread, and moved on to the next position, where it keeps what it knows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from antipodes.core import Move
from antipodes.games.kernels import Array
from antipodes.games.position import Position


class Proven(StrEnum):
    """What is certain, to the seat that makes the move, whatever anybody else does."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """When a run of a search ends: at the first limit that is met, or when all is proven.

    Attributes:
        visits: to leaves of the tree, counted from the start of the search.
        seconds: from the start of the run.
    """

    visits: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        """Refuse limits that never end or never begin."""
        if self.visits is None and self.seconds is None:
            raise ValueError("a search needs a limit: visits or seconds")
        if self.visits is not None and self.visits < 1:
            raise ValueError(f"visits must be positive, not {self.visits}")
        # The comparison is false for NaN.
        if self.seconds is not None and not self.seconds >= 0:
            raise ValueError(f"seconds must not be negative, not {self.seconds}")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come.

    Attributes:
        visits: to leaves of the tree so far.
        share: how much of the run is done, from 0 to 1, by the limit that is nearest.
        best: the best move so far.
        value: what it is worth to the seat to move, from 0 (lost) to 1 (won).
        seconds: since the run began.
    """

    visits: int
    share: float
    best: Move
    value: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A move that was looked at.

    Attributes:
        move: the move.
        visits: how often the search has gone this way.
        value: what the move is worth to the seat that makes it, from 0 (lost) to 1 (won).
        error: one standard error of the value; 0 where it is proven.
        proven: what is certain about it, or ``None``.
        line: the move and the play that is expected after it (principal variation).
    """

    move: Move
    visits: int
    value: float
    error: float
    proven: Proven | None
    line: tuple[Move, ...]


Watcher = Callable[[Progress], object]


@dataclass(frozen=True, slots=True)
class Advice:
    """What knowledge of a game says about a position with two sides, all of it certain.

    Attributes:
        winner: index of the colour (as kernels count) that wins whatever the other does, or
            ``None`` if that is not known.
        moves: moves that suffice: if the colour to move can win at all, then with one of these.
            Where the winner is to move they all win, and there is at least one. ``None`` means all
            legal moves; an empty tuple that the colour to move has lost.
    """

    winner: int | None = None
    moves: tuple[int, ...] | None = None


class Advisor(Protocol):
    """Knowledge that a tree search asks between its visits."""

    def advise(self, state: Array) -> Advice | None:
        """Return what is known about a position, or ``None`` for nothing.

        ``state`` is complete, as ``position.state`` is, and not to be changed. The game is not over
        and no swap is open. It should take no more than some milliseconds of the global lock.
        Asked again about the same position it may know more.
        """
        ...


@runtime_checkable
class Prover(Advisor, Protocol):
    """An advisor that can be told to look further than it does by itself."""

    def prove(self, state: Array, effort: int) -> Advice | None:
        """Return advice after looking at up to ``effort`` positions."""
        ...


class Search(Protocol):
    """A search of one position. A run is made in one thread; ``stop`` may come from any other."""

    @property
    def position(self) -> Position:
        """The position that is searched."""
        ...

    @property
    def visits(self) -> int:
        """Visits made so far."""
        ...

    @property
    def proven(self) -> Proven | None:
        """What is certain for the seat to move, or ``None``."""
        ...

    def value(self) -> float:
        """Return what the position is worth to the seat to move, from 0 (lost) to 1 (won)."""
        ...

    def criticality(self) -> tuple[float, ...] | None:
        """Return for each cell how much the game hangs on it, or ``None`` where nothing tells.

        It is the covariance of holding the cell and winning, each counted as +1 or -1: 1 if the
        winner always holds it and either may win, 0 if who holds it tells nothing. Stones that
        stay where and what they are get 0.
        """
        ...

    def run(self, limits: Limits, watch: Watcher | None = None) -> None:
        """Go on searching until a limit is met, all is proven, or the search is stopped.

        ``watch`` is told every few hundredths of a second. What it raises ends the run; the search
        stays good.
        """
        ...

    def stop(self) -> None:
        """End the run that is going on in another thread, within a few hundredths of a second."""
        ...

    def candidates(self) -> list[Candidate]:
        """Return the moves that were looked at, the best first; never empty after a run."""
        ...

    def play(self, move: Move) -> None:
        """Go on from the position after ``move``, and keep what is known about it.

        Raises:
            IllegalMoveError: the move is not legal; nothing has changed.
        """
        ...

"""The protocols of games and positions: what every part above the rules may rely on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Protocol, Self, runtime_checkable

from antipodes.core.color import Color
from antipodes.core.illegality import Illegality
from antipodes.core.move import Move
from antipodes.core.outcome import Outcome
from antipodes.core.setup import Setup


@runtime_checkable
class MoveSet(Protocol):
    """The legal moves of a position: iterable, countable, and it answers ``in``."""

    def __iter__(self) -> Iterator[Move]: ...

    def __len__(self) -> int: ...

    def __contains__(self, move: object) -> bool: ...


@runtime_checkable
class Position(Protocol):
    """Stones, side to move and all that the rules need, as an immutable value.

    Two positions are equal when the rules see the same: same game, stones, colour and seat to
    move, right to swap, phase and outcome. Counters and the history of repetitions are not part
    of it.
    """

    @property
    def game(self) -> Game:
        """The game with its options."""
        ...

    @property
    def to_move(self) -> Color:
        """The colour to move; after the end the one that would be."""
        ...

    @property
    def seat_to_move(self) -> int:
        """The seat to move, counted from 0 in the order of the first turns."""
        ...

    @property
    def ply(self) -> int:
        """Moves made so far."""
        ...

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or ``None`` while it goes on."""
        ...

    @property
    def key(self) -> int:
        """A 64-bit hash, the same on every machine; the side to move is part of it."""
        ...

    @property
    def legal_moves(self) -> MoveSet:
        """The legal moves; empty if and only if there is an outcome."""
        ...

    def play(self, move: int) -> Self:
        """Return the position after ``move``; raise IllegalMoveError and change nothing."""
        ...

    def why_illegal(self, move: int) -> Illegality | None:
        """Return why ``move`` is not legal here, or ``None`` if it is."""
        ...

    def parse_move(self, text: str) -> Move:
        """Read a legal move; raise InvalidMoveError, IllegalMoveError or AmbiguousMoveError."""
        ...

    def format_move(self, move: int) -> str:
        """Write ``move`` for people."""
        ...

    def winning_chain(self) -> tuple[int, ...]:
        """Cells of a shortest winning chain or ring; empty if there is none."""
        ...

    def to_setup(self) -> Setup:
        """Describe the position; ``game.position`` reads it back as an equal one."""
        ...


@runtime_checkable
class Game(Protocol):
    """Rules with their options chosen: frozen, hashable and picklable."""

    @property
    def id(self) -> str:
        """The name in commands and records."""
        ...

    @property
    def options(self) -> Any:
        """The options, a frozen dataclass."""
        ...

    @property
    def rules_version(self) -> int:
        """Counts changes of the rules that could change the replay of a record."""
        ...

    @property
    def colors(self) -> Sequence[Color]:
        """The colours in the order of the first turns."""
        ...

    @property
    def seats(self) -> int:
        """How many people play."""
        ...

    @property
    def move_count(self) -> int:
        """Moves are the numbers below it."""
        ...

    @property
    def max_plies(self) -> int:
        """No game is longer than this."""
        ...

    @property
    def topology(self) -> Any:
        """The board without stones."""
        ...

    def initial(self) -> Position:
        """Return the start position."""
        ...

    def position(self, setup: Setup) -> Position:
        """Check ``setup``; raise InvalidPositionError with all reasons."""
        ...

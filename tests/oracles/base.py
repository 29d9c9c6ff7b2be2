"""The interface of all oracles, and the search that they share.

The oracles are a second version of the rules: slow, obvious, and written from the rules of
the games alone.  They share nothing with the library, so that a mistake made in one of the two
shows as a disagreement between them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

Node = TypeVar("Node")

Outcome = tuple[str, str]
"""Who won (a colour, or ``"draw"``), and why."""


class Oracle(Protocol):
    """A game in progress, as the rules alone describe it."""

    @property
    def to_move(self) -> str:
        """The colour whose turn it is."""

    @property
    def seat_to_move(self) -> int:
        """The seat, counted from 0, that owns the coming move."""

    @property
    def outcome(self) -> Outcome | None:
        """The result with its reason, or ``None`` while the game goes on."""

    @property
    def points(self) -> int | None:
        """Match points of the win, in games that count them."""

    def legal(self) -> set[str]:
        """Canonical texts of all legal moves; empty exactly when the game is over."""

    def play(self, text: str) -> None:
        """Play a legal move."""

    def copy(self) -> Oracle:
        """Return a game that goes on independently of this one."""

    def stones(self) -> dict[str, str]:
        """Return what lies on the board: canonical place to colour."""


def reach(
    starts: Iterable[Node], neighbours: Callable[[Node], Iterable[Node]], allowed: set[Node]
) -> set[Node]:
    """Return the nodes of ``allowed`` that can be walked to from ``starts``."""
    seen = {node for node in starts if node in allowed}
    queue = deque(seen)
    while queue:
        for node in neighbours(queue.popleft()):
            if node in allowed and node not in seen:
                seen.add(node)
                queue.append(node)
    return seen


def letter(index: int) -> str:
    """Return the letter of a row, file or column counted from 0."""
    if not 0 <= index < 26:
        raise ValueError(f"there is no letter number {index}")
    return "abcdefghijklmnopqrstuvwxyz"[index]


def choice(name: str, value: object, *allowed: str) -> str:
    """Return an option's value if it is one of those allowed."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{name} must be one of {', '.join(allowed)}, not {value!r}")
    return value


def whole(name: str, value: object, low: int, high: int | None = None) -> int:
    """Return an option's value if it is a whole number within bounds."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError(f"{name} must be a whole number, not {value!r}")
    if value < low or (high is not None and value > high):
        raise ValueError(f"{name} is out of range: {value}")
    return value

"""Sample games that a game's class declares: one from start to end, and one for beginners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game from its start to its end.

    Attributes:
        moves: separated by spaces.
        options: of the game that differ from the defaults.
    """

    moves: str
    options: Mapping[str, int | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FirstGame:
    """A beginner's first game against the computer.

    Attributes:
        options: of a small board.
        seat: of the learner, the one with better chances.
        opening: the coach's first advice where a short search has nothing to go by.
    """

    options: Mapping[str, int | str] = field(default_factory=dict)
    seat: int = 0
    opening: str = ""

"""The named strengths of the computer."""

from __future__ import annotations

from dataclasses import dataclass

from antipodes.errors import Fault, InvalidOptionsError
from antipodes.notation.text import shorten


@dataclass(frozen=True, slots=True)
class Level:
    """A strength of the computer.

    Attributes:
        number: from 1, the weakest.
        name: one word for people.
        visits: of a leaf that a move may take, each worth one random game or one estimate.
        batches: the same in the placement games, where a visit is worth 64 random games.
        description: one line for people.
    """

    number: int
    name: str
    visits: int
    batches: int
    description: str


_LEVELS = (
    Level(1, "novice", 60, 3, "sees a win in one move, little else"),
    Level(2, "learner", 400, 10, "plays the obvious"),
    Level(3, "casual", 2_500, 50, "a friendly game"),
    Level(4, "steady", 12_000, 300, "punishes gifts"),
    Level(5, "keen", 50_000, 2_500, "sees most tactics"),
    Level(6, "patient", 250_000, 25_000, "takes its time"),
)

DEFAULT_LEVEL = 3


def levels() -> tuple[Level, ...]:
    """Return all levels, the weakest first."""
    return _LEVELS


def find_level(text: str) -> Level:
    """Return the level with a number or a name.

    Raises:
        InvalidOptionsError: there is no such level.
    """
    word = text.strip().lower()
    for level in _LEVELS:
        if word in (str(level.number), level.name):
            return level
    known = ", ".join(f"{level.number} ({level.name})" for level in _LEVELS)
    message = f"there is no level {shorten(text)}; there are {known}"
    raise InvalidOptionsError([Fault("player/unknown-level", message)])

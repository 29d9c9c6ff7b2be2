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
        simulations: how many a move may take.
        description: one line for people.
    """

    number: int
    name: str
    simulations: int
    description: str


_LEVELS = (
    Level(1, "novice", 60, "sees a win in one move, little else"),
    Level(2, "learner", 400, "plays the obvious"),
    Level(3, "casual", 2_500, "a friendly game"),
    Level(4, "steady", 12_000, "punishes gifts"),
    Level(5, "keen", 50_000, "thinks for a second or two"),
    Level(6, "patient", 250_000, "thinks for several seconds"),
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

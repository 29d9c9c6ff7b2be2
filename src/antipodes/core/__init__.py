"""The vocabulary of the whole program: colours, moves, outcomes and setups."""

from antipodes.core.color import Color
from antipodes.core.illegality import Illegality
from antipodes.core.move import Move
from antipodes.core.outcome import Outcome, Termination
from antipodes.core.setup import Setup

__all__ = [
    "Color",
    "Illegality",
    "Move",
    "Outcome",
    "Setup",
    "Termination",
]

"""The vocabulary that every part of the program shares; it imports nothing else of ours."""

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

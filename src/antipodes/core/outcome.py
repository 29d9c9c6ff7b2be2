"""How the rules end a game. Resignation and time are results of a match, not outcomes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from antipodes.core.color import Color


class Termination(Enum):
    """The rule that ended the game."""

    CONNECTION = "connection"
    RING = "ring"
    BLOCKED = "blocked"
    FULL_BOARD = "full-board"
    REPETITION = "repetition"
    MOVE_LIMIT = "move-limit"
    MISERE = "misere"

    @property
    def sentence(self) -> str:
        """The words for the rule, to follow "White wins" or "Draw"."""
        return _SENTENCES[self]


_SENTENCES = {
    Termination.CONNECTION: "by connection",
    Termination.RING: "by closing a ring",
    Termination.BLOCKED: "because the opponent has no legal turn",
    Termination.FULL_BOARD: "with a full board",
    Termination.REPETITION: "by threefold repetition",
    Termination.MOVE_LIMIT: "at the limit of turns in Phase Two",
    Termination.MISERE: "because the opponent connected",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game by its rules.

    Attributes:
        winner: the winning colour, or ``None`` for a draw.
        termination: the rule that ended it.
        points: what the win scores in match play (Antipalos' Chart A); 1 in other games, 0 for
            a draw.
    """

    winner: Color | None
    termination: Termination
    points: int = 1

    @property
    def is_draw(self) -> bool:
        """Whether the game is a draw."""
        return self.winner is None

    def __str__(self) -> str:
        """Return the outcome as a sentence, such as ``White wins by connection``."""
        if self.winner is None:
            return f"Draw {self.termination.sentence}"
        return f"{self.winner.title} wins {self.termination.sentence}"

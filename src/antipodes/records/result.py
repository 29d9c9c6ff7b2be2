"""Results: how a match ended, resignation, time and agreement included."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from antipodes.core import Color, Outcome, Termination
from antipodes.records.texts import clean_line


class Reason(Enum):
    """Why a match ended. The first six are ends by the rules, as in ``Termination``."""

    CONNECTION = "connection"
    RING = "ring"
    BLOCKED = "blocked"
    FULL_BOARD = "full-board"
    REPETITION = "repetition"
    MOVE_LIMIT = "move-limit"
    RESIGNATION = "resignation"
    TIME = "time"
    AGREEMENT = "agreement"
    FORFEIT = "forfeit"
    ABANDONED = "abandoned"
    VOID = "void"
    UNKNOWN = "unknown"

    @property
    def termination(self) -> Termination | None:
        """The rule that ended the game, or ``None`` if no rule did."""
        try:
            return Termination(self.value)
        except ValueError:
            return None


_SENTENCES = {
    Reason.RESIGNATION: "by resignation",
    Reason.TIME: "on time",
    Reason.AGREEMENT: "by agreement",
    Reason.FORFEIT: "by forfeit",
}
LOSER = "{loser} is out"  # the text of a result where one of several players gives up
# Then there is no winner, and it is no draw either.
_GIVEN_UP = frozenset({Reason.RESIGNATION, Reason.TIME, Reason.FORFEIT})
_WITHOUT_WINNER = {
    Reason.ABANDONED: "Abandoned",
    Reason.VOID: "No result",
    Reason.UNKNOWN: "Result unknown",
}


@dataclass(frozen=True)
class Result:
    """How a match ended.

    Attributes:
        winner: the winning colour; ``None`` for a draw and where none has won.
        reason: why it ended.
        text: anything more to say about it, one line.
    """

    winner: Color | None = None
    reason: Reason = Reason.UNKNOWN
    text: str = ""

    def __post_init__(self) -> None:
        """Keep the text as one line."""
        object.__setattr__(self, "text", clean_line(self.text))

    @classmethod
    def of(cls, outcome: Outcome) -> Result:
        """Return the result of an end by the rules."""
        return cls(outcome.winner, Reason(outcome.termination.value))

    @classmethod
    def given_up(cls, loser: Color, reason: Reason) -> Result:
        """Return the result where one of several players gives up; the text says which."""
        return cls(None, reason, LOSER.format(loser=loser.title))

    @property
    def is_draw(self) -> bool:
        """Whether the match was drawn, not merely without a winner."""
        without = self.is_given_up or self.reason in _WITHOUT_WINNER
        return self.winner is None and not without

    @property
    def is_given_up(self) -> bool:
        """Whether one of several players gave up: they have lost, and none of the others won."""
        return self.winner is None and self.reason in _GIVEN_UP

    def __str__(self) -> str:
        """Say it in a sentence."""
        rule = self.reason.termination
        how = rule.sentence if rule else _SENTENCES.get(self.reason, "")
        if self.winner is not None:
            said = f"{self.winner.title} wins {how}".strip()
        elif self.is_given_up:
            said = f"No winner, ended by {self.reason.value}"
        elif self.is_draw:
            said = f"Draw {how}".strip()
        else:
            said = _WITHOUT_WINNER[self.reason]
        return f"{said} ({self.text})" if self.text else said

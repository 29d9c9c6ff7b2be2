"""Results: how a match ended, resignation, time and agreement included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from antipodes.core import Color, Outcome, Termination
from antipodes.records.texts import clean_line


class Reason(StrEnum):
    """Why a match ended. The first seven are ends by the rules, as in ``Termination``."""

    CONNECTION = "connection"
    RING = "ring"
    BLOCKED = "blocked"
    FULL_BOARD = "full-board"
    REPETITION = "repetition"
    MOVE_LIMIT = "move-limit"
    MISERE = "misere"
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
LOSER = "{loser} is out"
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
        loser: the colour that gave up, where several others remain and none of them has won.
    """

    winner: Color | None = None
    reason: Reason = Reason.UNKNOWN
    text: str = ""
    loser: Color | None = None

    def __post_init__(self) -> None:
        """Keep the text as one line."""
        object.__setattr__(self, "text", clean_line(self.text))

    @classmethod
    def of(cls, outcome: Outcome) -> Result:
        """Return the result of an end by the rules."""
        return cls(outcome.winner, Reason(outcome.termination.value))

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Result:
        """Return the result that data describe, such as those of ``as_data``.

        Raises:
            ValueError: there is no such colour or reason.
        """
        winner, loser = (Color(data[key]) if data.get(key) else None for key in ("winner", "loser"))
        return cls(winner, Reason(data["reason"]), data.get("text", ""), loser)

    def as_data(self) -> dict[str, str | None]:
        """Return the result as JSON holds it; text and loser are left out where there is none."""
        data = {"winner": self.winner and self.winner.value, "reason": self.reason.value}
        more = {"text": self.text, "loser": self.loser and self.loser.value}
        return data | {name: value for name, value in more.items() if value}

    @property
    def is_draw(self) -> bool:
        """Whether the match was drawn, not merely without a winner."""
        without = self.is_given_up or self.reason in _WITHOUT_WINNER
        return self.winner is None and not without

    @property
    def is_given_up(self) -> bool:
        """Whether one of several players gave up: they have lost, and none of the others won."""
        return self.winner is None and self.reason in _GIVEN_UP

    @property
    def template(self) -> str:
        """The sentence without text and loser, with ``{winner}`` for the winner's name."""
        rule = self.reason.termination
        how = rule.sentence if rule else _SENTENCES.get(self.reason, "")
        if self.winner is not None:
            return f"{{winner}} wins {how}".strip()
        if self.is_given_up:
            return f"No winner, ended by {self.reason.value}"
        return f"Draw {how}".strip() if self.is_draw else _WITHOUT_WINNER[self.reason]

    def sentence(self, translate: Callable[[str], str] = str) -> str:
        """Say it in a sentence.

        Args:
            translate: translates a template or the name of a colour.
        """
        said, more = translate(self.template), self.text
        if self.winner is not None:
            said = said.format(winner=translate(self.winner.title))
        if self.loser is not None:
            is_out = translate(LOSER).format(loser=translate(self.loser.title))
            more = f"{is_out}; {more}" if more else is_out
        return f"{said} ({more})" if more else said

    def __str__(self) -> str:
        """Say it in English."""
        return self.sentence()

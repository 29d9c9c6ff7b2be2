"""Sample games and positions that a game's class declares, for its rules and for beginners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlencode

FINISHED_GAME = "A finished game"  # title of the section of the notes about that game


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


@dataclass(frozen=True, slots=True)
class RuleExample:
    """An example position beside the text of the rules.

    Attributes:
        after: index of its paragraph, or the title of its section of the notes.
        caption: describes the position; pages translate it.
        options: of the game that differ from the defaults.
        moves: from the start, with spaces between them.
    """

    after: int | str
    caption: str
    options: Mapping[str, int | str] = field(default_factory=dict)
    moves: str = ""

    @property
    def moves_listed(self) -> str:
        """The moves with commas between them."""
        return ",".join(self.moves.split())

    @property
    def analysis_query(self) -> str:
        """The position as a query of the analysis page's URL."""
        moves = {"moves": self.moves_listed} if self.moves else {}
        return urlencode({**self.options, **moves})

    @property
    def query(self) -> str:
        """The options as a query of a URL."""
        return urlencode(self.options)

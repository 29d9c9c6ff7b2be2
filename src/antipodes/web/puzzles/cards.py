"""Puzzles as templates show them in lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from antipodes.games.position import Game
from antipodes.games.registry import game_class
from antipodes.puzzles.model import Puzzle
from antipodes.web.puzzles import labels
from antipodes.web.puzzles.daily import daily, today
from antipodes.web.puzzles.models import TryRow
from antipodes.web.puzzles.solvers import Solver


def daily_card(solver: Solver) -> Card | None:
    """Return the puzzle of the day as templates show it."""
    puzzle = daily(today())
    return None if puzzle is None else cards_of([puzzle], solver)[0]


@dataclass(frozen=True, slots=True)
class Card:
    """A puzzle as templates show it in lists.

    Attributes:
        puzzle: the puzzle.
        outcome: of the solver's first try, if there was one.
    """

    puzzle: Puzzle
    outcome: TryRow.Outcome | None

    @property
    def game(self) -> type[Game]:
        """The game."""
        return game_class(self.puzzle.game_id)

    @property
    def task(self) -> str:
        """The task in a few words."""
        return labels.task_of(self.puzzle)


def cards_of(puzzles: Sequence[Puzzle], solver: Solver) -> list[Card]:
    """Return puzzles as templates show them in lists."""
    outcomes = solver.outcomes(puzzles)
    return [Card(one, outcomes.get(one.id)) for one in puzzles]

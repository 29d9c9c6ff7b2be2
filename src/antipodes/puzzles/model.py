"""The puzzle: a position, the one move that wins or saves, and what is known about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from antipodes.core import Color, Move, Outcome, Setup
from antipodes.errors import AntipodesError, InputError
from antipodes.games.position import Game, Position
from antipodes.games.registry import make_game
from antipodes.notation.text import shorten
from antipodes.records.json_format import read_setup, setup_data

THEMES = (
    "bridge",
    "edge",
    "ladder",
    "fork",
    "ring",
    "block",
    "dead-cell",
    "double-option",
    "flip",
    "lock",
)
GOALS = ("win", "draw", "save")
HARDEST = 9  # the difficulty of a puzzle that no level below 9 solves


@dataclass(frozen=True, slots=True)
class Source:
    """The game from which a puzzle was taken.

    Attributes:
        seed: of the run that made the puzzle.
        game: number of the game in that run, from 0.
        ply: moves made before the position, or before a variation that leads to it.
        file: name of the file of games that has it; empty for a game of the computer.
    """

    seed: int
    game: int
    ply: int
    file: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the source as data for JSON."""
        data = {"seed": self.seed, "game": self.game, "ply": self.ply}
        return {**data, "file": self.file} if self.file else data


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle.

    Attributes:
        id: a hash of the position, the same for symmetric positions.
        game_id: the game.
        options: the options that differ from the game's defaults.
        setup: the position.
        goal: ``win``; ``draw``, where every other move loses; or ``save``, where after every other
            move the opponent wins within ``turns``.
        turns: number of own turns within which the solver must win, or to ``save`` of the
            opponent's turns in which it may not; ``None`` where any number counts.
        line: the moves of both sides: the solution, then the longest resistance and its answers.
        themes: the most characteristic first; none if no theme fits.
        difficulty: the lowest level of the computer that finds the solution; 9 if none below does.
        source: the game from which it was taken.
    """

    id: str
    game_id: str
    options: Mapping[str, int | str] = field(hash=False)
    setup: Setup = field(hash=False)
    line: tuple[str, ...]
    themes: tuple[str, ...]
    difficulty: int
    source: Source
    turns: int | None = None
    goal: str = "win"

    @property
    def game(self) -> Game:
        """The game with its options."""
        return make_game(self.game_id, self.options)

    @property
    def position(self) -> Position:
        """The position to solve."""
        found: Position = self.game.position(self.setup)
        return found

    @property
    def solver(self) -> Color:
        """The colour to move."""
        return Color(self.setup.to_move)

    @property
    def solutions(self) -> tuple[str, ...]:
        """The first moves that reach the goal, as text; there is exactly one."""
        return self.line[:1]

    @property
    def solution(self) -> Move:
        """The first move that reaches the goal."""
        move: Move = self.position.read_move(self.line[0])
        return move

    def turns_left(self, made: int) -> int | None:
        """Return the turns that are left after so many moves of the solver; ``None`` for any."""
        return self.turns - made if self.turns is not None and self.goal == "win" else self.turns

    def is_reached(self, outcome: Outcome) -> bool:
        """Return whether the solver has reached the goal at the end of a game."""
        return outcome.winner is self.solver or (self.goal != "win" and outcome.is_draw)

    @property
    def length(self) -> int:
        """The number of the solver's moves in the line."""
        return (len(self.line) + 1) // 2

    @property
    def theme(self) -> str:
        """The most characteristic theme, or an empty string."""
        return self.themes[0] if self.themes else ""

    def as_dict(self) -> dict[str, Any]:
        """Return the puzzle as data for JSON."""
        return {
            "id": self.id,
            "game": self.game_id,
            "options": dict(self.options),
            "setup": setup_data(self.setup),
            "goal": self.goal,
            "turns": self.turns,
            "line": list(self.line),
            "themes": list(self.themes),
            "difficulty": self.difficulty,
            "source": self.source.as_dict(),
        }

    def text(self) -> str:
        """Return the puzzle as a line of JSON."""
        return json.dumps(self.as_dict(), separators=(",", ":"))


def read_puzzle(text: str) -> Puzzle:
    """Read a puzzle from a line of JSON.

    Raises:
        InputError: the text is not a puzzle.
    """
    try:
        return puzzle_of_data(json.loads(text))
    except AntipodesError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        message = f"{shorten(text)} is not a puzzle: {error}"
        raise InputError.single("puzzle/malformed", message) from None


def puzzle_of_data(data: Mapping[str, Any]) -> Puzzle:
    """Return a puzzle from data of JSON.

    Raises:
        AntipodesError, ValueError, KeyError, TypeError, AttributeError: the data are no puzzle.
    """
    puzzle = Puzzle(
        id=str(data["id"]),
        game_id=str(data["game"]),
        options=dict(data["options"]),
        setup=read_setup(data["setup"]),
        line=tuple(map(str, data["line"])),
        themes=tuple(map(str, data["themes"])),
        difficulty=int(data["difficulty"]),
        source=Source(**data["source"]),
        turns=None if data["turns"] is None else int(data["turns"]),
        goal=str(data["goal"]),
    )
    if not puzzle.line:
        raise ValueError("a puzzle needs a solution")
    return puzzle

"""Puzzles, and answers to moves, as data for pages."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from antipodes.games.position import Game, Position
from antipodes.games.registry import game_class
from antipodes.puzzles.model import Puzzle
from antipodes.web.analysis.position_queries import Line
from antipodes.web.analysis.presenters import board_address, words_of
from antipodes.web.matches.presenters import ShownMove, board_position, play_through
from antipodes.web.puzzles import labels
from antipodes.web.puzzles.daily import daily, today
from antipodes.web.puzzles.judgements import position_after
from antipodes.web.puzzles.labels import themes_of
from antipodes.web.puzzles.models import TryRow
from antipodes.web.puzzles.schemas import (
    JudgedMoveOut,
    PuzzleHintOut,
    PuzzleLineOut,
    PuzzleStartOut,
)
from antipodes.web.puzzles.services import Answer, AnswerVerdict
from antipodes.web.puzzles.solvers import Solver

_HINTED = 5  # cells


def position_query(puzzle: Puzzle) -> str:
    """Return a puzzle's position as the query of a URL of the analysis."""
    fields = Line.of(puzzle.game, puzzle.setup).fields
    return urlencode({name: value for name, value in fields.items() if name != "game"})


def start_view(puzzle: Puzzle) -> PuzzleStartOut:
    """Return the position to solve, with nothing about its solution."""
    return {
        "id": puzzle.id,
        "game": puzzle.game_id,
        "options": dict(puzzle.game.options.changed()),
        "setup": Line.of(puzzle.game, puzzle.setup).setup_text,
        "board": board_address(puzzle.game),
        "solver": puzzle.position.seat_to_move,
        "moves": [],
        "position": board_position(puzzle.position),
    }


def answer_view(puzzle: Puzzle, answer: Answer) -> JudgedMoveOut:
    """Return the answer to a move; ``shown`` has the move and what follows it.

    The position is that after a right move and the reply. After a wrong move it is left out: the
    page returns to that before.
    """
    own = answer.moves[:-1] if answer.reply else answer.moves
    before = position_after(puzzle, own[:-1])
    follows = [answer.reply] if answer.reply else list(answer.refutation)
    line = [own[-1], *follows]
    is_right = answer.verdict in (AnswerVerdict.RIGHT, AnswerVerdict.SOLVED)
    view: JudgedMoveOut = {
        "verdict": answer.verdict,
        "isFinal": answer.is_final,
        "moves": list(answer.moves) if is_right else list(own[:-1]),
        "shown": _shown(before, line),
        "words": words_of(before, line),
        "position": board_position(position_after(puzzle, answer.moves)) if is_right else None,
    }
    if answer.verdict is AnswerVerdict.WRONG and not answer.is_final:
        # To draw or to save, the opponent's win itself is the refutation.
        left = puzzle.turns_left((len(own) + 1) // 2) if puzzle.goal == "win" else None
        view["search"] = {"turns": left, "proves": True}
    return view


def line_view(puzzle: Puzzle, line: Sequence[str]) -> PuzzleLineOut:
    """Return a line of moves from a puzzle's position."""
    end = position_after(puzzle, line)
    return {
        "shown": _shown(puzzle.position, line),
        "words": words_of(puzzle.position, line),
        "position": board_position(end),
    }


def _shown(position: Position, texts: Sequence[str]) -> list[ShownMove]:
    moves = []
    after = position
    for text in texts:
        move = after.parse_move(text)
        moves.append(int(move))
        after = after.play(move)
    return play_through(position, moves).moves


def hint_view(puzzle: Puzzle, moves: Sequence[str], hint: str) -> PuzzleHintOut:
    """Return the themes, and a few cells around a hint's."""
    themes = [str(theme.title) for theme in themes_of(puzzle)]
    if not hint:
        return {"themes": themes, "cells": []}
    position = position_after(puzzle, moves)
    right = int(position.steps(position.parse_move(hint))[0])
    firsts = {int(steps[0]) for move in position.legal_moves if (steps := position.steps(move))}
    near = _near(position.game.topology.neighbours, right) & firsts - {right}
    # The same ones each time, so that several hints do not single out the right one.
    chance = random.Random(f"{puzzle.id} {len(moves)}")
    others = chance.sample(sorted(near), min(_HINTED - 1, len(near)))
    return {"themes": themes, "cells": sorted([right, *others])}


def _near(neighbours: Sequence[Sequence[int]], cell: int) -> set[int]:
    """Return the cells within two steps of a cell."""
    around = {cell, *neighbours[cell]}
    return around.union(*(neighbours[one] for one in around))


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
        return game_class(self.puzzle.game_id)

    @property
    def task(self) -> str:
        """The task in a few words."""
        return labels.task_of(self.puzzle)


def cards_of(puzzles: Sequence[Puzzle], solver: Solver) -> list[Card]:
    outcomes = solver.outcomes(puzzles)
    return [Card(one, outcomes.get(one.id)) for one in puzzles]

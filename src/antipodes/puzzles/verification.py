"""Verification of puzzles: the description, the proof and the line, without any search."""

from __future__ import annotations

from antipodes.errors import InputError
from antipodes.games.position import Position
from antipodes.puzzles.model import GOALS, HARDEST, THEMES, Puzzle
from antipodes.puzzles.proofs import Proof, PuzzleError, check_proof
from antipodes.puzzles.symmetry import puzzle_id


def verify_puzzle(puzzle: Puzzle, proof: Proof) -> None:
    """Verify all that can be verified about a puzzle.

    Raises:
        PuzzleError: the proof does not hold, or the puzzle contradicts its position.
    """
    try:
        _check_description(puzzle)
        check_proof(puzzle, proof)
        _check_line(puzzle)
    except InputError as error:
        raise PuzzleError(str(error)) from None


def _check_description(puzzle: Puzzle) -> None:
    if puzzle_id(puzzle.position) != puzzle.id:
        raise PuzzleError("the id is not that of the position")
    if puzzle.goal not in GOALS:
        raise PuzzleError(f"the goal is {puzzle.goal}, but must be {', '.join(GOALS)}")
    unknown = [theme for theme in puzzle.themes if theme not in THEMES]
    if unknown:
        raise PuzzleError(f"{unknown[0]} is not a theme")
    if not 1 <= puzzle.difficulty <= HARDEST:
        raise PuzzleError(f"the difficulty is {puzzle.difficulty}, but must be 1 to {HARDEST}")


def _check_line(puzzle: Puzzle) -> None:
    """Raise unless the line can be played, ends with the solver and, in so many turns, wins."""
    position: Position = puzzle.position
    for text in puzzle.line:
        position = position.play(position.parse_move(text))
    if len(puzzle.line) % 2 == 0:
        raise PuzzleError("the line ends with a move of the opponent")
    if puzzle.turns is not None and puzzle.goal == "win":
        won = position.outcome is not None and position.outcome.winner is puzzle.solver
        if not won or puzzle.length != puzzle.turns:
            raise PuzzleError(f"the line does not win in {puzzle.turns} turns")

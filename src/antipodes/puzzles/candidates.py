"""The examination of candidates for puzzles: what miners of all games and goals share."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from antipodes.core import Move
from antipodes.games.kernels import header
from antipodes.games.position import Game, Position
from antipodes.puzzles.difficulty import difficulty_of
from antipodes.puzzles.findings import Finding
from antipodes.puzzles.model import Puzzle, Source
from antipodes.puzzles.play import Referee, line_of, referee
from antipodes.puzzles.proofs import Proof, PuzzleError
from antipodes.puzzles.symmetry import puzzle_id
from antipodes.puzzles.themes import themes_of
from antipodes.puzzles.verification import verify_puzzle

PER_GAME = 3  # puzzles from one game
APART = 4  # plies between two of them

_KEEP_EASY = 0.15  # share of puzzles kept that the lowest level solves, or one move wins
_MOST_MOVES = 8  # of the solver in the line


@dataclass(frozen=True, slots=True)
class Find:
    """A puzzle with its proof."""

    puzzle: Puzzle
    proof: Proof


class Miner(ABC):
    """Examines the candidates of one game.

    Attributes:
        finds: the puzzles so far.
        findings: number of candidates by what was found out about them.
    """

    def __init__(self, game: Game, chance: random.Random, source: Source) -> None:
        """Prepare the searches.

        Args:
            game: the game with its options.
            chance: decides between variations.
            source: seed and number of the game.
        """
        self.game = game
        self.finds: list[Find] = []
        self.findings: Counter[str] = Counter()
        self._chance = chance
        self._source = source
        self._referee: Referee = referee(game, "win")

    @abstractmethod
    def mine(self, positions: Sequence[Position]) -> None:
        """Examine the positions of a game and variations of them."""

    def _finish(
        self, position: Position, solution: Move, ply: int, turns: int | None = None
    ) -> Finding:
        """Make the puzzle for a solution, if it is worth it and the proof is short enough.

        Args:
            position: the position.
            solution: the only move that reaches the goal.
            ply: moves before the position, or before the variation that leads to it.
            turns: of the puzzle, or ``None``.
        """
        difficulty = difficulty_of(position, solution)
        if (difficulty == 1 or turns == 1) and self._chance.random() > _KEEP_EASY:
            return Finding.TOO_EASY
        proof = self._prove(position, solution, turns)
        if isinstance(proof, Finding):
            return proof
        line = line_of(position, solution, turns, self._referee, turns or _MOST_MOVES)
        if line is None:
            return Finding.NO_LINE
        puzzle = Puzzle(
            id=puzzle_id(position),
            game_id=self.game.id,
            options=self.game.options.changed(),
            setup=position.to_setup(),
            line=line,
            themes=themes_of(position, _moves(position, line)),
            difficulty=difficulty,
            source=replace(self._source, ply=ply),
            turns=turns,
            goal="win",
        )
        try:
            verify_puzzle(puzzle, proof)
        except PuzzleError:
            return Finding.REFUSED
        self.finds.append(Find(puzzle, proof))
        return Finding.PROVEN

    @abstractmethod
    def _prove(self, position: Position, solution: Move, turns: int | None) -> Proof | Finding:
        """Return the proof of a puzzle, or why there is none."""


def candidate(position: Position) -> Position | None:
    """Return a position without the history of its game, which is no part of a puzzle.

    Returns:
        ``None`` if the game is over, or a swap is possible.
    """
    if position.outcome is not None or position.state[header.SWAP_OPEN]:
        return None
    found: Position = position.game.position(position.to_setup())
    return found


def _moves(position: Position, line: Sequence[str]) -> list[Move]:
    moves = []
    for text in line:
        moves.append(position.parse_move(text))
        position = position.play(moves[-1])
    return moves

"""Mining of forced wins in Antipode and Antipalos."""

from __future__ import annotations

import random
from collections.abc import Sequence

from antipodes.core import Move
from antipodes.games.position import Game, Position
from antipodes.puzzles.candidates import APART, PER_GAME, Miner, candidate
from antipodes.puzzles.findings import Finding
from antipodes.puzzles.forced_wins import EffortSpent, ForcedWins, StrategyWriter
from antipodes.puzzles.model import Source
from antipodes.puzzles.only_wins import most_turns, only_forced_win, usual_effort
from antipodes.puzzles.proofs import Proof
from antipodes.puzzles.strategies import Strategies

_LESS = 10  # times less effort for variations
PROOF_EFFORT = 10_000_000  # for its proof
_SAMPLE = 12  # moves that are tried in a position
_PLIES_BACK = 8  # positions before the end of a game that are examined


class ForcedWinMiner(Miner):
    """Examines candidates of one game of Antipode or Antipalos."""

    def __init__(self, game: Game, chance: random.Random, source: Source) -> None:
        super().__init__(game, chance, source)
        self._search = ForcedWins(game)

    def mine(self, positions: Sequence[Position]) -> None:
        """Examine the last positions of a game, the last one first, and moves from them.

        Some of the moves are mistakes that can be punished.
        """
        last = len(positions) + APART
        for ply in range(len(positions) - 2, max(len(positions) - 2 - _PLIES_BACK, 0), -1):
            if (
                len(self.finds) < PER_GAME
                and last - ply >= APART
                and self._mine_ply(positions, ply)
            ):
                last = ply

    def _mine_ply(self, positions: Sequence[Position], ply: int) -> bool:
        """Examine a position and some after one move; return whether there is a puzzle."""
        effort = usual_effort(self.game)
        if self._examine(positions[ply], ply, effort):
            return True
        moves = list(positions[ply].legal_moves)
        sample = self._chance.sample(moves, min(_SAMPLE, len(moves)))
        return any(
            self._examine(positions[ply].play(move), ply, effort // _LESS) for move in sample
        )

    def _examine(self, position: Position, ply: int, effort: int) -> bool:
        """Examine a candidate; return whether it is a puzzle."""
        root = candidate(position)
        if root is None:
            return False
        self._search.effort = effort
        try:
            finding = self._examined(root, ply)
        except EffortSpent:
            finding = Finding.UNPROVEN
        self.findings[str(finding)] += 1
        return finding is Finding.PROVEN

    def _examined(self, position: Position, ply: int) -> Finding:
        """Return what is found out about a candidate.

        Raises:
            EffortSpent: the effort is spent.
        """
        turns = self._search.distance(position, most_turns(position))
        if turns is None:
            return Finding.LOST
        solution = only_forced_win(self._search, position, turns)
        if solution is None:
            return Finding.SEVERAL
        return self._finish(position, solution, ply, turns)

    def _prove(self, position: Position, solution: Move, turns: int | None) -> Proof | Finding:
        assert turns is not None
        self._search.effort = PROOF_EFFORT
        writer = StrategyWriter(self._search)
        writer.write_attack(position, turns, solution)
        if turns > 1:
            writer.write_defence(position, turns, solution)
        return Strategies(writer.attack, writer.defence)

"""Mining of forced wins in Antipode and Antipalos."""

from __future__ import annotations

import random
from collections.abc import Sequence

from antipodes.core import Move
from antipodes.games.position import Game, Position
from antipodes.puzzles.candidates import APART, PER_GAME, Miner, Watch, candidate
from antipodes.puzzles.findings import Finding
from antipodes.puzzles.forced_wins import EffortSpent, ForcedWins, StrategyWriter
from antipodes.puzzles.model import Source
from antipodes.puzzles.proofs import Proof
from antipodes.puzzles.strategies import Strategies

_TURNS = {"antipode": 3, "antipalos": 4}
_EFFORT = {"antipode": 300_000, "antipalos": 60_000}  # positions visited for a candidate
_LESS = 10  # times less effort for variations
_PROOF_EFFORT = 10_000_000  # for its proof
_SAMPLE = 12  # moves that are tried in a position
_LEAVES = 120_000  # bound of the checker's work: moves to the power of turns, less one
_PLIES_BACK = 8  # positions before the end of a game that are examined


class ForcedWinMiner(Miner):
    """Examines candidates of one game of Antipode or Antipalos."""

    def __init__(self, game: Game, chance: random.Random, source: Source, watch: Watch) -> None:
        """Prepare the search."""
        super().__init__(game, chance, source, watch)
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
        effort = _EFFORT[self.game.family]
        if self._examine(positions[ply], ply, effort):
            return True
        moves = list(positions[ply].legal_moves)
        sample = self._chance.sample(moves, min(_SAMPLE, len(moves)))
        return any(
            self._examine(positions[ply].play(move), ply, effort // _LESS) for move in sample
        )

    def _examine(self, position: Position, ply: int, effort: int) -> bool:
        """Examine a candidate; return whether it is a puzzle."""
        self._watch()
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
        moves = len(position.legal_moves)
        most = _TURNS[self.game.family]
        while most > 1 and moves ** (most - 1) > _LEAVES:
            most -= 1
        turns = self._search.distance(position, most)
        if turns is None:
            return Finding.LOST
        solution = self._only_win(position, turns)
        if solution is None:
            return Finding.SEVERAL
        return self._finish(position, solution, ply, turns)

    def _only_win(self, position: Position, turns: int) -> Move | None:
        """Return the only move that wins within so many turns; ``None`` if there are several."""
        wins: list[Move] = []
        for move in position.legal_moves:
            after: Position = position.play(move)
            if after.outcome is not None:
                is_win = after.outcome.winner is position.to_move
            else:
                is_win = turns > 1 and not self._search.holds(after, turns - 1)
            if is_win:
                wins.append(move)
            if len(wins) > 1:
                return None
        return wins[0]

    def _prove(self, position: Position, solution: Move, turns: int | None) -> Proof | Finding:
        assert turns is not None
        self._search.effort = _PROOF_EFFORT
        writer = StrategyWriter(self._search)
        writer.write_attack(position, turns, solution)
        if turns > 1:
            writer.write_defence(position, turns, solution)
        return Strategies(writer.attack, writer.defence)

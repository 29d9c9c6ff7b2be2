"""Mining of positions in which exactly one move draws, or saves from a forced loss."""

from __future__ import annotations

from antipodes.core import Move
from antipodes.games.position import Position
from antipodes.puzzles.findings import Finding
from antipodes.puzzles.forced_win_mining import PROOF_EFFORT, ForcedWinMiner
from antipodes.puzzles.only_wins import most_turns
from antipodes.puzzles.proofs import Proof
from antipodes.puzzles.rescues import only_rescue, prove_rescue, turns_to_end


class SaveMiner(ForcedWinMiner):
    """Looks for the only move after which the opponent has no forced win."""

    goal = "save"

    def _examined(self, position: Position, ply: int) -> Finding:
        most = most_turns(position)
        if self._search.distance(position, most) is not None:
            return Finding.WON
        for turns in range(1, most + 1):
            found = only_rescue(self._search, position, turns)
            if isinstance(found, Move):
                return self._finish(position, found, ply, turns)
            if found is Finding.LOST:
                return found
        return Finding.SEVERAL

    def _prove(self, position: Position, solution: Move, turns: int | None) -> Proof | Finding:
        self._search.effort = PROOF_EFFORT
        return prove_rescue(self._search, position, solution, turns)


class DrawMiner(SaveMiner):
    """Looks for the only move that draws, by searches until the end of the game."""

    goal = "draw"

    def _examine(self, position: Position, ply: int, effort: int) -> bool:
        near_end = turns_to_end(position) is not None
        return near_end and super()._examine(position, ply, effort)

    def _examined(self, position: Position, ply: int) -> Finding:
        turns = turns_to_end(position)
        assert turns is not None
        if self._search.wins(position, turns):
            return Finding.WON
        found = only_rescue(self._search, position, turns)
        return self._finish(position, found, ply) if isinstance(found, Move) else found

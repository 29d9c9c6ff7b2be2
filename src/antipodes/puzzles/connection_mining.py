"""Mining of puzzles in placement games.

Most positions are decided long before the end, and the winner has several winning moves. So the
miner goes on from such positions: the winner plays a random move that still wins, the loser
resists, and soon a single winning move is left.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, cast

from antipodes.core import Move
from antipodes.games.placement import PlacementGame, PlacementPosition
from antipodes.games.position import Game, Position
from antipodes.puzzles.candidates import APART, PER_GAME, Miner, candidate
from antipodes.puzzles.connection_play import ConnectionReferee
from antipodes.puzzles.connection_prover import ConnectionProver
from antipodes.puzzles.findings import Finding
from antipodes.puzzles.model import Source
from antipodes.puzzles.proofs import Proof

_NODES = {"antipod": 30}  # positions searched for a candidate
_USUAL_NODES = 60
_PROOF_NODES = 200  # for its proof
_LINES = 2_500  # of a proof
_GIVE_UP = 2  # candidates in a row that could not be decided
_STEPS = 6  # candidates of a variation
_TRIES = 6  # random moves that are tried for one that still wins
_REPLIES = 4  # replies that are compared for the hardest


class ConnectionMiner(Miner):
    """Examines candidates of one placement game."""

    def __init__(self, game: Game, chance: random.Random, source: Source) -> None:
        super().__init__(game, chance, source)
        placement = cast("PlacementGame[Any, Any]", game)
        self._nodes = _NODES.get(game.id, _USUAL_NODES)
        self._prover = ConnectionProver(placement, lines=_LINES)
        self._resisting = ConnectionReferee(placement)

    def mine(self, positions: Sequence[Position]) -> None:
        """Examine the decided positions of a game, from the first one, and variations of them."""
        last = -APART
        for ply in range(self._first_decided(positions), len(positions) - 1):
            if len(self.finds) < PER_GAME and ply - last >= APART:
                root = candidate(positions[ply])
                if root is not None and self._mine_variation(root, ply):
                    last = ply

    def _first_decided(self, positions: Sequence[Position]) -> int:
        """Return the ply after which the winner of each position can be proven."""
        unproven = 0
        ply = len(positions) - 1
        while ply > 1 and unproven < _GIVE_UP:
            ply -= 1
            winner = self._prover.winner(cast("Any", positions[ply]), self._nodes)
            unproven = 0 if winner else unproven + 1
        return ply + unproven

    def _mine_variation(self, root: Position, ply: int) -> bool:
        """Examine a position and a variation from it; return whether there is a puzzle."""
        position: Position = root
        for _ in range(_STEPS):
            result = self._prover.find(cast("Any", position), self._nodes)
            finding = result if isinstance(result, Finding) else self._finish(position, result, ply)
            self.findings[str(finding)] += 1
            if finding in (Finding.PROVEN, Finding.UNPROVEN):
                return finding is Finding.PROVEN
            if finding is not Finding.LOST:
                move = result if isinstance(result, Move) else self._winning_move(position)
                if move is None:
                    return False
                position = position.play(move)
            if position.outcome is None:
                position = self._resisted(position)
            if position.outcome is not None:
                return False
        return False

    def _winning_move(self, position: Position) -> Move | None:
        """Return a random move that still wins, if one is found."""
        moves = list(position.legal_moves)
        for move in self._chance.sample(moves, min(_TRIES, len(moves))):
            after: Position = position.play(move)
            if after.outcome is None:
                winner = self._prover.winner(cast("Any", after), self._nodes)
                if winner is position.to_move:
                    return move
        return self._resisting.answer(position, None)

    def _resisted(self, after: Position) -> Position:
        """Return a lost position after one of its hardest replies."""
        replies = self._resisting.interfering(after)
        few = self._chance.sample(replies, min(_REPLIES, len(replies)))
        found: Position = after.play(self._resisting.hardest(after, few))
        return found

    def _prove(self, position: Position, solution: Move, _turns: int | None) -> Proof | Finding:
        placed = cast("PlacementPosition[Any]", position)
        return self._prover.prove(placed, solution, _PROOF_NODES)

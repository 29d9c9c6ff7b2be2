"""Proofs that exactly one move wins in a placement game, checked without any search.

That the solver wins is a proof as ``antipodes solve`` writes it. That no other move wins follows
from statements in which the *opponent* wins when it is the opponent's turn in the same position.
Such a statement has a carrier: the empty points that the opponent needs. A first move of the solver
outside the carrier does not change the statement, so it loses. If the carriers of some such
statements have at most the solution in common, every other first move is outside one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from antipodes.core import Move
from antipodes.games.placement import PlacementPosition
from antipodes.search.proof.checker import Claim, ProofBoard, ProofError, check_each
from antipodes.search.proof.files import Proof


@dataclass(frozen=True, slots=True)
class ConnectionProof:
    """The proof of a puzzle of a placement game.

    Attributes:
        win: lines that prove that the solver wins.
        refutations: lines about the opponent.
        places: indices of those refutations that say that the opponent wins if it is to move.
    """

    win: Sequence[Any]
    refutations: Sequence[Any]
    places: Sequence[int]


def check_connection_proof(
    proof: ConnectionProof, position: PlacementPosition[Any], solution: Move
) -> None:
    """Verify that the colour to move wins, and with no other move than the solution.

    Raises:
        ProofError: the proof is wrong.
    """
    if position.game.swap_move in position.legal_moves:
        raise ProofError("a swap is possible")
    Proof(position, position.to_move, proof.win).verify()
    check_refutations(proof, position, solution)


def check_refutations(
    proof: ConnectionProof, position: PlacementPosition[Any], solution: Move
) -> None:
    """Verify that each move but the solution loses.

    Raises:
        ProofError: the proof is wrong, or some other move is not refuted.
    """
    opponent = position.game.opponent_of(position.to_move)
    assert opponent is not None
    name = position.game.topology.name
    stones = {name(cell): color.value for cell, color in position.stones().items()}
    board = ProofBoard(position.game.topology, opponent.value)
    claim = Claim(board, stones, opponent.value, to_move=opponent.value)
    open_moves = board.set_of(name(move) for move in position.legal_moves if move != solution)
    for statement in check_each(claim, proof.refutations, proof.places):
        open_moves &= statement.carrier
    if open_moves:
        raise ProofError(f"no line refutes {board.names(open_moves)}")

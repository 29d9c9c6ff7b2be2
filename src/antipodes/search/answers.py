"""Knowledge as kernels write it; :mod:`.kernels.opening_facts` describes answers."""

from __future__ import annotations

import numpy as np

from antipodes.games.kernels import Array
from antipodes.search.interface import Knowledge
from antipodes.search.kernels.opening_facts import LIMITED, MOVES, WINNER
from antipodes.search.kernels.proof_fill import BITS


def new_answer(moves: int) -> Array:
    """Return room for an answer with moves below a number."""
    return np.zeros(MOVES + -(-moves // BITS), np.int64)


def read_answer(answer: Array) -> Knowledge | None:
    """Return the knowledge of an answer, or ``None``."""
    winner, limited, *words = answer.tolist()
    if not (winner or limited):
        return None
    moves = (
        word * BITS + bit
        for word, bits in enumerate(words)
        for bit in range(BITS)
        if bits >> bit & 1
    )
    return Knowledge(winner - 1 if winner else None, tuple(moves) if limited else None)


def write_answer(knowledge: Knowledge | None, answer: Array) -> None:
    """Write knowledge as an answer."""
    answer[:] = 0
    if knowledge is None:
        return
    answer[WINNER] = 0 if knowledge.winner is None else 1 + knowledge.winner
    answer[LIMITED] = knowledge.moves is not None
    for move in knowledge.moves or ():
        answer[MOVES + move // BITS] |= 1 << move % BITS

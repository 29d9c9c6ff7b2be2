"""A random game of Antipode, turn by turn."""

from __future__ import annotations

from antipodes.games.kernels.antipode import play, sample
from antipodes.games.kernels.header import WINNER
from antipodes.games.kernels.registry import LISTING, kernel


@kernel(LISTING)
def playout(tables, state, work, rng):
    """Play random turns in place until the game is over; return its winner."""
    while state[WINNER] == 0:
        play(tables, state, work, sample(tables, state, work, rng))
    return state[WINNER]

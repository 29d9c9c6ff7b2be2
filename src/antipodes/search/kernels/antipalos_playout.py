"""A random game of Antipalos, move by move."""

from __future__ import annotations

from antipodes.games.kernels.antipalos import play, sample
from antipodes.games.kernels.header import WINNER
from antipodes.games.kernels.registry import LISTING, kernel


@kernel(LISTING)
def playout(tables, state, work, rng):
    """Play random moves in place until the game is over; return its winner.

    The room for the history that the state has left bounds the game, as in any search.
    """
    while state[WINNER] == 0:
        play(tables, state, work, sample(tables, state, work, rng))
    return state[WINNER]

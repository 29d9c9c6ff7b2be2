"""Many games of Antipalos at once."""

from __future__ import annotations

from antipodes.adapters.kernels import steps
from antipodes.adapters.kernels.steps import SHOW, STEP, draw_turn, mark
from antipodes.games.kernels.antipalos import judge, moves, play
from antipodes.games.kernels.header import COLOR, HEADER
from antipodes.games.kernels.registry import bound, kernel


@kernel(SHOW)
def show(tables, places, state, work, listing, move, row, planes):
    """Write what the colour to move sees: the rods of each colour on either diagonal."""
    mark(listing, moves(tables, state, work, listing), row)
    colors = len(places)
    planes[: 2 * colors] = 0
    for square in range(planes.shape[1]):
        rod = state[HEADER + square] - 1
        if rod >= 0:
            distance = (places[rod // 2] - places[state[COLOR]] + colors) % colors
            planes[2 * distance + rod % 2, square] = 1
    return draw_turn(places, state, planes)


step = kernel(STEP)(bound(steps.step, __name__, judge=judge, play=play, show=show))

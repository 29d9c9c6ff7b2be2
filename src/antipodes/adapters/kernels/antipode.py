"""Many games of Antipode at once."""

from __future__ import annotations

from antipodes.adapters.kernels import steps
from antipodes.adapters.kernels.steps import SHOW, STEP, draw_turn, mark
from antipodes.games.kernels.antipode import CELLS, PAWNS, TOKENS, judge, moves, play
from antipodes.games.kernels.header import COLOR
from antipodes.games.kernels.registry import bound, kernel


@kernel(SHOW)
def show(tables, places, state, work, listing, move, row, planes):
    """Write what the colour to move sees: tokens and pawns of both colours."""
    mark(listing, moves(tables, state, work, listing), row)
    for color in range(2):
        first = 0 if color == state[COLOR] else 2
        tokens, pawns = planes[first], planes[first + 1]
        for cell in range(CELLS):
            tokens[cell] = (state[TOKENS + color] >> cell) & 1
        pawns[:] = 0
        pawns[state[PAWNS + color]] = 1
    return draw_turn(places, state, planes)


step = kernel(STEP)(bound(steps.step, __name__, judge=judge, play=play, show=show))

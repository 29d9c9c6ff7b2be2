"""Many games of Hex, Cylindrical Hex or Antipod at once.

A stone changes little of what is seen, so a step writes only that and does not draw all cells
again.
"""

from __future__ import annotations

from antipodes.adapters.kernels import steps
from antipodes.adapters.kernels.steps import SHOW, STEP, draw_turn
from antipodes.games.kernels.header import COLOR, HEADER, SWAP_OPEN
from antipodes.games.kernels.placement import DEGREE, NEIGHBOURS, NODES, judge, play
from antipodes.games.kernels.prefetch import prefetch
from antipodes.games.kernels.registry import bound, kernel


@kernel("i8(i8[::1], i8[::1], i8)")
def anticipate(tables, state, move):
    """Begin to load what ``play`` reads and writes.

    The positions of many games do not fit into the processor's nearer caches.
    """
    prefetch(state, 0)
    prefetch(state, HEADER - 1)
    first = tables[NEIGHBOURS] + move * tables[DEGREE]
    for i in range(first, first + tables[DEGREE]):
        for part in range(3):  # owners, parents and windings
            prefetch(state, HEADER + part * tables[NODES] + tables[i])
    return 0


@kernel("i8(i8[::1], i8[::1], u1[::1], u1[:,::1])")
def show_all(places, state, row, planes):
    """Write what is seen of a position."""
    cells = len(row) - 1
    color = state[COLOR]
    for cell in range(cells):
        owner = state[HEADER + cell]
        row[cell] = owner == 0
        planes[0, cell] = owner == 1 + color
        planes[1, cell] = owner == 2 - color
    row[cells] = state[SWAP_OPEN]
    return draw_turn(places, state, planes)


@kernel(SHOW)
def show(tables, places, state, work, listing, move, row, planes):
    """Write what changes with a move: after a stone the mover's stones are the opponent's."""
    if move == len(row) - 1:  # a swap
        return show_all(places, state, row, planes)
    row[move] = 0
    row[len(row) - 1] = state[SWAP_OPEN]
    mine, theirs = planes[0], planes[1]
    for i in range(len(mine)):
        before = mine[i]
        mine[i] = theirs[i]
        theirs[i] = before
    theirs[move] = 1
    own = places[state[COLOR]]
    planes[2 + own] = 1
    planes[3 - own] = 0
    if planes[5, 0] != state[SWAP_OPEN]:
        planes[5] = state[SWAP_OPEN]
    return 0


step = kernel(STEP)(
    bound(steps.step, __name__, judge=judge, play=play, show=show, anticipate=anticipate)
)

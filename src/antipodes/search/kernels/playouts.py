"""Random games of the placement games, one at a time.

A random game's winner is that of a random filling of the empty cells (see
:mod:`antipodes.search.kernels.batch`), so nobody need play the moves: a search spreads from Black's
first terminal over black cells until it meets the second, and draws the colour of an empty cell
when it first looks at it. With ``b`` black stones left for ``n`` cells that nobody has looked at,
the next one is black with probability ``b / n``; that is the law of a random filling.
"""

from __future__ import annotations

from antipodes.games.kernels.bits import below
from antipodes.games.kernels.header import COLOR, HEADER, SEAT, WINNER
from antipodes.games.kernels.placement import (
    CELLS,
    DEGREE,
    GATE_COUNT,
    GATES,
    NEIGHBOURS,
    NODES,
    SOURCE,
    TARGET,
)
from antipodes.games.kernels.registry import LISTING, kernel


@kernel("i8(i8[::1], i8[::1])")
def count_empty(tables, state):
    """Return the number of empty cells."""
    count = 0
    for cell in range(tables[CELLS]):
        if state[HEADER + cell] == 0:
            count += 1
    return count


@kernel(LISTING)
def playout(tables, state, work, rng):
    """Decide a random game from a position that goes on; return 1 + the colour that wins.

    Afterwards the winner, the colour to move and its seat are those of the full board; the rest of
    the state is scratch. A swap that is open is not played.
    """
    left = count_empty(tables, state)
    color = state[COLOR]
    if left % 2 == 1:
        state[COLOR] = 1 - color
        state[SEAT] = 1 - state[SEAT]
    black = (left + 1 - color) // 2
    target = tables[TARGET]
    degree = tables[DEGREE]
    # What has been looked at is marked as White's, so that nothing is looked at twice. The cells
    # that wait to be left are kept where the chains were.
    state[HEADER + tables[SOURCE]] = 2
    stack = HEADER + tables[NODES]
    waiting = 0
    first = tables[GATES]
    last = first + tables[GATE_COUNT]
    while True:
        for i in range(first, last):
            node = tables[i]
            if node == target:
                state[WINNER] = 1
                return 1
            if node >= 0:
                owner = state[HEADER + node]
                if owner == 0:
                    owner = 1 if below(rng, left) < black else 2
                    left -= 1
                    black -= owner & 1
                state[HEADER + node] = 2
                # Written in any case and kept if black: quicker than a jump that nobody foresees.
                state[stack + waiting] = node
                waiting += owner & 1
        if waiting == 0:
            state[WINNER] = 2
            return 2
        waiting -= 1
        first = tables[NEIGHBOURS] + state[stack + waiting] * degree
        last = first + degree

"""Eight batches of 64 random games at once, for many games from one position.

Each batch has its own pairing (see :mod:`antipodes.search.kernels.batch`), so the games are as
independent as those of eight single batches. But they share the flood: the eight words of a slot
are adjacent and processed together, as one vector if the processor has vectors of 512 bits.
"""

from __future__ import annotations

import numpy as np

from antipodes.games.kernels.header import COLOR
from antipodes.games.kernels.placement import CELLS
from antipodes.games.kernels.registry import I8, Int, kernel
from antipodes.search.kernels.batch import (
    BITS,
    LANES,
    NAME,
    PLACE,
    FloodLayout,
    Words,
    count_ones,
    gather,
    pair_up,
)

WIDTH = 8
GAMES = WIDTH * LANES
LINE = 64  # bytes of a cache line; a vector across two lines takes twice as long


def room(cells: int) -> tuple[Words, Words, Words]:
    """Return the arrays ``black``, ``reached`` and ``lanes`` for a board, each on a cache line."""
    return _aligned(WIDTH * cells), _aligned(WIDTH * (cells + 1)), _aligned(2 * WIDTH)


def _aligned(count: int) -> Words:
    """Return an array of zeros aligned to ``LINE`` bytes."""
    words = np.zeros(count + LINE // 8, np.int64)
    skip = -words.ctypes.data % LINE // 8
    return words[skip : skip + count]


@kernel("i8(u4[::1], i8, i8, i8, i8[::1], i8[::1], i8[::1])")
def sweep_eight(near, cells, first, ahead, black, reached, lanes):
    """Spread Black's lanes once over all slots; write the lanes that spread into ``lanes``.

    Arguments as in ``sweep``. All words are read before one is written and are written out here,
    since the compiler would not vectorise them otherwise.
    """
    c0 = c1 = c2 = c3 = c4 = c5 = c6 = c7 = 0
    for i in range(cells):
        slot = (first + i * ahead) & PLACE
        names = near[slot]
        s = slot * WIDTH
        p = (names & NAME) * WIDTH
        q = ((names >> BITS) & NAME) * WIDTH
        r = (names >> 2 * BITS) * WIDTH
        o0 = reached[s]
        o1 = reached[s + 1]
        o2 = reached[s + 2]
        o3 = reached[s + 3]
        o4 = reached[s + 4]
        o5 = reached[s + 5]
        o6 = reached[s + 6]
        o7 = reached[s + 7]
        n0 = (o0 | reached[p] | reached[q] | reached[r]) & black[s]
        n1 = (o1 | reached[p + 1] | reached[q + 1] | reached[r + 1]) & black[s + 1]
        n2 = (o2 | reached[p + 2] | reached[q + 2] | reached[r + 2]) & black[s + 2]
        n3 = (o3 | reached[p + 3] | reached[q + 3] | reached[r + 3]) & black[s + 3]
        n4 = (o4 | reached[p + 4] | reached[q + 4] | reached[r + 4]) & black[s + 4]
        n5 = (o5 | reached[p + 5] | reached[q + 5] | reached[r + 5]) & black[s + 5]
        n6 = (o6 | reached[p + 6] | reached[q + 6] | reached[r + 6]) & black[s + 6]
        n7 = (o7 | reached[p + 7] | reached[q + 7] | reached[r + 7]) & black[s + 7]
        c0 |= n0 ^ o0
        c1 |= n1 ^ o1
        c2 |= n2 ^ o2
        c3 |= n3 ^ o3
        c4 |= n4 ^ o4
        c5 |= n5 ^ o5
        c6 |= n6 ^ o6
        c7 |= n7 ^ o7
        reached[s] = n0
        reached[s + 1] = n1
        reached[s + 2] = n2
        reached[s + 3] = n3
        reached[s + 4] = n4
        reached[s + 5] = n5
        reached[s + 6] = n6
        reached[s + 7] = n7
    lanes[0] = c0
    lanes[1] = c1
    lanes[2] = c2
    lanes[3] = c3
    lanes[4] = c4
    lanes[5] = c5
    lanes[6] = c6
    lanes[7] = c7
    return 0


@kernel("i8(u4[::1], i8, i8[::1], i8[::1], i8[::1])")
def is_calm(near, cells, black, reached, lanes):
    """Return 1 if no undecided lane has spread in the last sweep or will in the next."""
    spreading = 0
    for word in range(WIDTH):
        spreading |= lanes[word] & ~lanes[WIDTH + word]
    if spreading != 0:
        return 0
    for i in range(cells, len(near)):
        origin = (near[i] & NAME) * WIDTH
        slot = ((near[i] >> BITS) & NAME) * WIDTH
        for word in range(WIDTH):
            fresh = reached[origin + word] & black[slot + word] & ~reached[slot + word]
            spreading |= fresh & ~lanes[WIDTH + word]
    return 1 if spreading == 0 else 0


@kernel()
def flood_eight(layout: FloodLayout, black: I8, reached: I8, lanes: I8) -> Int:
    """Spread Black's lanes from the sources; write those that reach a target behind ``lanes``.

    As ``flood``, but with eight words for each slot. Return in how many lanes Black has won.
    """
    ahead = layout.ahead
    behind = layout.behind
    sources = layout.sources
    targets = layout.targets
    cells = len(sources)
    reached[:] = 0
    for slot in range(cells):
        if sources[slot] != 0:
            for word in range(WIDTH):
                reached[slot * WIDTH + word] = black[slot * WIDTH + word]
    sweep_eight(ahead, cells, 0, 1, black, reached, lanes)
    forwards = 0
    while True:
        if forwards == 1:
            sweep_eight(ahead, cells, 0, 1, black, reached, lanes)
        else:
            sweep_eight(behind, cells, cells - 1, -1, black, reached, lanes)
        forwards = 1 - forwards
        lanes[WIDTH:] = 0
        for slot in range(cells):
            if targets[slot] != 0:
                for word in range(WIDTH):
                    lanes[WIDTH + word] |= reached[slot * WIDTH + word]
        if is_calm(ahead, cells, black, reached, lanes) == 1:
            break
    wins = 0
    for word in range(WIDTH):
        wins += count_ones(lanes[WIDTH + word])
    return wins


@kernel()
def black_wins_eight(
    tables: I8,
    state: I8,
    layout: FloodLayout,
    rng: I8,
    empty: I8,
    black: I8,
    reached: I8,
    lanes: I8,
    rounds: Int,
) -> Int:
    """Return how many of 512 random games in each round Black wins."""
    cells = tables[CELLS]
    # The stones are the same in every round.
    # ``reached`` is free until the flood, and lends its first words for the stones.
    count = gather(tables, state, layout.slots, empty, reached)
    for slot in range(cells):
        for word in range(WIDTH):
            black[slot * WIDTH + word] = reached[slot]
    total = 0
    for _ in range(rounds):
        for word in range(WIDTH):
            pair_up(empty, count, state[COLOR], WIDTH, word, rng, black)
        total += flood_eight(layout, black, reached, lanes)
    return total

"""Random games that keep bridges.

Two chains of a colour, or a chain and a border, with two empty cells between them are virtually
connected: when the opponent takes one of the cells, the colour takes the other (the two-bridge of
Hex; Anshelevich, "A hierarchical approach to computer Hex", 2002). A random filling breaks every
fourth bridge. Here the two cells are paired, so that in every lane each colour gets one of them:
the bridge holds, and both colours still fill equally many cells. Of bridges that share a cell only
some can be kept, drawn at random.
"""

from __future__ import annotations

import numpy as np

from antipodes.games.kernels.bits import below, step
from antipodes.games.kernels.header import COLOR, HEADER
from antipodes.games.kernels.placement import (
    CELLS,
    DEGREE,
    NEIGHBOURS,
    WINDINGS,
    root_of,
    winding_of,
)
from antipodes.games.kernels.registry import kernel
from antipodes.search.kernels.batch import ALL, PLACE, Words, gather, mixed, pair_up

# A row of the table: the node at the other end, the two cells between, and 1 + the winding of the
# bridge round the board's axis.
BITS = 16
ROOM = 4  # numbers for each cell in the array of found bridges


def bridge_table(tables: Words) -> Words:
    """Return all possible bridges of a placement game's board, in a row for each cell.

    The table begins with the start of each cell's row and the end of the last one; then come the
    rows. A bridge of two cells is in the row of the first, one to a border in that of its cell.
    """
    cells = int(tables[CELLS])
    steps = [_steps(tables, cell) for cell in range(cells)]
    near: list[dict[int, int]] = [dict(row) for row in steps]
    starts: list[int] = []
    rows: list[int] = []
    for cell in range(cells):
        starts.append(cells + 1 + len(rows))
        around = {end for other in near[cell] if other < cells for end in near[other]}
        for end in sorted(around - near[cell].keys()):
            if end > cell:
                rows += _bridges(near, cell, end, cells)
    return np.array([*starts, cells + 1 + len(rows), *rows], np.int64)


def _steps(tables: Words, cell: int) -> list[tuple[int, int]]:
    """Return the nodes beside a cell with the windings of the steps there."""
    degree = int(tables[DEGREE])
    row = slice(cell * degree, (cell + 1) * degree)
    nodes = tables[int(tables[NEIGHBOURS]) :][row].tolist()
    windings = tables[int(tables[WINDINGS]) :][row].tolist()
    return [(node, winding) for node, winding in zip(nodes, windings, strict=True) if node >= 0]


def _bridges(near: list[dict[int, int]], cell: int, end: int, cells: int) -> list[int]:
    """Return the bridges between a cell and a node that is not beside it, packed."""
    between = [
        (other, winding + near[other][end])
        for other, winding in near[cell].items()
        if other < cells and end in near[other]
    ]
    return [
        end | a << BITS | b << 2 * BITS | winding + 1 << 3 * BITS
        for place, (a, winding) in enumerate(between)
        for b, same in between[place + 1 :]
        # Two paths round different sides of the board are not a bridge.
        if winding == same
    ]


@kernel("i8(i8[::1], i8[::1], i8, i8, i8)")
def is_joined(tables, state, cell, end, winding):
    """Return 1 if a stone and a node are already in one chain, by a path with this winding."""
    if root_of(tables, state, cell) != root_of(tables, state, end):
        return 0
    if state[HEADER + cell] == 1:
        return 1
    # White also wins by joining a chain with itself round the board.
    shift = winding_of(tables, state, cell) + winding - winding_of(tables, state, end)
    return 1 if shift == 0 else 0


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8[::1])")
def find_bridges(tables, state, slots, bridges, pairs):
    """Write the slots of each bridge's two cells into ``pairs``, in one number; count them."""
    count = 0
    for cell in range(tables[CELLS]):
        owner = state[HEADER + cell]
        if owner != 0:
            for i in range(bridges[cell], bridges[cell + 1]):
                row = bridges[i]
                end = row & PLACE
                if state[HEADER + end] == owner:
                    a = (row >> BITS) & PLACE
                    b = (row >> 2 * BITS) & PLACE
                    winding = (row >> 3 * BITS) - 1
                    # Inside a chain a bridge joins nothing, and would only tie two cells together.
                    if (
                        (state[HEADER + a] | state[HEADER + b]) == 0
                        and count < len(pairs)
                        and is_joined(tables, state, cell, end, winding) == 0
                    ):
                        pairs[count] = slots[a] | (slots[b] << BITS)
                        count += 1
    return count


@kernel("i8(i8[::1], i8, i8[::1], i8[::1])")
def choose(pairs, count, rng, black):
    """Move bridges without a common cell to the front of ``pairs``; return their number.

    The slots of their cells are marked in ``black``; those of empty cells must be 0 before.
    """
    chosen = 0
    for i in range(count):
        # In random order, so that no bridge is always preferred to one that shares a cell with it.
        other = i + below(rng, count - i)
        pair = pairs[other]
        pairs[other] = pairs[i]
        a = pair & PLACE
        b = pair >> BITS
        if (black[a] | black[b]) == 0:
            black[a] = ALL
            black[b] = ALL
            pairs[chosen] = pair
            chosen += 1
    return chosen


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1])")
def fill_and_keep(tables, state, slots, bridges, rng, empty, black, pairs):
    """Write a random filling that keeps bridges into ``black``; return how many it keeps.

    ``bridges`` is the board's table, ``pairs`` scratch with ``ROOM`` numbers for each cell, which
    is enough; bridges beyond it are not kept. The rest is as in ``fill``.
    """
    count = gather(tables, state, slots, empty, black)
    chosen = find_bridges(tables, state, slots, bridges, pairs)
    if chosen > 0:
        chosen = choose(pairs, chosen, rng, black)
        left = 0
        for i in range(count):
            slot = empty[i]
            empty[left] = slot
            left += 1 if black[slot] == 0 else 0
        count = left
        # In every lane each colour gets one of the two cells, which is enough for the owner of the
        # bridge, and leaves both colours equally many cells.
        x = rng[0]
        for i in range(chosen):
            x = step(x)
            word = mixed(x)
            black[pairs[i] & PLACE] = word
            black[pairs[i] >> BITS] = ~word
        rng[0] = x
    pair_up(empty, count, state[COLOR], 1, 0, rng, black)
    return chosen

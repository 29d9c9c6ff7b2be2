"""Sets of cells in words of ``BITS`` bits."""

from __future__ import annotations

from antipodes.games.kernels.bits import popcount
from antipodes.games.kernels.header import HEADER
from antipodes.games.kernels.registry import kernel
from antipodes.search.kernels.proof_fill import BITS, trailing

UNTRIED = 0  # marks of sets
NEEDED = 1
LEFT_OUT = 2


@kernel("i8(i8[::1], i8)")
def has_cell(cells, cell):
    """Return 1 if a set has a cell, else 0."""
    return (cells[cell // BITS] >> (cell % BITS)) & 1


@kernel("i8(i8[::1], i8)")
def add_cell(cells, cell):
    """Add a cell to a set."""
    cells[cell // BITS] |= 1 << (cell % BITS)
    return 0


@kernel("i8(i8[::1], i8, i8[::1])")
def empty_cells(state, count, out):
    """Write the set of the empty ones of so many cells."""
    for w in range(len(out)):
        out[w] = 0
    for cell in range(count):
        if state[HEADER + cell] == 0:
            add_cell(out, cell)
    return 0


@kernel("i8(i8[::1], i8[:, ::1], i8, i8, i8[::1])")
def move_set(cells, images, symmetry, back, out):
    """Write the image of a set under a symmetry, or with ``back`` 1 under its inverse."""
    for w in range(len(out)):
        out[w] = 0
    if back == 1:
        for cell in range(images.shape[1] - 2):
            if has_cell(cells, images[symmetry, cell]) == 1:
                add_cell(out, cell)
        return 0
    for w in range(len(cells)):
        remaining = cells[w]
        while remaining != 0:
            low = remaining & -remaining
            remaining ^= low
            add_cell(out, images[symmetry, w * BITS + trailing(low)])
    return 0


@kernel("i8(i8[:, ::1], i8, i8[::1], i8, i8[::1])")
def leave_out(sets, count, inside, later_first, marks):
    """Mark sets that can be left out, so that the others have no more in common; return 0.

    Args:
        sets: rows, of which the first ``count`` are looked at.
        count: of the sets.
        inside: the cells that count.
        later_first: of equally large sets, whether the later one is tried first; the largest are.
        marks: of each set; those that are marked as left out before do not count.
    """
    words = sets.shape[1]
    while True:
        chosen = -1
        most = -1
        for i in range(count):
            if marks[i] == UNTRIED:
                size = 0
                for w in range(words):
                    size += popcount(sets[i, w])
                if size > most or (later_first == 1 and size == most):
                    chosen = i
                    most = size
        if chosen < 0:
            return 0
        marks[chosen] = LEFT_OUT
        for w in range(words):
            common = inside[w]
            for i in range(count):
                if marks[i] != LEFT_OUT:
                    common &= sets[i, w]
            if common & ~sets[chosen, w] != 0:
                marks[chosen] = NEEDED
                break

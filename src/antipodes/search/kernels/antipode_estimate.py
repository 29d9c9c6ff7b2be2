"""Evaluation of positions of Antipode by corners and the cells between them.

A corner flips only when a token is put on one of its three neighbours, for no slide passes over it.
So how many of these are empty tells who will have it: an own corner without empty neighbours stays,
one with a single empty neighbour is about to be lost, and so on. Hence what counts most is for each
pair of opposite corners the colour of both, their empty neighbours, and pawns on them; then, where
one colour has both, how many cells of the way between them are missing; then tokens that no other
token can flip any more. The weights were fitted to games of the search with itself,
for seven stages of the game; ``bench/antipode_weights.py`` does it again.

A position is seen by its mover: two sets of cells, ``own`` and ``other`` tokens, and two cells,
``pawn`` and ``rival``.
"""

from __future__ import annotations

from antipodes.games.antipode import Antipode
from antipodes.games.kernels.antipode import ADJACENT, CELLS, CORNERS, FULL
from antipodes.games.kernels.bits import popcount
from antipodes.games.kernels.registry import kernel

_BOARD = Antipode().topology


def _steppers(shift: int) -> int:
    """Return the cells whose number plus ``shift`` is that of a neighbour."""
    return sum(1 << c for c in range(CELLS) if c + shift in _BOARD.neighbours[c])


def _with_neighbours(count: int) -> int:
    """Return the cells that have ``count`` neighbours."""
    return sum(1 << c for c in range(CELLS) if len(_BOARD.neighbours[c]) == count)


# Cells are numbered file by file, so a neighbour's number is 1 more or less within the file, and 5
# to 9 between files.
STEP_1 = _steppers(1)
STEP_5 = _steppers(5)
STEP_6 = _steppers(6)
STEP_7 = _steppers(7)
STEP_8 = _steppers(8)
STEP_9 = _steppers(9)

EDGE = _with_neighbours(4)
INNER = _with_neighbours(6)

# Weights of a stage: two states of opposite corners as one number, the greater state first; then
# tokens of four kinds and the right to move; then for each colour the cells that a path lacks.
KINDS = 256
TURN = KINDS + 4
SHORT = KINDS + 8
FAR = 10
STAGE = SHORT + 2 * FAR
STAGES = 7
EMPTY_IN_A_STAGE = 8  # cells

SCRATCH = 32
LIMIT = 20_000  # of an estimate
UNIT = 250  # of an estimate, for log odds of 1
FINE = 16  # weights are in sixteenths of that


@kernel("i8(i8)")
def spread(cells):
    """Return a set of cells with all their neighbours."""
    return (
        cells
        | ((cells & STEP_1) << 1)
        | ((cells >> 1) & STEP_1)
        | ((cells & STEP_5) << 5)
        | ((cells >> 5) & STEP_5)
        | ((cells & STEP_6) << 6)
        | ((cells >> 6) & STEP_6)
        | ((cells & STEP_7) << 7)
        | ((cells >> 7) & STEP_7)
        | ((cells & STEP_8) << 8)
        | ((cells >> 8) & STEP_8)
        | ((cells & STEP_9) << 9)
        | ((cells >> 9) & STEP_9)
    )


@kernel("i8(i8, i8, i8)")
def missing_cells(tokens, corner, opposite):
    """Return how many more cells a path between two corners needs; the first is in ``tokens``."""
    found = 1 << corner
    goal = 1 << opposite
    short = 0
    while True:
        wider = found | (spread(found) & tokens)
        while wider != found:
            found = wider
            wider = found | (spread(found) & tokens)
        if (found & goal) != 0:
            return short
        found = spread(found)
        short += 1


@kernel("i8(i8[::1], i8, i8, i8, i8)")
def corner_state(tables, own, pawns, empty, corner):
    """Return 0 to 15: the empty neighbours of a corner; 4 more if not own, 8 more under a pawn."""
    state = popcount(tables[ADJACENT + corner] & empty)
    if (own & (1 << corner)) == 0:
        state += 4
    if (pawns & (1 << corner)) != 0:
        state += 8
    return state


@kernel("i8(i8[::1], i8, i8, i8, i8, i8[::1])")
def features(tables, own, other, pawn, rival, out):
    """Write which weights count how often, two numbers each; return how many numbers.

    The number after the last is how many cells the mover's shortest way is short of, 9 if no pair
    of corners is its own. ``out`` has room for ``SCRATCH`` numbers.
    """
    empty = FULL & ~(own | other)
    pawns = (1 << pawn) | (1 << rival)
    base = min(popcount(empty) // EMPTY_IN_A_STAGE, STAGES - 1) * STAGE
    shortest = FAR - 1
    n = 0
    for pair in range(3):
        corner = tables[CORNERS + pair]
        opposite = tables[CORNERS + pair + 3]
        one = corner_state(tables, own, pawns, empty, corner)
        two = corner_state(tables, own, pawns, empty, opposite)
        out[n] = base + 16 * max(one, two) + min(one, two)
        out[n + 1] = 1
        n += 2
        if ((one | two) & 4) == 0:
            short = missing_cells(own, corner, opposite)
            shortest = min(shortest, short)
            out[n] = base + SHORT + short
            out[n + 1] = 1
            n += 2
        elif (one & two & 4) != 0:
            out[n] = base + SHORT + FAR + missing_cells(other, corner, opposite)
            out[n + 1] = 1
            n += 2
    settled = ~spread(empty)
    own_settled = own & settled
    other_settled = other & settled
    out[n] = base + KINDS
    out[n + 1] = popcount(own_settled & EDGE) - popcount(other_settled & EDGE)
    out[n + 2] = base + KINDS + 1
    out[n + 3] = popcount(own_settled & INNER) - popcount(other_settled & INNER)
    out[n + 4] = base + KINDS + 2
    out[n + 5] = popcount(own & EDGE) - popcount(other & EDGE)
    out[n + 6] = base + KINDS + 3
    out[n + 7] = popcount(own & INNER) - popcount(other & INNER)
    out[n + 8] = base + TURN
    out[n + 9] = 1
    out[n + 10] = shortest
    return n + 10


@kernel("i8(i8[::1], i8[::1], i8, i8, i8, i8, i8[::1])")
def estimate(tables, weights, own, other, pawn, rival, scratch):
    """Return the value of an unfinished position for the mover, from -LIMIT to LIMIT.

    How many cells the mover's shortest way is short of is then in ``scratch[0]``.
    """
    n = features(tables, own, other, pawn, rival, scratch)
    score = 0
    for i in range(0, n, 2):
        score += weights[scratch[i]] * scratch[i + 1]
    scratch[0] = scratch[n]
    return max(-LIMIT, min(LIMIT, score // FINE))

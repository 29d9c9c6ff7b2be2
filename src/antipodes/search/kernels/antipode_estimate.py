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
# More than the paths of all pairs add to an estimate, except in rare positions.
EARLY_PATHS = 200
LATE_PATHS = 450
LATE_STAGE = 4  # stages below are late
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
    reached = 1 << corner
    goal = 1 << opposite
    short = 0
    # Sets of cells in place of a search cell by cell: along the tokens as far as they lead, then
    # one step over any cell, which is one more that the path lacks.
    while True:
        wider = reached | (spread(reached) & tokens)
        while wider != reached:
            reached = wider
            wider = reached | (spread(reached) & tokens)
        if (reached & goal) != 0:
            return short
        reached = spread(reached)
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


@kernel("i8(i8)")
def first_weight(empty):
    """Return the index of the first weight of a stage."""
    return min(popcount(empty) // EMPTY_IN_A_STAGE, STAGES - 1) * STAGE


@kernel("i8(i8[::1], i8, i8, i8, i8, i8[::1])")
def corner_features(tables, own, other, pawn, rival, out):
    """Write which weights of corners and tokens count how often, two numbers for each feature.

    Return how many numbers; ``out`` has room for ``SCRATCH``.
    """
    empty = FULL & ~(own | other)
    pawns = (1 << pawn) | (1 << rival)
    base = first_weight(empty)
    for pair in range(3):
        first = corner_state(tables, own, pawns, empty, tables[CORNERS + pair])
        second = corner_state(tables, own, pawns, empty, tables[CORNERS + pair + 3])
        out[2 * pair] = base + 16 * max(first, second) + min(first, second)
        out[2 * pair + 1] = 1
    settled = ~spread(empty)
    own_settled = own & settled
    other_settled = other & settled
    out[6] = base + KINDS
    out[7] = popcount(own_settled & EDGE) - popcount(other_settled & EDGE)
    out[8] = base + KINDS + 1
    out[9] = popcount(own_settled & INNER) - popcount(other_settled & INNER)
    out[10] = base + KINDS + 2
    out[11] = popcount(own & EDGE) - popcount(other & EDGE)
    out[12] = base + KINDS + 3
    out[13] = popcount(own & INNER) - popcount(other & INNER)
    out[14] = base + TURN
    out[15] = 1
    return 16


@kernel("i8(i8[::1], i8, i8, i8[::1])")
def path_features(tables, own, other, out):
    """Write the features of the paths between corners, as :func:`corner_features` does."""
    base = first_weight(FULL & ~(own | other)) + SHORT
    n = 0
    for pair in range(3):
        corner = tables[CORNERS + pair]
        opposite = tables[CORNERS + pair + 3]
        ends = (1 << corner) | (1 << opposite)
        if (own & ends) == ends:
            out[n] = base + missing_cells(own, corner, opposite)
        elif (other & ends) == ends:
            out[n] = base + FAR + missing_cells(other, corner, opposite)
        else:
            continue
        out[n + 1] = 1
        n += 2
    return n


@kernel("i8(i8[::1], i8[::1], i8)")
def weighted(weights, features, n):
    """Return the sum of the weights of features."""
    score = 0
    for i in range(0, n, 2):
        score += weights[features[i]] * features[i + 1]
    return score


@kernel("i8(i8[::1], i8[::1], i8, i8, i8, i8, i8[::1], i8, i8)")
def estimate(tables, weights, own, other, pawn, rival, scratch, low, high):
    """Return the value of an unfinished position for the mover, from -LIMIT to LIMIT.

    Values of at most ``low`` or at least ``high`` may be inexact: where the value without paths is
    far outside, paths are left out.
    """
    score = weighted(weights, scratch, corner_features(tables, own, other, pawn, rival, scratch))
    late = popcount(FULL & ~(own | other)) < LATE_STAGE * EMPTY_IN_A_STAGE
    paths = LATE_PATHS if late else EARLY_PATHS
    if low - paths < score // FINE < high + paths:
        score += weighted(weights, scratch, path_features(tables, own, other, scratch))
    return max(-LIMIT, min(LIMIT, score // FINE))

"""Wins of Antipode in one turn.

The *rim* of a corner are the cells beside its chain. Tokens join two opposite corners only when
they gain a cell of both rims, so most turns need no search for a path.
"""

from __future__ import annotations

from antipodes.games.kernels.antipode import (
    ADJACENT,
    BETWEEN,
    CELLS,
    CORNERS,
    FULL,
    REACH,
    missing,
)
from antipodes.games.kernels.bits import lowest
from antipodes.games.kernels.registry import kernel

RIMS = 6  # numbers of the rims of all corners


@kernel("i8(i8[::1], i8, i8)")
def rim(tables, tokens, corner):
    """Return the cells beside the chain of a corner, or the corner if its token is missing."""
    reached = 1 << corner
    if (tokens & reached) == 0:
        return reached
    beside = 0
    edge = reached
    while edge != 0:
        near = tables[ADJACENT + lowest(edge)]
        edge &= edge - 1
        beside |= near
        edge |= near & tokens & ~reached
        reached |= near & tokens
    return beside & ~tokens


@kernel("i8(i8[::1], i8, i8[::1], i8)")
def write_rims(tables, tokens, out, at):
    """Write the rims of all corners in order round the board."""
    for i in range(RIMS):
        out[at + i] = rim(tables, tokens, tables[CORNERS + i])
    return 0


@kernel("i8(i8[::1], i8, i8)")
def reaches(rims, at, cells):
    """Return 1 if cells meet both rims of a pair of opposite corners."""
    for pair in range(3):
        if (cells & rims[at + pair]) != 0 and (cells & rims[at + pair + 3]) != 0:
            return 1
    return 0


@kernel("i8(i8[::1], i8, i8)")
def lines_of(tables, pawn, reach):
    """Return the cells that a pawn passes on its way to any cell that it reaches."""
    passed = 0
    while reach != 0:
        passed |= tables[BETWEEN + pawn * CELLS + lowest(reach)]
        reach &= reach - 1
    return passed


@kernel("i8(i8[::1], i8, i8[::1], i8, i8)")
def joins(tables, tokens, rims, at, gained):
    """Return 1 if tokens join two opposite corners, with the rims before they gained some cells."""
    for pair in range(3):
        if (gained & rims[at + pair]) != 0 and (gained & rims[at + pair + 3]) != 0:
            if missing(tables, tokens, pair) == 0:
                return 1
    return 0


@kernel("i8(i8[::1], i8)")
def is_joined(tables, tokens):
    """Return 1 if tokens join two opposite corners."""
    for pair in range(3):
        if missing(tables, tokens, pair) == 0:
            return 1
    return 0


@kernel("i8(i8[::1], i8, i8, i8, i8, i8[::1], i8)")
def wins_at_once(tables, own, other, pawn, rival, rims, at):
    """Return 1 if the mover has a turn that joins its corners; write the rims of its corners."""
    write_rims(tables, own, rims, at)
    occupied = own | other
    loose = occupied & ~((1 << pawn) | (1 << rival))
    reach = tables[REACH + pawn * CELLS + rival]
    lines = lines_of(tables, pawn, reach)
    empty = FULL & ~occupied
    while empty != 0:
        cell = lowest(empty)
        empty &= empty - 1
        around = tables[ADJACENT + cell] & loose
        placed = 1 << cell
        if reaches(rims, at, placed | ((around | lines) & other)) == 0:
            continue
        rests = ((own ^ around) | placed) & reach
        while rests != 0:
            target = lowest(rests)
            rests &= rests - 1
            passed = tables[BETWEEN + pawn * CELLS + target] & (occupied | placed)
            then = (own | placed) ^ around ^ passed
            if joins(tables, then, rims, at, then & ~own) == 1:
                return 1
    return 0

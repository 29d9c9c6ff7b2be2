"""Random games of Antipode, with the whole board in a few 64-bit words.

Every legal turn has the same probability, but data that a random game does not need are left out:
no hash, no list of turns. Wins are checked only when a colour gains one of the cells that it was
missing, which is rare.
"""

from __future__ import annotations

from antipodes.games.kernels.antipode import (
    ADJACENT,
    BETWEEN,
    CELLS,
    FULL,
    LOSS,
    PAWNS,
    REACH,
    TOKENS,
    missing,
    most_rests,
)
from antipodes.games.kernels.bits import advance, lowest, popcount
from antipodes.games.kernels.header import COLOR, DRAW, SEAT, WINNER
from antipodes.games.kernels.registry import LISTING, kernel

# Parts of the work array: the empty cells, then for each colour the cells that it is missing for
# each pair of corners, and their union.
MISSING = CELLS
WORK = CELLS + 8

PATIENCE = 32  # failed draws before a check whether there is any turn


@kernel("i8(i8[::1], i8[::1], i8, i8, i8)")
def update_missing_cells(tables, work, at, tokens, gained):
    """Return 1 if a colour's tokens join two corners; else update the cells that it is missing.

    ``at`` is the start of the colour's part of the work array, ``gained`` the tokens that it has
    gained since the last update.
    """
    needed = 0
    for pair in range(3):
        if (work[at + pair] & gained) != 0:
            work[at + pair] = missing(tables, tokens, pair)
            if work[at + pair] == 0:
                return 1
        needed |= work[at + pair]
    work[at + 3] = needed
    return 0


@kernel("i8(i8[::1], i8, i8, i8, i8)")
def is_stuck(tables, own, empty, loose, reach):
    """Return 1 if no token on an empty cell leaves the pawn a resting place within ``reach``.

    ``loose`` are the tokens of either colour without a pawn.
    """
    while empty != 0:
        cell = lowest(empty)
        empty &= empty - 1
        flipped = tables[ADJACENT + cell] & loose
        if (((own ^ flipped) | (1 << cell)) & reach) != 0:
            return 0
    return 1


@kernel(LISTING)
def playout(tables, state, work, rng):
    """Play a random game to its end; return its winner.

    Winner, tokens, pawns and the colour to move are then in the state; the rest is left as it was.
    """
    if state[WINNER] != 0:
        return state[WINNER]
    color = state[COLOR]
    own = state[TOKENS + color]
    other = state[TOKENS + 1 - color]
    pawn = state[PAWNS + color]
    rival = state[PAWNS + 1 - color]
    count = 0
    left = FULL & ~(own | other)
    while left != 0:
        work[count] = lowest(left)
        left &= left - 1
        count += 1
    start = count
    for i in range(2):
        at = MISSING + 4 * i
        for pair in range(3):
            work[at + pair] = missing(tables, state[TOKENS + i], pair)
        work[at + 3] = work[at] | work[at + 1] | work[at + 2]
    winner = 0
    while winner == 0:
        if count == 0:
            winner = 2 - color if tables[LOSS] == 1 else DRAW
            break
        reach = tables[REACH + pawn * CELLS + rival]
        loose = (own | other) & ~((1 << pawn) | (1 << rival))
        bound = most_rests(own, other, reach)
        place = 0
        cell = 0
        flipped = 0
        rests = 0
        skip = 0
        tries = 0
        while True:
            # Each pair of an empty cell and an index below the bound is equally probable, and
            # stands for one turn or none; so the accepted ones are uniform over all turns, which
            # are never listed.
            x = advance(rng)
            place = (((x >> 32) & 0xFFFFFFFF) * count) >> 32
            skip = ((x & 0xFFFFFFFF) * bound) >> 32
            cell = work[place]
            flipped = tables[ADJACENT + cell] & loose
            rests = ((own ^ flipped) | (1 << cell)) & reach
            if popcount(rests) > skip:
                break
            tries += 1
            if tries % PATIENCE == 0:
                empty = FULL & ~(own | other)
                if is_stuck(tables, own, empty, loose, reach) == 1:
                    winner = 2 - color
                    break
        if winner != 0:
            break
        while skip > 0:
            rests &= rests - 1
            skip -= 1
        target = lowest(rests)
        count -= 1
        work[place] = work[count]
        placed = 1 << cell
        flipped ^= tables[BETWEEN + pawn * CELLS + target] & (own | other | placed)
        own_then = (own | placed) ^ flipped
        other_then = other ^ flipped
        at = MISSING + 4 * color
        if (own_then & ~own & work[at + 3]) != 0:
            if update_missing_cells(tables, work, at, own_then, own_then & ~own) == 1:
                winner = 1 + color
        at = MISSING + 4 - 4 * color
        if (other_then & ~other & work[at + 3]) != 0:
            if update_missing_cells(tables, work, at, other_then, other_then & ~other) == 1:
                winner = 2 - color
        own = other_then
        other = own_then
        pawn, rival = rival, target
        color = 1 - color
    for i in range(max(start, WORK)):
        work[i] = 0
    state[WINNER] = winner
    state[COLOR] = color
    state[SEAT] = color
    state[TOKENS + color] = own
    state[TOKENS + 1 - color] = other
    state[PAWNS + color] = pawn
    state[PAWNS + 1 - color] = rival
    return winner

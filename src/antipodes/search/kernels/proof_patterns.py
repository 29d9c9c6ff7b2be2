"""Patterns of proven positions: stones and empty cells with which a colour wins anywhere.

A pattern holds where a colour has the stones of its *base*, and the other colour none in its
*carrier*. All other cells may be the other colour's.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import COLOR, HEADER
from antipodes.games.kernels.placement import CELLS, DEGREE, NEIGHBOURS
from antipodes.games.kernels.registry import I8, I8_2, Int, kernel

BITS = 62  # in a word

BASE = 0  # sets of a pattern
CARRIER = 1

I8_3 = Annotated[npt.NDArray[np.int64], "i8[:,:,::1]"]


class Patterns(NamedTuple):
    """The patterns with which each colour wins if it is to move.

    Attributes:
        sets: base and carrier of each; the first half has Black's, the other one White's.
        counts: how many were added for each colour, forgotten ones too; then how many of these.
        moves: scratch: a set of moves, those that no pattern has refuted.
        base: scratch.
        stack: scratch.
        views: scratch, two rows for each symmetry.
        carriers: those of the patterns that refuted moves.
    """

    sets: I8_3
    counts: I8
    moves: I8
    base: I8
    stack: I8
    views: I8_2
    carriers: I8_2


@kernel("i8(i8[::1], i8[::1], i8, i8[::1], i8[::1], i8[::1])")
def find_base(tables, state, color, carrier, base, stack):
    """Write the stones of ``color`` in chains that touch a carrier; return how many there are.

    ``stack`` has room for all cells, twice. Chains end at borders.
    """
    cells = tables[CELLS]
    degree = tables[DEGREE]
    for w in range(len(base)):
        base[w] = 0
    depth = 0
    for cell in range(cells):
        if (carrier[cell // BITS] >> (cell % BITS)) & 1:
            stack[depth] = cell
            depth += 1
    count = 0
    while depth > 0:
        depth -= 1
        cell = stack[depth]
        for i in range(cell * degree, (cell + 1) * degree):
            node = tables[tables[NEIGHBOURS] + i]
            if node < 0 or node >= cells or state[HEADER + node] != 1 + color:
                continue
            if (base[node // BITS] >> (node % BITS)) & 1 == 0:
                base[node // BITS] |= 1 << (node % BITS)
                stack[depth] = node
                depth += 1
                count += 1
    return count


@kernel(
    "i8(i8[::1], i8[::1], i8, i8[:, ::1], i8[:, :, ::1], i8, i8, i8[::1], i8[:, ::1], i8[:, ::1])"
)
def match(tables, state, color, images, patterns, first, last, moves, views, carriers):
    """Find patterns that hold in a position, and reduce a set of moves to those in all carriers.

    Args:
        tables: of the game.
        state: of the position, with the other colour to move.
        color: of the patterns.
        images: of the cells under each symmetry, in rows.
        patterns: base and carrier of each.
        first: pattern to look at.
        last: pattern, not included.
        moves: that no pattern has refuted so far; becomes smaller.
        views: scratch, two rows for each symmetry.
        carriers: gets the empty cells of each carrier that made the set smaller.

    Returns:
        How many patterns were found. The search ends when no move is left.
    """
    cells = tables[CELLS]
    words = patterns.shape[2]
    symmetries = images.shape[0]
    # The position is turned once for each symmetry, rather than each of the many patterns.
    for s in range(symmetries):
        # Images of the cells that the color does not own, and of those that the other one does.
        for w in range(words):
            views[2 * s, w] = 0
            views[2 * s + 1, w] = 0
        for cell in range(cells):
            owner = state[HEADER + cell]
            if owner != 1 + color:
                image = images[s, cell]
                views[2 * s, image // BITS] |= 1 << (image % BITS)
                if owner != 0:
                    views[2 * s + 1, image // BITS] |= 1 << (image % BITS)
    count = 0
    for p in range(last - 1, first - 1, -1):
        for s in range(symmetries):
            bad = 0
            for w in range(words):
                bad |= patterns[p, BASE, w] & views[2 * s, w]
                bad |= patterns[p, CARRIER, w] & views[2 * s + 1, w]
            if bad != 0:
                continue
            for w in range(words):
                carriers[count, w] = 0
            for cell in range(cells):
                image = images[s, cell]
                inside = (patterns[p, CARRIER, image // BITS] >> (image % BITS)) & 1
                if inside == 1 and state[HEADER + cell] == 0:
                    carriers[count, cell // BITS] |= 1 << (cell % BITS)
            left = 0
            refuted = 0
            for w in range(words):
                refuted |= moves[w] & ~carriers[count, w]
                moves[w] &= carriers[count, w]
                left |= moves[w]
            if refuted != 0:
                count += 1
            if left == 0 or count == carriers.shape[0]:
                return count
    return count


@kernel()
def find_patterns(tables: I8, state: I8, images: I8_2, patterns: Patterns, first: Int) -> Int:
    """Find patterns of the side that is not to move which refute some of ``moves``.

    They become fewer. ``first`` is how many patterns were compared before. Return how many refuted
    moves; ``carriers`` has theirs.
    """
    color = 1 - state[COLOR]
    capacity = patterns.sets.shape[0] // 2
    forgotten = patterns.counts[2 + color]
    return match(
        tables,
        state,
        color,
        images,
        patterns.sets,
        color * capacity + max(first - forgotten, 0),
        color * capacity + patterns.counts[color] - forgotten,
        patterns.moves,
        patterns.views,
        patterns.carriers,
    )


@kernel()
def add_pattern(tables: I8, state: I8, carrier: I8, patterns: Patterns) -> Int:
    """Add the pattern of a position that the side to move wins with a carrier.

    A full half of the patterns forgets the older half of them.
    """
    color = state[COLOR]
    counts = patterns.counts
    capacity = patterns.sets.shape[0] // 2
    sets = patterns.sets[color * capacity : (color + 1) * capacity]
    base = patterns.base
    find_base(tables, state, color, carrier, base, patterns.stack)
    count = counts[color] - counts[2 + color]
    for p in range(count):
        same = 1
        for w in range(len(base)):
            if sets[p, BASE, w] != base[w] or sets[p, CARRIER, w] != carrier[w]:
                same = 0
                break
        if same == 1:
            return 0
    if count == capacity:
        count = capacity // 2
        for p in range(count):
            copy(sets[capacity - count + p, BASE], sets[p, BASE])
            copy(sets[capacity - count + p, CARRIER], sets[p, CARRIER])
        counts[2 + color] += count
    copy(base, sets[count, BASE])
    copy(carrier, sets[count, CARRIER])
    counts[color] += 1
    return 1


@kernel("i8(i8[:, :, ::1], i8[::1], i8, i8[:, ::1], i8)")
def find_line(needs, safe, count, there, loser_moves):
    """Return the last line of a proof that holds in a position, or -1.

    Args:
        needs: base and carrier of each line.
        safe: 1 for lines that hold although the other side is to move.
        count: of the lines.
        there: the points that the winner owns, and the empty ones.
        loser_moves: 1 if the other side is to move.
    """
    words = needs.shape[2]
    for line in range(count - 1, -1, -1):
        missing = loser_moves & ~safe[line]
        for w in range(words):
            missing |= needs[line, BASE, w] & ~there[0, w]
            missing |= needs[line, CARRIER, w] & ~there[1, w]
        if missing == 0:
            return line
    return -1

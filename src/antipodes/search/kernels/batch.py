"""Sixty-four random games in one word: playouts of the placement games to a full board.

Stones stay, and on a full board exactly one colour has won; so a random game is a random filling of
the empty cells. A word holds a cell in 64 games, a lane each: a one is Black. The empty cells are
paired at random; each pair gets a random word and its complement, so that in every lane both
colours fill equally many cells and every filling has the same probability. A left-over cell goes to
the colour to move. Lanes share the pairing, which makes the variance of a batch's mean about a
tenth larger than that of 64 independent games.

One flood finds the winners: Black's lanes spread from one terminal to the other, in sweeps forwards
and backwards over the cells until nothing changes. For that the cells are renumbered as *slots*, so
that neighbours are near each other but seldom adjacent; the sweep forwards reads three neighbours
of each slot, which mostly precede it, and the sweep backwards the others.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from antipodes.boards import Topology
from antipodes.games.kernels.bits import step
from antipodes.games.kernels.header import COLOR, HEADER
from antipodes.games.kernels.placement import CELLS, DEGREE, NEIGHBOURS, SOURCE, TARGET
from antipodes.games.kernels.registry import I8, U4, Int, kernel

LANES = 64
ALL = -1  # every lane

# The three slots that a sweep reads are packed into one word of 32 bits.
SIDE = 3
BITS = 10
NAME = (1 << BITS) - 1

# Masks that change no number here. They tell the compiler that an index is not negative, so that it
# need not handle indices that count from the end.
LOW = 0xFFFFFFFF
PLACE = 0xFFFF
WORD = 0xFFFFFF

Words = npt.NDArray[np.int64]
Names = npt.NDArray[np.uint32]


class FloodLayout(NamedTuple):
    """The board of a placement game for the flood.

    Attributes:
        slots: cell -> slot.
        ahead: for each slot three neighbouring ones, for the sweep forwards, ``BITS`` bits each;
            gaps name the slot after the last. After them come the loose steps, each in one word:
            from a slot to one that the sweep has passed before it changes.
        behind: the other three, for the sweep backwards.
        sources: for each slot all lanes if Black's first terminal is there, else none.
        targets: the same for the second terminal.
    """

    slots: I8
    ahead: U4
    behind: U4
    sources: I8
    targets: I8


def flood_layout(board: Topology, tables: Words) -> FloodLayout:
    """Return the layout of a placement game's board."""
    cells = board.cell_count
    slots = np.zeros(cells, np.int64)
    # In this direction neighbours are one or two steps apart, so that many slots lie between them.
    depth = [places[0].x + 3**0.5 * places[0].y for places in board.places_of]
    for slot, cell in enumerate(
        sorted(range(cells), key=lambda cell: (round(depth[cell], 6), cell))
    ):
        slots[cell] = slot
    ahead: list[list[int]] = [[]] * cells
    behind: list[list[int]] = [[]] * cells
    loose: list[list[int]] = []
    for cell, slot in enumerate(slots.tolist()):
        near = sorted(int(slots[other]) for other in board.neighbours[cell])
        before = sum(other < slot for other in near)
        # On a closed board more than three may be on one side; any division is right.
        split = min(max(before, len(near) - SIDE), SIDE)
        ahead[slot], behind[slot] = near[:split], near[split:]
        loose += [[other, slot] for other in near[min(before, split) : max(before, split)]]
    return FloodLayout(
        slots=slots,
        ahead=_packed(ahead + loose, cells),
        behind=_packed(behind, cells),
        sources=_terminal(tables, slots, int(tables[SOURCE])),
        targets=_terminal(tables, slots, int(tables[TARGET])),
    )


def _packed(rows: list[list[int]], gap: int) -> Names:
    full = (row + [gap] * (SIDE - len(row)) for row in rows)
    return np.array(
        [sum(name << BITS * place for place, name in enumerate(row)) for row in full], np.uint32
    )


def _terminal(tables: Words, slots: Words, node: int) -> Words:
    """Mark the slot of a terminal, or, if it is a border, those beside it."""
    words = np.zeros(len(slots), np.int64)
    degree = int(tables[DEGREE])
    for cell, slot in enumerate(slots.tolist()):
        steps = tables[NEIGHBOURS] + cell * degree
        if cell == node or (node >= len(slots) and node in tables[steps : steps + degree]):
            words[slot] = ALL
    return words


@kernel("i8(i8)")
def count_ones(x):
    """Return the number of one bits of a word; compilers make one instruction of the loop."""
    count = 0
    if x < 0:
        count = 1
        x &= 0x7FFFFFFFFFFFFFFF
    while x != 0:
        x &= x - 1
        count += 1
    return count


@kernel("i8(i8)")
def mixed(x):
    """Return 64 random bits made of a random generator's state."""
    # The generator is linear over bits; a product of two other bits with each bit breaks that.
    # These bits come from rotating the word, so that all lanes are treated alike.
    right = ((x >> 31) & 0x1FFFFFFFF) | (x << 33)
    left = (x << 11) | ((x >> 53) & 0x7FF)
    return x ^ (right & left)


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8[::1])")
def gather(tables, state, slots, empty, black):
    """Write the stones into ``black``, the slots of the empty cells into ``empty``; count these."""
    count = 0
    for cell in range(tables[CELLS]):
        owner = state[HEADER + cell]
        slot = slots[cell]
        # All lanes, -1, for a black stone, whose owner is 1; none for White's, 2, and for empty
        # cells.
        black[slot] = -(owner & 1)
        # Always written, and kept if empty: faster than a mispredicted branch.
        empty[count] = slot
        count += 1 if owner == 0 else 0
    return count


@kernel("i8(i8[::1], i8, i8, i8, i8, i8[::1], i8[::1])")
def pair_up(empty, count, color, width, column, rng, black):
    """Fill the first ``count`` slots of ``empty`` at random; return 0.

    The slots are paired, and every pair gets a random word and its complement. A slot that is left
    over goes to ``color``. The words of a slot are ``width`` in ``black``; that of ``column`` is
    written.
    """
    x = step(rng[0])
    # Partners are drawn from a separate stream, so that they need not wait for the words.
    y = mixed(x) | 1
    if count % 2 == 1:
        y = step(y)
        i = ((y & LOW) * count) >> 32
        count -= 1
        slot = empty[i & PLACE]
        empty[i & PLACE] = empty[count]
        empty[count] = slot
        black[(slot * width + column) & WORD] = ALL if color == 0 else 0
    while count > 0:
        # One draw is used for two pairs.
        if count % 4 == 0:
            y = step(y)
            draw = y & LOW
        else:
            draw = (y >> 32) & LOW
        count -= 1
        slot = empty[count]
        i = ((draw * count) >> 32) & PLACE
        partner = empty[i]
        count -= 1
        empty[i] = empty[count]
        empty[count] = partner
        x = step(x)
        word = mixed(x)
        black[(slot * width + column) & WORD] = word
        black[(partner * width + column) & WORD] = ~word
    rng[0] = x
    return 0


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1])")
def fill(tables, state, slots, rng, empty, black):
    """Write a random filling of a position into ``black``, a word for each slot; return 0."""
    count = gather(tables, state, slots, empty, black)
    return pair_up(empty, count, state[COLOR], 1, 0, rng, black)


@kernel("i8(u4[::1], i8, i8, i8, i8[::1], i8[::1])")
def sweep(near, cells, first, ahead, black, reached):
    """Spread Black's lanes once over all slots, from ``first`` on; return the lanes that spread.

    The next slot is ``ahead``: 1 or -1.
    """
    changed = 0
    for i in range(cells):
        slot = (first + i * ahead) & PLACE
        names = near[slot]
        # Slots change in place, so later ones of the sweep see it, and a chain that runs in the
        # direction of the sweep is followed to its end at once.
        old = reached[slot]
        new = reached[names & NAME] | reached[(names >> BITS) & NAME] | reached[names >> 2 * BITS]
        new = (new | old) & black[slot]
        changed |= new ^ old
        reached[slot] = new
    return changed


@kernel("i8(u4[::1], i8, i8[::1], i8[::1])")
def passed_by(near, cells, black, reached):
    """Return the lanes that must still spread by a loose step."""
    lanes = 0
    for i in range(cells, len(near)):
        slot = (near[i] >> BITS) & NAME
        lanes |= reached[near[i] & NAME] & black[slot] & ~reached[slot]
    return lanes


@kernel()
def flood(layout: FloodLayout, black: I8, reached: I8) -> Int:
    """Spread Black's lanes from the sources; return the lanes that reach a target.

    ``reached`` has a word more than there are slots; it is scratch.
    """
    ahead = layout.ahead
    behind = layout.behind
    sources = layout.sources
    targets = layout.targets
    cells = len(sources)
    for slot in range(cells):
        reached[slot] = black[slot] & sources[slot]
    reached[cells] = 0
    sweep(ahead, cells, 0, 1, black, reached)
    forwards = 0
    while True:
        if forwards == 1:
            changed = sweep(ahead, cells, 0, 1, black, reached)
        else:
            changed = sweep(behind, cells, cells - 1, -1, black, reached)
        forwards = 1 - forwards
        won = 0
        for slot in range(cells):
            won |= reached[slot] & targets[slot]
        # A sweep that changes nothing ends the flood: all that the one before it read still holds,
        # and both together read all neighbours but those of the loose steps. Lanes that are won may
        # spread as they like.
        if (changed & ~won) == 0 and (passed_by(ahead, cells, black, reached) & ~won) == 0:
            return won


@kernel()
def black_wins(
    tables: I8,
    state: I8,
    layout: FloodLayout,
    rng: I8,
    empty: I8,
    black: I8,
    reached: I8,
    batches: Int,
) -> Int:
    """Return how many of 64 random games in each batch Black wins."""
    total = 0
    for _ in range(batches):
        fill(tables, state, layout.slots, rng, empty, black)
        total += count_ones(flood(layout, black, reached))
    return total

"""The transposition table of Antipode's search."""

from __future__ import annotations

from antipodes.games.kernels.registry import kernel

# The transposition table has four numbers for each entry: own and other tokens, pawns, and the
# packed data. Threads share it and write without locks, so an entry may be a mixture of two.
# Therefore the first three numbers are stored exclusive-or the data (Robert Hyatt and Tim Mann, "A
# lockless transposition-table implementation for parallel search", 2002): a mixed entry fits no
# position.
ENTRY = 4
EXACT = 0
LOWER = 1
UPPER = 2


@kernel("i8(i8, i8, i8, i8)")
def table_slot(own, other, pawns, mask):
    """Return the index of a position's entry in the table."""
    low = 0xFFFFFFFF
    # Factors below 2**31 keep the products in 63 bits, in Python as in machine code.
    mixed = (own & low) * 0x5BD1E995
    mixed ^= (own >> 32) * 0x1B873593
    mixed ^= mixed >> 29
    mixed ^= (other & low) * 0x2C1B3C6D
    mixed ^= (other >> 32) * 0x297A2D39
    mixed ^= pawns * 0x4F1BBCDC
    mixed ^= mixed >> 32
    mixed ^= mixed >> 17
    return (mixed & mask) * ENTRY


@kernel("i8(i8[::1], i8, i8, i8, i8)")
def probe_table(table, at, own, other, pawns):
    """Return the data of a position's entry at an index of the table; 0 if there is none."""
    rest = table[at + 3]
    if table[at] ^ rest == own and table[at + 1] ^ rest == other and table[at + 2] ^ rest == pawns:
        return rest
    return 0

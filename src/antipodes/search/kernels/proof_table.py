"""The transposition table of a proof search, as keyed rows."""

from __future__ import annotations

from antipodes.games.kernels.registry import Int, kernel
from antipodes.search.kernels.keyed_rows import (
    CAPACITY,
    COUNT,
    KeyedRows,
    add_row,
    find_row,
    forget_rows,
)

# Columns of a row after its key.
PROOF = 1
DISPROOF = 2
WORK = 3  # positions evaluated below
CHANGED = 4  # 1 since the entry was put
CARRIER = 5  # of the winner once it is known, in the frame of the key: the first of its words

INFINITY = 1 << 60


@kernel()
def count_work(table: KeyedRows, most: Int) -> Int:
    """Return how many entries have at most so much work."""
    count = 0
    for row in range(table.numbers[COUNT]):
        if table.rows[row, WORK] <= most:
            count += 1
    return count


@kernel()
def drop_half(table: KeyedRows) -> Int:
    """Drop the half of the entries with the least work, of equal ones the older."""
    rows = table.rows
    count = table.numbers[COUNT]
    half = count // 2
    low = 0
    high = INFINITY
    while low < high:
        middle = (low + high) // 2
        if count_work(table, middle) >= half:
            high = middle
        else:
            low = middle + 1
    equal = half - count_work(table, low - 1)
    left = 0
    for row in range(count):
        work = rows[row, WORK]
        if work > low or (work == low and equal <= 0):
            for column in range(rows.shape[1]):
                rows[left, column] = rows[row, column]
            left += 1
        elif work == low:
            equal -= 1
    return forget_rows(table, left)


@kernel()
def put_entry(table: KeyedRows, key: Int, proof: Int, disproof: Int, work: Int) -> Int:
    """Store an entry without a carrier, and return its row; a full table first drops a half."""
    rows = table.rows
    row = find_row(table, key)
    if row < 0:
        if table.numbers[COUNT] >= table.numbers[CAPACITY]:
            drop_half(table)
        row = add_row(table, key)
    rows[row, PROOF] = proof
    rows[row, DISPROOF] = disproof
    rows[row, WORK] = work
    rows[row, CHANGED] = 1
    for column in range(CARRIER, rows.shape[1]):
        rows[row, column] = 0
    return row

"""Rows of numbers that are found by a key: an index of places in a table that grows by rows."""

from __future__ import annotations

from typing import NamedTuple

from antipodes.games.kernels.registry import I8, I8_2, Int, kernel

KEY = 0  # column of the rows

COUNT = 0  # rows in use
CAPACITY = 1  # most rows
NUMBERS = 2


class KeyedRows(NamedTuple):
    """Rows in the order in which they were added.

    Attributes:
        rows: their first column has the key.
        places: 1 + a row at the place of its key or behind; a power of two, twice as many as rows.
        numbers: how many rows there are, and how many there may be.
    """

    rows: I8_2
    places: I8
    numbers: I8


@kernel("i8(i8, i8)")
def first_place(key, size):
    """Return where the search for a key begins in an index of a size."""
    return (key ^ (key >> 32)) & (size - 1)


@kernel()
def find_row(keyed: KeyedRows, key: Int) -> Int:
    """Return the row of a key, or -1."""
    places = keyed.places
    place = first_place(key, len(places))
    while places[place] != 0:
        row = places[place] - 1
        if keyed.rows[row, KEY] == key:
            return row
        place = (place + 1) & (len(places) - 1)
    return -1


@kernel()
def put_in_index(keyed: KeyedRows, row: Int) -> Int:
    """Add a row to the index, which must not have its key."""
    places = keyed.places
    place = first_place(keyed.rows[row, KEY], len(places))
    while places[place] != 0:
        place = (place + 1) & (len(places) - 1)
    places[place] = 1 + row
    return 0


@kernel()
def add_row(keyed: KeyedRows, key: Int) -> Int:
    """Add a row for a key that has none, where there is room; return the row."""
    row = keyed.numbers[COUNT]
    keyed.numbers[COUNT] = row + 1
    keyed.rows[row, KEY] = key
    put_in_index(keyed, row)
    return row


@kernel()
def forget_rows(keyed: KeyedRows, count: Int) -> Int:
    """Forget all rows but the first ones."""
    for place in range(len(keyed.places)):
        keyed.places[place] = 0
    keyed.numbers[COUNT] = count
    for row in range(count):
        put_in_index(keyed, row)
    return count


@kernel()
def row_to_write(keyed: KeyedRows, key: Int) -> Int:
    """Return the row of a key, or a new one; full rows are all forgotten before."""
    if keyed.numbers[COUNT] >= keyed.numbers[CAPACITY]:
        forget_rows(keyed, 0)
    row = find_row(keyed, key)
    return row if row >= 0 else add_row(keyed, key)

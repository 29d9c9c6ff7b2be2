"""Kernels of a game made up for tests, in a family of its own: the first with two corners wins."""

from __future__ import annotations

from antipodes.games.kernels.bits import below
from antipodes.games.kernels.header import (
    BLOCKED,
    COLOR,
    DRAW,
    FULL_BOARD,
    GAME_OVER,
    HEADER,
    KEY,
    LAST,
    LEGAL,
    OCCUPIED,
    OUT_OF_RANGE,
    PLY,
    POINTS,
    REASON,
    SEAT,
    WINNER,
)
from antipodes.games.kernels.registry import JUDGE, LISTING, START, kernel

# The tables: the number of cells, the four corners, and two hash keys for each cell.
CORNERS = 1
KEYS = 5


@kernel("i8(i8[::1], i8[::1], i8)")
def has_two_corners(tables, state, color):
    """Return 1 if a colour has two corners."""
    count = 0
    for i in range(4):
        if state[HEADER + tables[CORNERS + i]] == 1 + color:
            count += 1
    return 1 if count >= 2 else 0


@kernel("i8(i8[::1], i8[::1])")
def conclude(tables, state):
    """Write winner and reason; return the number of colours that have won."""
    winners = 0
    state[WINNER] = 0
    state[REASON] = 0
    state[POINTS] = 0
    for color in range(2):
        if has_two_corners(tables, state, color) == 1:
            state[WINNER] = 1 + color
            state[REASON] = BLOCKED
            state[POINTS] = 1
            winners += 1
    if winners == 0:
        for cell in range(tables[0]):
            if state[HEADER + cell] == 0:
                return 0
        state[WINNER] = DRAW
        state[REASON] = FULL_BOARD
    return winners


@kernel(START)
def rebuild(tables, state, work):
    """Complete a state from its stones."""
    state[KEY] = state[COLOR]
    for cell in range(tables[0]):
        if state[HEADER + cell] != 0:
            state[KEY] ^= tables[KEYS + 2 * cell + state[HEADER + cell] - 1]
    state[SEAT] = state[COLOR]
    return conclude(tables, state)


@kernel(START)
def start(tables, state, work):
    """Write the start position."""
    for i in range(HEADER + tables[0]):
        state[i] = 0
    state[LAST] = -1
    return rebuild(tables, state, work)


@kernel(JUDGE)
def judge(tables, state, work, move):
    """Return 0 if the move is legal, else the number of an illegality."""
    if move < 0 or move >= tables[0]:
        return OUT_OF_RANGE
    if state[WINNER] != 0:
        return GAME_OVER
    return LEGAL if state[HEADER + move] == 0 else OCCUPIED


@kernel(LISTING)
def moves(tables, state, work, out):
    """Write the legal moves in rising order; return their number."""
    count = 0
    for cell in range(tables[0]):
        if state[WINNER] == 0 and state[HEADER + cell] == 0:
            out[count] = cell
            count += 1
    return count


@kernel(LISTING)
def sample(tables, state, work, rng):
    """Return a random legal move; the game must not be over."""
    while True:
        cell = below(rng, tables[0])
        if state[HEADER + cell] == 0:
            return cell


@kernel(JUDGE)
def play(tables, state, work, move):
    """Play a legal move in place."""
    color = state[COLOR]
    state[HEADER + move] = 1 + color
    state[KEY] ^= tables[KEYS + 2 * move + color] ^ 1
    state[PLY] += 1
    state[LAST] = move
    state[COLOR] = 1 - color
    state[SEAT] = 1 - color
    conclude(tables, state)
    return 0


@kernel(LISTING)
def pieces(tables, state, work, out):
    """Write the piece on each cell; return the number of cells."""
    for cell in range(tables[0]):
        out[cell] = state[HEADER + cell]
    return tables[0]


@kernel(LISTING)
def chain(tables, state, work, out):
    """Return 0: wins are no chains."""
    return 0

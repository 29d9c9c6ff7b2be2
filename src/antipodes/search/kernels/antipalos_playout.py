"""A random game of Antipalos.

The mail server's ruleset is played on chains: each colour's rods join grid points, all points of a
border are one, and a colour wins when two borders are joined. It cannot be played by filling the
board, like the placement games: chains of both colours may cross at a grid point, so
a full board may be won by both or by neither, and the order of the moves decides.

The boxed game is played move by move, since rods that move take chains apart.
"""

from __future__ import annotations

from antipodes.games.kernels.antipalos import MAIL, SIZE, play, sample
from antipodes.games.kernels.bits import below
from antipodes.games.kernels.header import COLOR, DRAW, HEADER, SEAT, WINNER
from antipodes.games.kernels.registry import LISTING, kernel


@kernel("i8(i8[::1], i8, i8)")
def root_of(work, first, point):
    """Return the root of a point's chain; ``work[first + point]`` is 1 + the point above, or 0."""
    above = work[first + point]
    while above != 0:
        further = work[first + above - 1]
        if further != 0:
            work[first + point] = further
        point = above - 1
        above = work[first + point]
    return point


@kernel("i8(i8, i8, i8, i8)")
def point_of(size, color, x, y):
    """Return a grid point's number, the same for all points of a border that the colour joins."""
    across, along = (x, y) if color == 0 else (y, x)
    if along in (0, size):
        across = 0
    return along * (size + 1) + across


@kernel("i8(i8, i8[::1], i8, i8)")
def lay(size, work, square, rod):
    """Join the two grid points of a rod; return 1 if this joins its colour's borders."""
    color = (rod - 1) // 2
    diagonal = (rod - 1) & 1
    x = square % size
    y = square // size
    first = color * (size + 1) * (size + 1)
    a = root_of(work, first, point_of(size, color, x, y + diagonal))
    b = root_of(work, first, point_of(size, color, x + 1, y + 1 - diagonal))
    if a == b:
        return 0
    far = size * (size + 1)
    # The two borders stay the roots of their chains.
    if a in (0, far):
        a, b = b, a
    if a in (0, far):
        return 1
    work[first + a] = 1 + b
    return 0


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1])")
def finish_mail(tables, state, work, rng):
    """Play the mail server's ruleset at random to the end; return the winner, or ``DRAW``."""
    size = tables[SIZE]
    list_at = 2 * (size + 1) * (size + 1)
    left = 0
    for square in range(size * size):
        rod = state[HEADER + square]
        if rod == 0:
            work[list_at + left] = square
            left += 1
        else:
            lay(size, work, square, rod)
    while left > 0:
        drawn = below(rng, 2 * left)
        left -= 1
        square = work[list_at + drawn // 2]
        work[list_at + drawn // 2] = work[list_at + left]
        color = state[COLOR]
        state[COLOR] = 1 - color
        state[SEAT] = 1 - state[SEAT]
        if lay(size, work, square, 1 + 2 * color + drawn % 2) == 1:
            return 1 + color
    return DRAW


@kernel(LISTING)
def playout(tables, state, work, rng):
    """Play at random until the game is over; return its winner.

    In the boxed game the room for the history that the state has left bounds the game, as in any
    search. In the mail server's ruleset a swap that is open is not played, and of the state only
    winner, colour and seat are kept up.
    """
    if tables[MAIL] == 0:
        while state[WINNER] == 0:
            play(tables, state, work, sample(tables, state, work, rng))
        return state[WINNER]
    state[WINNER] = finish_mail(tables, state, work, rng)
    size = tables[SIZE]
    work[: 2 * (size + 1) * (size + 1) + size * size] = 0
    return state[WINNER]

"""The rules of Antipode on 61-bit sets of cells.

After the header the state holds four numbers: the cells with blue tokens, those with red ones, and
the cells of the blue and the red pawn. The turn that places a token on ``cell`` and moves the pawn
to ``rest`` is ``cell * 61 + rest``. Colour 0 is Blue, 1 is Red.
"""

from __future__ import annotations

from antipodes.games.kernels.bits import below, clear_queue, lowest, popcount
from antipodes.games.kernels.header import (
    BLOCKED,
    CELL,
    COLOR,
    CONNECTION,
    DRAW,
    ENDING,
    FULL_BOARD,
    GAME_OVER,
    HEADER,
    KEY,
    LAST,
    LEGAL,
    NAME,
    NO_LINE,
    NOT_YOUR_TOKEN,
    OCCUPIED,
    OTHER_NAME,
    OUT_OF_RANGE,
    PAWN_IN_THE_WAY,
    PAWN_STAYS,
    PLY,
    POINTS,
    REASON,
    SEAT,
    WINNER,
)
from antipodes.games.kernels.registry import DESCRIBE, JUDGE, LISTING, START, kernel

CELLS = 61
TOKENS = HEADER  # two numbers: cells with blue and with red tokens
PAWNS = HEADER + 2  # two numbers: cells of the blue and the red pawn
FULL = (1 << CELLS) - 1

LOSS = 0  # table: 1 if a full board without connection is lost by the player to move
CORNERS = 1  # the six corners in order round the board
START_TOKENS = 7  # blue tokens, red tokens, blue pawn, red pawn at the start
ADJACENT = 11  # neighbours of each cell
BETWEEN = ADJACENT + CELLS  # the cells between two cells of a line, else -1
REACH = BETWEEN + CELLS * CELLS  # the cells that a pawn can slide to, for both pawns' cells
KEYS = REACH + CELLS * CELLS  # blue and red token, blue and red pawn of each cell; Red to move
TABLES = KEYS + 4 * CELLS + 1

GAIN = 4  # most resting places that a token adds: itself, and those that it flips


@kernel("i8(i8[::1], i8[::1], i8)")
def flips_around(tables, state, cell):
    """Return the tokens that a token placed on a cell flips: its neighbours without a pawn."""
    pawns = (1 << state[PAWNS]) | (1 << state[PAWNS + 1])
    tokens = state[TOKENS] | state[TOKENS + 1]
    return tables[ADJACENT + cell] & tokens & ~pawns


@kernel("i8(i8[::1], i8[::1], i8)")
def own_after(tables, state, cell):
    """Return the mover's tokens after a token was placed on a cell."""
    return (state[TOKENS + state[COLOR]] ^ flips_around(tables, state, cell)) | (1 << cell)


@kernel("i8(i8[::1], i8[::1], i8, i8)")
def judge_slide(tables, state, own, target):
    """Return 0 if the mover's pawn may slide to a cell with tokens ``own``, else an illegality."""
    pawn = state[PAWNS + state[COLOR]]
    other = 1 << state[PAWNS + 1 - state[COLOR]]
    if target == pawn:
        return PAWN_STAYS
    between = tables[BETWEEN + pawn * CELLS + target]
    if between < 0:
        return NO_LINE
    if ((between | (1 << target)) & other) != 0:
        return PAWN_IN_THE_WAY
    return LEGAL if (own & (1 << target)) != 0 else NOT_YOUR_TOKEN


@kernel("i8(i8[::1], i8[::1], i8)")
def slides(tables, state, own):
    """Return the cells that the mover's pawn may reach while its tokens are ``own``."""
    color = state[COLOR]
    return own & tables[REACH + state[PAWNS + color] * CELLS + state[PAWNS + 1 - color]]


@kernel("i8(i8[::1], i8[::1])")
def has_turn(tables, state):
    """Return 1 if the player to move has a legal turn."""
    empty = FULL & ~(state[TOKENS] | state[TOKENS + 1])
    while empty != 0:
        cell = lowest(empty)
        empty &= empty - 1
        if slides(tables, state, own_after(tables, state, cell)) != 0:
            return 1
    return 0


@kernel("i8(i8[::1], i8, i8)")
def missing(tables, tokens, pair):
    """Return 0 if tokens join a pair of corners, else cells of which at least one is needed.

    The corners stay apart until the colour gains one of these cells: they are a missing corner, or
    the neighbours of the chain of the first corner. ``pair`` is 0 to 2.
    """
    corner = 1 << tables[CORNERS + pair]
    opposite = 1 << tables[CORNERS + pair + 3]
    if (tokens & corner) == 0:
        return corner
    if (tokens & opposite) == 0:
        return opposite
    beside = 0
    joined = corner
    edge = corner
    while edge != 0:
        near = tables[ADJACENT + lowest(edge)]
        edge &= edge - 1
        beside |= near
        fresh = near & tokens & ~joined
        joined |= fresh
        edge |= fresh
        if (fresh & opposite) != 0:
            return 0
    return beside & ~tokens


@kernel("i8(i8[::1], i8)")
def joined_corner(tables, tokens):
    """Return which of the first three corners these tokens join to its opposite, or -1."""
    for pair in range(3):
        if missing(tables, tokens, pair) == 0:
            return pair
    return -1


@kernel("i8(i8[::1], i8[::1], i8)")
def flip(tables, state, cells):
    """Turn over the tokens on a set of cells."""
    state[TOKENS] ^= cells
    state[TOKENS + 1] ^= cells
    while cells != 0:
        cell = lowest(cells)
        cells &= cells - 1
        state[KEY] ^= tables[KEYS + 4 * cell] ^ tables[KEYS + 4 * cell + 1]
    return 0


@kernel("i8(i8[::1], i8[::1])")
def conclude(tables, state):
    """Record the outcome if the game is over; return the number of colours that have won."""
    state[WINNER] = 0
    state[REASON] = 0
    state[POINTS] = 0
    joined = 0
    for color in range(2):
        if joined_corner(tables, state[TOKENS + color]) >= 0:
            joined += 1
            state[WINNER] = 1 + color
            state[REASON] = CONNECTION
    if joined == 0:
        full = (state[TOKENS] | state[TOKENS + 1]) == FULL
        if full and tables[LOSS] == 0:
            state[WINNER] = DRAW
            state[REASON] = FULL_BOARD
        elif full or has_turn(tables, state) == 0:
            state[WINNER] = 2 - state[COLOR]
            state[REASON] = FULL_BOARD if full else BLOCKED
    if state[WINNER] > 0:
        state[POINTS] = 1
    return joined


@kernel(START)
def rebuild(tables, state, work):
    """Complete a state from tokens, pawns, colour and ply; return the number of winners."""
    key = tables[KEYS + 4 * CELLS] if state[COLOR] == 1 else 0
    for color in range(2):
        left = state[TOKENS + color]
        while left != 0:
            key ^= tables[KEYS + 4 * lowest(left) + color]
            left &= left - 1
        key ^= tables[KEYS + 4 * state[PAWNS + color] + 2 + color]
    state[KEY] = key
    state[SEAT] = state[COLOR]
    return conclude(tables, state)


@kernel(START)
def start(tables, state, work):
    """Write the start position."""
    for i in range(HEADER):
        state[i] = 0
    for i in range(4):
        state[HEADER + i] = tables[START_TOKENS + i]
    state[LAST] = -1
    return rebuild(tables, state, work)


@kernel(JUDGE)
def judge(tables, state, work, move):
    """Return 0 if the turn is legal, else the number of an illegality."""
    if move < 0 or move >= CELLS * CELLS:
        return OUT_OF_RANGE
    if state[WINNER] != 0:
        return GAME_OVER
    cell = move // CELLS
    if ((state[TOKENS] | state[TOKENS + 1]) & (1 << cell)) != 0:
        return OCCUPIED
    return judge_slide(tables, state, own_after(tables, state, cell), move % CELLS)


@kernel(LISTING)
def moves(tables, state, work, out):
    """Write the legal turns in rising order; return their number."""
    count = 0
    if state[WINNER] != 0:
        return 0
    empty = FULL & ~(state[TOKENS] | state[TOKENS + 1])
    while empty != 0:
        cell = lowest(empty)
        empty &= empty - 1
        rests = slides(tables, state, own_after(tables, state, cell))
        while rests != 0:
            out[count] = cell * CELLS + lowest(rests)
            rests &= rests - 1
            count += 1
    return count


@kernel("i8(i8, i8, i8)")
def most_rests(own, other, reach):
    """Return a bound on the resting places that any token leaves within ``reach``."""
    return popcount(own & reach) + min(GAIN, popcount(other & reach) + 1)


@kernel(LISTING)
def sample(tables, state, work, rng):
    """Return a random legal turn, uniformly; the game must not be over.

    A pair of a cell and an index below the bound of resting places is drawn until there is a turn
    with it.
    """
    color = state[COLOR]
    own = state[TOKENS + color]
    other = state[TOKENS + 1 - color]
    reach = tables[REACH + state[PAWNS + color] * CELLS + state[PAWNS + 1 - color]]
    bound = most_rests(own, other, reach)
    while True:
        cell = below(rng, CELLS)
        if ((own | other) & (1 << cell)) == 0:
            rests = own_after(tables, state, cell) & reach
            skip = below(rng, bound)
            while rests != 0 and skip > 0:
                rests &= rests - 1
                skip -= 1
            if rests != 0:
                return cell * CELLS + lowest(rests)


@kernel(JUDGE)
def play(tables, state, work, move):
    """Play a legal turn in place: place the token, flip, slide the pawn, flip."""
    color = state[COLOR]
    cell = move // CELLS
    target = move % CELLS
    flip(tables, state, flips_around(tables, state, cell))
    state[TOKENS + color] |= 1 << cell
    pawn = state[PAWNS + color]
    tokens = state[TOKENS] | state[TOKENS + 1]
    flip(tables, state, tables[BETWEEN + pawn * CELLS + target] & tokens)
    state[PAWNS + color] = target
    state[KEY] ^= (
        tables[KEYS + 4 * cell + color]
        ^ tables[KEYS + 4 * pawn + 2 + color]
        ^ tables[KEYS + 4 * target + 2 + color]
        ^ tables[KEYS + 4 * CELLS]
    )
    state[PLY] += 1
    state[LAST] = cell
    state[COLOR] = 1 - color
    state[SEAT] = 1 - color
    conclude(tables, state)
    return 0


@kernel(LISTING)
def pieces(tables, state, work, out):
    """Write the piece on each cell, a pawn instead of its token; return the number of cells."""
    for cell in range(CELLS):
        out[cell] = (state[TOKENS] >> cell & 1) + 2 * (state[TOKENS + 1] >> cell & 1)
    for color in range(2):
        out[state[PAWNS + color]] = 3 + color
    return CELLS


@kernel(LISTING)
def chain(tables, state, work, out):
    """Write the cells of a shortest winning chain; return their number, 0 if none."""
    if state[REASON] != CONNECTION:
        return 0
    tokens = state[TOKENS + state[WINNER] - 1]
    corner = tables[CORNERS + joined_corner(tables, tokens)]
    target = tables[CORNERS + joined_corner(tables, tokens) + 3]
    work[CELLS] = corner
    work[corner] = 1 + corner
    begin = 0
    end = 1
    while begin < end:
        here = work[CELLS + begin]
        begin += 1
        fresh = tables[ADJACENT + here] & tokens
        while fresh != 0:
            cell = lowest(fresh)
            fresh &= fresh - 1
            if work[cell] == 0:
                work[cell] = 1 + here
                work[CELLS + end] = cell
                end += 1
    count = 0
    while target != corner:
        out[count] = target
        count += 1
        target = work[target] - 1
    out[count] = corner
    clear_queue(work, CELLS, end)
    return count + 1


@kernel(DESCRIBE)
def describe(tables, state, move, out):
    """Describe a turn: the token's cell and that where the pawn comes to rest."""
    out[NAME] = move // CELLS
    out[OTHER_NAME] = move % CELLS
    out[CELL] = move // CELLS
    out[ENDING] = 0
    return 0


@kernel(START)
def null_move(tables, state, work):
    """Give the turn to the other colour and change nothing else; return 1 if it can be used."""
    state[KEY] ^= tables[KEYS + 4 * CELLS]
    state[LAST] = -1
    state[COLOR] = 1 - state[COLOR]
    state[SEAT] = state[COLOR]
    conclude(tables, state)
    return 1 if state[WINNER] == 0 else 0

r"""The rules of Antipalos: rods on the diagonals of squares, placed and later moved.

A square holds 0, or ``1 + 2 * colour + diagonal`` (diagonal 0 is "/", 1 is "\\"). Placements are
the moves ``2 * square + diagonal``; in the boxed game moving the rod of a square onto placement
``p`` is ``placements * (1 + square) + p`` with ``placements = 2 * squares``; in the mail game the
move after the last placement is the swap. Squares run row by row from the lower left.

After the squares the state holds the rods left for each of four colours, then the keys of the
positions since Phase Two began. The owner of the array provides room for one more key; where there
is none, as in a deep search, the game is drawn by the limit of turns.
"""

from __future__ import annotations

from antipodes.games.kernels.bits import below, clear_queue
from antipodes.games.kernels.header import (
    CELL,
    COLOR,
    CONNECTION,
    DRAW,
    ENDING,
    FULL_BOARD,
    GAME_OVER,
    HEADER,
    HISTORY,
    KEY,
    LAST,
    LEGAL,
    MOVE_LIMIT,
    NAME,
    NO_SWAP,
    NOT_YOUR_PIECE,
    OCCUPIED,
    OTHER_NAME,
    OUT_OF_RANGE,
    PHASE,
    PHASE_PLIES,
    PLY,
    POINTS,
    REASON,
    REPETITION,
    SEAT,
    SWAP_OPEN,
    SWAPPED,
    UNCHANGED,
    WINNER,
    WRONG_PHASE,
)
from antipodes.games.kernels.registry import DESCRIBE, JUDGE, LISTING, START, kernel

SIZE = 0
COLORS = 1
SEATS = 2
RODS = 3  # of each colour
LIMIT = 4  # turns of each colour in Phase Two, 0 for none
MAIL = 5  # 1 for the mail server's ruleset
SWAP = 6  # 1 if the second move may be a swap
KEYS = 7  # offset: hash keys, 8 for each square, then 4 colours to move, swapped, swap open
TABLE_HEADER = 16

BOTTOM = 1
TOP = 2
LEFT = 4
RIGHT = 8
LOWER_LEFT = 16
UPPER_RIGHT = 32
UPPER_LEFT = 64
LOWER_RIGHT = 128


@kernel("i8(i8, i8, i8)")
def borders_at(size, x, y):
    """Return the borders and corners that a grid point belongs to, as bits."""
    bits = 0
    if y == 0:
        bits |= BOTTOM
    if y == size:
        bits |= TOP
    if x == 0:
        bits |= LEFT
    if x == size:
        bits |= RIGHT
    if bits == BOTTOM | LEFT:
        bits |= LOWER_LEFT
    if bits == TOP | RIGHT:
        bits |= UPPER_RIGHT
    if bits == TOP | LEFT:
        bits |= UPPER_LEFT
    if bits == BOTTOM | RIGHT:
        bits |= LOWER_RIGHT
    return bits


@kernel("i8(i8, i8, i8)")
def borders_of(size, square, diagonal):
    """Return the borders and corners that a rod touches, as bits."""
    x = square % size
    y = square // size
    return borders_at(size, x, y + diagonal) | borders_at(size, x + 1, y + 1 - diagonal)


@kernel("i8(i8[::1], i8[::1], i8[::1], i8, i8, i8, i8, i8)")
def reach_rod(tables, state, work, x, y, rod, origin, end):
    """Queue the square at (x, y) if ``rod`` is there and not marked yet; return the end."""
    size = tables[SIZE]
    if x < 0 or y < 0 or x >= size or y >= size:
        return end
    square = y * size + x
    if state[HEADER + square] == rod and work[square] == 0:
        work[square] = 1 + origin
        work[size * size + end] = square
        end += 1
    return end


@kernel("i8(i8[::1], i8[::1], i8[::1], i8, i8)")
def spread(tables, state, work, square, end):
    """Queue the rods of one colour that touch the rod on a square; return the end of the queue."""
    size = tables[SIZE]
    code = state[HEADER + square] - 1
    diagonal = code & 1
    slash = 1 + code - diagonal
    for side in range(2):
        # The two grid points of the rod, the left one first.
        x = square % size + side
        y = square // size + (diagonal if side == 0 else 1 - diagonal)
        end = reach_rod(tables, state, work, x - 1, y - 1, slash, square, end)
        end = reach_rod(tables, state, work, x, y, slash, square, end)
        end = reach_rod(tables, state, work, x - 1, y, slash + 1, square, end)
        end = reach_rod(tables, state, work, x, y - 1, slash + 1, square, end)
    return end


@kernel("i8(i8[::1], i8[::1], i8[::1], i8)")
def touched(tables, state, work, square):
    """Return the borders and corners that the chain through a rod touches, as bits."""
    size = tables[SIZE]
    queue = size * size
    work[square] = 1 + square
    work[queue] = square
    begin = 0
    end = 1
    bits = 0
    while begin < end:
        here = work[queue + begin]
        bits |= borders_of(size, here, (state[HEADER + here] - 1) & 1)
        end = spread(tables, state, work, here, end)
        begin += 1
    clear_queue(work, queue, end)
    return bits


@kernel("i8(i8[::1], i8, i8)")
def wins(tables, color, bits):
    """Return 1 if a chain of a colour that touches these borders wins."""
    upright = 1 if (bits & (BOTTOM | TOP)) == (BOTTOM | TOP) else 0
    across = 1 if (bits & (LEFT | RIGHT)) == (LEFT | RIGHT) else 0
    if tables[MAIL] == 0:
        return upright | across
    return upright if color == 0 else across


@kernel("i8(i8, i8)")
def chart_a(bits, phase):
    """Return the points of a winning chain: the highest line of Chart A that it meets."""
    for diagonal in range(2):
        corners = (LOWER_LEFT | UPPER_RIGHT) if diagonal == 0 else (UPPER_LEFT | LOWER_RIGHT)
        if (bits & corners) == corners:
            return 5
    count = (bits & 1) + ((bits >> 1) & 1) + ((bits >> 2) & 1) + ((bits >> 3) & 1)
    if count >= 3:
        return 4 if phase == 0 else 2
    return 3 if phase == 0 else 1


@kernel("i8(i8[::1], i8[::1], i8, i8)")
def record_win(tables, state, color, bits):
    """Record the win of a colour by a chain that touches these borders."""
    state[WINNER] = 1 + color
    state[REASON] = CONNECTION
    state[POINTS] = chart_a(bits, state[PHASE]) if tables[MAIL] == 0 else 1
    return 0


@kernel("i8(i8[::1], i8, i8)")
def rod_key(tables, square, rod):
    """Return the hash key of a rod on a square."""
    return tables[tables[KEYS] + 8 * square + rod - 1]


@kernel("i8(i8[::1], i8[::1])")
def turn_key(tables, state):
    """Return the part of the key for the turn and the swap."""
    extra = tables[KEYS] + 8 * tables[SIZE] * tables[SIZE]
    key = tables[extra + state[COLOR]]
    if state[SWAPPED] != 0:
        key ^= tables[extra + 4]
    if state[SWAP_OPEN] != 0:
        key ^= tables[extra + 5]
    return key


@kernel("i8(i8[::1], i8[::1])")
def rods_left(tables, state):
    """Return the number of rods of all colours that are not placed yet."""
    left = 0
    for color in range(tables[COLORS]):
        left += state[HEADER + tables[SIZE] * tables[SIZE] + color]
    return left


@kernel("i8(i8[::1], i8[::1])")
def remember(tables, state):
    """Add the key to the history of Phase Two; draw at the third occurrence or at the limit."""
    first = HEADER + tables[SIZE] * tables[SIZE] + 4
    count = state[HISTORY]
    seen = 0
    for i in range(first, first + count):
        if state[i] == state[KEY]:
            seen += 1
    reason = 0
    if tables[LIMIT] > 0 and state[PHASE_PLIES] >= tables[LIMIT] * tables[COLORS]:
        reason = MOVE_LIMIT
    if first + count >= len(state):
        reason = MOVE_LIMIT
    else:
        state[first + count] = state[KEY]
        state[HISTORY] = count + 1
    if seen >= 2:
        reason = REPETITION
    if reason != 0:
        state[WINNER] = DRAW
        state[REASON] = reason
    return 0


@kernel(START)
def rebuild(tables, state, work):
    """Complete a state from rods, rods left, turn and phase; return how many colours have won."""
    size = tables[SIZE]
    state[WINNER] = 0
    state[REASON] = 0
    state[POINTS] = 0
    state[HISTORY] = 0
    key = turn_key(tables, state)
    winners = 0
    rods = 0
    for color in range(tables[COLORS]):
        best = 0
        for square in range(size * size):
            rod = state[HEADER + square]
            if rod != 0 and (rod - 1) // 2 == color:
                rods += 1
                key ^= rod_key(tables, square, rod)
                bits = touched(tables, state, work, square)
                if wins(tables, color, bits) == 1 and chart_a(bits, state[PHASE]) > best:
                    best = chart_a(bits, state[PHASE])
                    record_win(tables, state, color, bits)
        if best > 0:
            winners += 1
    state[KEY] = key
    if state[PHASE] == 1 and state[WINNER] == 0:
        remember(tables, state)
    if tables[MAIL] == 1 and rods == size * size and state[WINNER] == 0:
        state[WINNER] = DRAW
        state[REASON] = FULL_BOARD
    return winners


@kernel(START)
def start(tables, state, work):
    """Write the start position."""
    for i in range(len(state)):
        state[i] = 0
    state[LAST] = -1
    if tables[MAIL] == 0:
        for color in range(tables[COLORS]):
            state[HEADER + tables[SIZE] * tables[SIZE] + color] = tables[RODS]
    return rebuild(tables, state, work)


@kernel("i8(i8[::1], i8[::1], i8, i8)")
def judge_reposition(tables, state, origin, placement):
    """Return 0 if the rod on square ``origin`` may move to a placement, else an illegality."""
    rod = state[HEADER + origin]
    square = placement // 2
    if state[PHASE] == 0:
        return WRONG_PHASE
    if rod == 0 or (rod - 1) // 2 != state[COLOR]:
        return NOT_YOUR_PIECE
    if square == origin:
        return UNCHANGED if ((rod - 1) & 1) == (placement & 1) else LEGAL
    return LEGAL if state[HEADER + square] == 0 else OCCUPIED


@kernel(JUDGE)
def judge(tables, state, work, move):
    """Return 0 if the move is legal, else the number of an illegality."""
    placements = 2 * tables[SIZE] * tables[SIZE]
    last = placements if tables[MAIL] == 1 else placements * (1 + placements // 2) - 1
    if move < 0 or move > last:
        return OUT_OF_RANGE
    if state[WINNER] != 0:
        return GAME_OVER
    if move < placements:
        if state[PHASE] != 0:
            return WRONG_PHASE
        return LEGAL if state[HEADER + move // 2] == 0 else OCCUPIED
    if tables[MAIL] == 1:
        return LEGAL if state[SWAP_OPEN] != 0 else NO_SWAP
    return judge_reposition(tables, state, move // placements - 1, move % placements)


@kernel(LISTING)
def moves(tables, state, work, out):
    """Write the legal moves in rising order; return their number."""
    placements = 2 * tables[SIZE] * tables[SIZE]
    count = 0
    if state[WINNER] != 0:
        return 0
    if state[PHASE] == 0:
        for move in range(placements + tables[MAIL]):
            if judge(tables, state, work, move) == LEGAL:
                out[count] = move
                count += 1
        return count
    for origin in range(placements // 2):
        rod = state[HEADER + origin]
        if rod != 0 and (rod - 1) // 2 == state[COLOR]:
            for placement in range(placements):
                if judge_reposition(tables, state, origin, placement) == LEGAL:
                    out[count] = placements * (1 + origin) + placement
                    count += 1
    return count


@kernel(LISTING)
def sample(tables, state, work, rng):
    """Return a random legal move, uniformly; the game must not be over."""
    placements = 2 * tables[SIZE] * tables[SIZE]
    while True:
        move = below(rng, placements + state[SWAP_OPEN])
        if state[PHASE] != 0:
            origin = below(rng, placements // 2)
            move += placements * (1 + origin)
        if judge(tables, state, work, move) == LEGAL:
            return move


@kernel("i8(i8[::1], i8[::1])")
def pass_turn(tables, state):
    """Pass the turn to the next seat."""
    state[PLY] += 1
    state[SEAT] = (state[SEAT] + 1) % tables[SEATS]
    state[COLOR] = (state[SEAT] + state[SWAPPED]) % tables[COLORS]
    return 0


@kernel("i8(i8[::1], i8[::1])")
def swap(tables, state):
    """Exchange the seats; the colour to move stays."""
    state[KEY] ^= turn_key(tables, state)
    state[SWAPPED] = 1
    state[SWAP_OPEN] = 0
    pass_turn(tables, state)
    state[KEY] ^= turn_key(tables, state)
    return 0


@kernel("i8(i8[::1], i8[::1])")
def begin_phase_two(tables, state):
    """Begin Phase Two if no rods are left."""
    if rods_left(tables, state) == 0:
        state[PHASE] = 1
        state[PHASE_PLIES] = 0
        remember(tables, state)
    return 0


@kernel("i8(i8[::1], i8[::1])")
def after_rod(tables, state):
    """Pass the turn after a placed rod that did not win, and update the phase."""
    size = tables[SIZE]
    if tables[MAIL] == 1:
        state[SWAP_OPEN] = 1 if state[PLY] == 1 and tables[SWAP] == 1 else 0
        full = 1 if state[PLY] - state[SWAPPED] == size * size else 0
        if full == 1 and state[WINNER] == 0:
            state[WINNER] = DRAW
            state[REASON] = FULL_BOARD
    state[KEY] ^= turn_key(tables, state)
    if tables[MAIL] == 1 or state[WINNER] != 0:
        return 0
    if state[PHASE] == 1:
        state[PHASE_PLIES] += 1
        remember(tables, state)
    else:
        begin_phase_two(tables, state)
    return 0


@kernel(JUDGE)
def play(tables, state, work, move):
    """Play a legal move in place."""
    size = tables[SIZE]
    placements = 2 * size * size
    if move >= placements and tables[MAIL] == 1:
        return swap(tables, state)
    color = state[COLOR]
    key = state[KEY] ^ turn_key(tables, state)
    if move >= placements:
        origin = move // placements - 1
        key ^= rod_key(tables, origin, state[HEADER + origin])
        state[HEADER + origin] = 0
        move = move % placements
    elif tables[MAIL] == 0:
        state[HEADER + size * size + color] -= 1
    square = move // 2
    rod = 1 + 2 * color + (move & 1)
    state[HEADER + square] = rod
    state[KEY] = key ^ rod_key(tables, square, rod)
    state[LAST] = square
    bits = touched(tables, state, work, square)
    if wins(tables, color, bits) == 1:
        record_win(tables, state, color, bits)
    state[SWAP_OPEN] = 0
    pass_turn(tables, state)
    return after_rod(tables, state)


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8, i8)")
def path(tables, state, work, out, begin_border, end_border):
    """Write a shortest chain of the winner between two borders; return its length, 0 if none."""
    size = tables[SIZE]
    squares = size * size
    end = 0
    for square in range(squares):
        code = state[HEADER + square] - 1
        if code >= 0 and code // 2 == state[WINNER] - 1:
            if (borders_of(size, square, code & 1) & begin_border) != 0:
                work[square] = 1 + square
                work[squares + end] = square
                end += 1
    begin = 0
    count = 0
    while begin < end:
        square = work[squares + begin]
        if (borders_of(size, square, (state[HEADER + square] - 1) & 1) & end_border) != 0:
            while work[square] - 1 != square:
                out[count] = square
                count += 1
                square = work[square] - 1
            out[count] = square
            count += 1
            break
        end = spread(tables, state, work, square, end)
        begin += 1
    clear_queue(work, squares, end)
    return count


@kernel(LISTING)
def pieces(tables, state, work, out):
    """Write the piece on each square; return the number of squares."""
    squares = tables[SIZE] * tables[SIZE]
    for square in range(squares):
        out[square] = state[HEADER + square]
    return squares


@kernel(LISTING)
def chain(tables, state, work, out):
    """Write the squares of a shortest winning chain; return their number, 0 if none."""
    if state[WINNER] <= 0:
        return 0
    count = 0
    if tables[MAIL] == 0 or state[WINNER] == 1:
        count = path(tables, state, work, out, BOTTOM, TOP)
    if count == 0 and (tables[MAIL] == 0 or state[WINNER] == 2):
        count = path(tables, state, work, out, LEFT, RIGHT)
    return count


@kernel(DESCRIBE)
def describe(tables, state, move, out):
    """Describe a move: there is a name for each placement, and one for the swap.

    The endings are the two diagonals. A reposition names the rod that it moves first.
    """
    size = tables[SIZE]
    placements = 2 * size * size
    out[NAME] = move
    out[OTHER_NAME] = -1
    if move >= placements and tables[MAIL] == 1:
        out[CELL] = -1
        out[ENDING] = 0
        return 0
    target = move % placements
    if move >= placements:
        origin = move // placements - 1
        out[NAME] = 2 * origin + (state[HEADER + origin] - 1) % 2
        out[OTHER_NAME] = target
    out[CELL] = target // 2
    out[ENDING] = 1 + target % 2
    return 0


@kernel(START)
def null_move(tables, state, work):
    """Give the turn to the next seat of two colours; return 1, or 0 if there are more colours.

    In Phase One, who passes loses a rod, so that both still run out together.
    """
    if tables[COLORS] > 2:
        return 0
    state[KEY] ^= turn_key(tables, state)
    if tables[MAIL] == 0 and state[PHASE] == 0:
        state[HEADER + tables[SIZE] * tables[SIZE] + state[COLOR]] -= 1
    pass_turn(tables, state)
    state[PLY] -= 1  # no move was made
    state[SWAP_OPEN] = 0
    state[LAST] = -1
    state[KEY] ^= turn_key(tables, state)
    if tables[MAIL] == 0 and state[PHASE] == 0:
        begin_phase_two(tables, state)
    return 1

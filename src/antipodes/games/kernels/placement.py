"""The rules of Hex, Cylindrical Hex and Antipod: one game on three boards.

Stones are placed and stay. The first colour index, Black, joins two terminal nodes; White keeps
them apart by closing a ring round one. On a triangulated board exactly one of the two happens.

Both goals are detected with one union-find over the nodes of the board. It also keeps, for each
stone, the winding of a path from its chain's root: every step of the board has a winding (0, 1 or
-1) such that the sum along a closed path is the number of its turns round the axis. A white stone
that touches a chain in two ways with different windings closes a ring. In Hex one white border node
is behind both the left and the right edge, and steps to the right edge have winding 1: then a white
chain from left to right is a ring as well.
"""

from __future__ import annotations

from antipodes.games.kernels.bits import below, clear_queue
from antipodes.games.kernels.header import (
    CELL,
    COLOR,
    CONNECTION,
    ENDING,
    GAME_OVER,
    HEADER,
    KEY,
    LAST,
    LEGAL,
    NAME,
    NO_SWAP,
    OCCUPIED,
    OTHER_NAME,
    OUT_OF_RANGE,
    PLY,
    POINTS,
    REASON,
    SEAT,
    SWAP_OPEN,
    SWAPPED,
    WINNER,
)
from antipodes.games.kernels.registry import DESCRIBE, JUDGE, LISTING, START, kernel

# Tables: numbers, then the offsets of arrays in the same table.
CELLS = 0  # cells of the board; nodes from there on are borders
NODES = 1
DEGREE = 2  # neighbours stored for each cell, padded with -1
SWAP = 3  # 0 none, 1 the seats exchange colours, 2 the stone changes colour and place
FIRST = 4  # colour that begins
SOURCE = 5  # the two nodes that Black joins
TARGET = 6
WHITE_REASON = 7  # termination of White's win
NEIGHBOURS = 8  # offset: CELLS x DEGREE nodes
WINDINGS = 9  # offset: the same shape, winding of the step to that neighbour
MIRROR = 10  # offset: new cell of a swapped stone, for each cell
OWNERS = 11  # offset: owners of the nodes at the start (0 none, 1 Black, 2 White)
KEYS = 12  # offset: hash keys, 2 for each cell, then White to move, swapped, swap open
GATES = 13  # offset: the cells next to SOURCE
GATE_COUNT = 14  # number of these cells
TABLE_HEADER = 16

LEVELS = 8  # of the unrolled board in a search for a ring
NO_SWAPS = 0
SWAP_SEATS = 1
SWAP_PIECES = 2


@kernel("i8(i8[::1], i8[::1], i8)")
def root_of(tables, state, node):
    """Return the root of a node's chain."""
    # Paths are not compressed, which would have to add up windings: since the smaller tree goes
    # below the larger, a path has at most the logarithm of the chain's size as its length.
    parents = HEADER + tables[NODES]
    while state[parents + node] >= 0:
        node = state[parents + node]
    return node


@kernel("i8(i8[::1], i8[::1], i8)")
def winding_of(tables, state, node):
    """Return the winding of the path from the root to a node."""
    parents = HEADER + tables[NODES]
    windings = parents + tables[NODES]
    total = 0
    while state[parents + node] >= 0:
        total += state[windings + node]
        node = state[parents + node]
    return total


@kernel("i8(i8[::1], i8[::1], i8, i8, i8)")
def join(tables, state, a, b, winding):
    """Join two nodes by a step from ``a`` to ``b``; return 1 if it closes a ring."""
    parents = HEADER + tables[NODES]
    windings = parents + tables[NODES]
    root_a = root_of(tables, state, a)
    root_b = root_of(tables, state, b)
    # The winding of the way from one root to the other: down to a, over the step, up from b. If
    # both are one root, the way is closed, and this is how often it turns round the axis.
    shift = winding_of(tables, state, a) + winding - winding_of(tables, state, b)
    if root_a == root_b:
        return 1 if shift != 0 else 0
    # A root holds minus the number of its nodes; the smaller tree goes below the larger.
    if state[parents + root_a] > state[parents + root_b]:
        root_a, root_b = root_b, root_a
        shift = -shift
    state[parents + root_a] += state[parents + root_b]
    state[parents + root_b] = root_a
    state[windings + root_b] = shift
    return 0


@kernel("i8(i8[::1], i8[::1], i8, i8)")
def settle(tables, state, cell, color):
    """Place a stone on a cell, join it to its chains, and record a win."""
    state[HEADER + cell] = 1 + color
    ring = 0
    for i in range(cell * tables[DEGREE], (cell + 1) * tables[DEGREE]):
        neighbour = tables[tables[NEIGHBOURS] + i]
        if neighbour >= 0 and state[HEADER + neighbour] == 1 + color:
            ring |= join(tables, state, cell, neighbour, tables[tables[WINDINGS] + i])
    if color == 1:
        if ring != 0:
            state[WINNER] = 2
            state[REASON] = tables[WHITE_REASON]
            state[POINTS] = 1
    elif root_of(tables, state, tables[SOURCE]) == root_of(tables, state, tables[TARGET]):
        state[WINNER] = 1
        state[REASON] = CONNECTION
        state[POINTS] = 1
    return 0


@kernel("i8(i8[::1], i8[::1])")
def set_seat(tables, state):
    """Set the seat to move from the colour to move and the swap."""
    seat = 0 if state[COLOR] == tables[FIRST] else 1
    if tables[SWAP] == SWAP_SEATS:
        seat ^= state[SWAPPED]
    state[SEAT] = seat
    return 0


@kernel("i8(i8[::1], i8[::1])")
def hash_of(tables, state):
    """Return the key of a state, computed from scratch."""
    keys = tables[KEYS]
    key = 0
    for cell in range(tables[CELLS]):
        owner = state[HEADER + cell]
        if owner != 0:
            key ^= tables[keys + 2 * cell + owner - 1]
    extra = keys + 2 * tables[CELLS]
    if state[COLOR] == 1:
        key ^= tables[extra]
    if state[SWAPPED] != 0:
        key ^= tables[extra + 1]
    if state[SWAP_OPEN] != 0:
        key ^= tables[extra + 2]
    return key


@kernel(START)
def rebuild(tables, state, work):
    """Complete a state from its owners, colour, swap, ply; return how many colours have won."""
    nodes = tables[NODES]
    state[WINNER] = 0
    state[REASON] = 0
    state[POINTS] = 0
    for node in range(nodes):
        state[HEADER + nodes + node] = -1
        state[HEADER + 2 * nodes + node] = 0
    for cell in range(tables[CELLS]):
        owner = state[HEADER + cell]
        if owner != 0:
            settle(tables, state, cell, owner - 1)
    set_seat(tables, state)
    state[KEY] = hash_of(tables, state)
    return 1 if state[WINNER] != 0 else 0


@kernel(START)
def start(tables, state, work):
    """Write the start position."""
    for i in range(HEADER):
        state[i] = 0
    for node in range(tables[NODES]):
        state[HEADER + node] = tables[tables[OWNERS] + node]
    state[COLOR] = tables[FIRST]
    state[LAST] = -1
    return rebuild(tables, state, work)


@kernel(JUDGE)
def judge(tables, state, work, move):
    """Return 0 if the move is legal, else the number of an illegality."""
    cells = tables[CELLS]
    if move < 0 or move > cells:
        return OUT_OF_RANGE
    if state[WINNER] != 0:
        return GAME_OVER
    if move == cells:
        return LEGAL if state[SWAP_OPEN] != 0 else NO_SWAP
    return LEGAL if state[HEADER + move] == 0 else OCCUPIED


@kernel(LISTING)
def moves(tables, state, work, out):
    """Write the legal moves in rising order; return their number."""
    count = 0
    for move in range(tables[CELLS] + 1):
        if judge(tables, state, work, move) == LEGAL:
            out[count] = move
            count += 1
    return count


@kernel(LISTING)
def sample(tables, state, work, rng):
    """Return a random legal move, uniformly; the game must not be over."""
    choices = tables[CELLS] + state[SWAP_OPEN]
    move = below(rng, choices)
    while judge(tables, state, work, move) != LEGAL:
        move = below(rng, choices)
    return move


@kernel("i8(i8[::1], i8[::1], i8[::1])")
def swap(tables, state, work):
    """Play the swap: exchange the seats, or change the colour of the first stone."""
    state[PLY] += 1
    state[SWAPPED] = 1
    state[SWAP_OPEN] = 0
    if tables[SWAP] == SWAP_PIECES:
        cell = state[LAST]
        state[HEADER + cell] = 0
        cell = tables[tables[MIRROR] + cell]
        state[HEADER + cell] = 1 + state[COLOR]
        state[LAST] = cell
        state[COLOR] = 1 - state[COLOR]
    # A union-find cannot take a stone out of its chain, so all chains are joined again.
    return rebuild(tables, state, work)


@kernel("i8(i8[::1], i8[::1], i8)")
def pass_turn(tables, state, cell):
    """Update ply, key and turn after a stone was placed on a cell."""
    state[PLY] += 1
    state[LAST] = cell
    state[COLOR] = 1 - state[COLOR]
    first = state[PLY] == 1 and state[WINNER] == 0
    state[SWAP_OPEN] = 1 if first and tables[SWAP] != NO_SWAPS else 0
    return set_seat(tables, state)


@kernel(JUDGE)
def play(tables, state, work, move):
    """Play a legal move in place."""
    if move == tables[CELLS]:
        return swap(tables, state, work)
    color = state[COLOR]
    was_open = state[SWAP_OPEN]
    extra = tables[KEYS] + 2 * tables[CELLS]
    settle(tables, state, move, color)
    pass_turn(tables, state, move)
    state[KEY] ^= tables[tables[KEYS] + 2 * move + color] ^ tables[extra]
    if was_open != state[SWAP_OPEN]:
        state[KEY] ^= tables[extra + 2]
    return 0


@kernel(JUDGE)
def place(tables, state, work, move):
    """Play a legal move without updating chains, winner and key.

    For walks down a search tree: an earlier win remains a win on the full board.
    """
    if move == tables[CELLS]:
        return swap(tables, state, work)
    state[HEADER + move] = 1 + state[COLOR]
    return pass_turn(tables, state, move)


@kernel("i8(i8[::1], i8[::1], i8[::1], i8, i8, i8, i8)")
def reach(tables, state, work, place, node, step, end):
    """Queue ``node`` on the level of a step unless it is marked; return the end."""
    area = tables[NODES] * LEVELS
    level = place % LEVELS + step
    if level < 0 or level >= LEVELS or state[HEADER + node] != state[HEADER + place // LEVELS]:
        return end
    if work[node * LEVELS + level] == 0:
        work[node * LEVELS + level] = 1 + place
        work[area + end] = node * LEVELS + level
        end += 1
    return end


@kernel("i8(i8[::1], i8[::1], i8[::1], i8, i8, i8)")
def spread(tables, state, work, place, unroll, end):
    """Queue all stones of the same chain next to an entry; return the end of the queue."""
    node = place // LEVELS
    cells = tables[CELLS]
    degree = tables[DEGREE]
    if node < cells:
        for i in range(node * degree, (node + 1) * degree):
            neighbour = tables[tables[NEIGHBOURS] + i]
            if neighbour >= 0:
                step = unroll * tables[tables[WINDINGS] + i]
                end = reach(tables, state, work, place, neighbour, step, end)
        return end
    # A border node: its neighbours are the cells that list it.
    for i in range(cells * degree):
        if tables[tables[NEIGHBOURS] + i] == node:
            step = -unroll * tables[tables[WINDINGS] + i]
            end = reach(tables, state, work, place, i // degree, step, end)
    return end


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8, i8, i8)")
def path(tables, state, work, out, source, target, unroll):
    """Write the cells of a shortest path to a target ``unroll`` levels up; return their number."""
    area = tables[NODES] * LEVELS
    # In the middle of the levels, since a way may turn in both directions before it arrives.
    first = source * LEVELS + LEVELS // 2
    goal = target * LEVELS + LEVELS // 2 + unroll
    work[first] = 1 + first
    work[area] = first
    end = 1
    begin = 0
    while begin < end and work[goal] == 0:
        end = spread(tables, state, work, work[area + begin], unroll, end)
        begin += 1
    count = 0
    if work[goal] != 0:
        place = goal
        while place != first:
            if place // LEVELS < tables[CELLS]:
                out[count] = place // LEVELS
                count += 1
            place = work[place] - 1
        # A ring ends at its start; for a path the first cell is still missing.
        if source != target and source < tables[CELLS]:
            out[count] = source
            count += 1
    clear_queue(work, area, end)
    return count


@kernel(LISTING)
def pieces(tables, state, work, out):
    """Write the piece on each cell; return the number of cells."""
    for cell in range(tables[CELLS]):
        out[cell] = state[HEADER + cell]
    return tables[CELLS]


@kernel(LISTING)
def chain(tables, state, work, out):
    """Write the cells of a shortest winning chain or ring; return their number, 0 if none.

    Both are shortest paths in the board unrolled round its axis: level ``w`` of a node is the node
    reached with winding ``w``. Black's path joins the terminals on any level. White's leads from a
    stone to itself one level higher, for the stone on the seam with the shortest such path.
    """
    if state[WINNER] == 1:
        return path(tables, state, work, out, tables[SOURCE], tables[TARGET], 0)
    if state[WINNER] != 2:
        return 0
    best_length = tables[NODES] + 1
    best = -1
    for node in range(tables[NODES]):
        # Every ring crosses the seam, so each has a stone beside it from which it is found.
        on_seam = 1 if node >= tables[CELLS] else 0
        if node < tables[CELLS]:
            for i in range(node * tables[DEGREE], (node + 1) * tables[DEGREE]):
                if tables[tables[WINDINGS] + i] != 0:
                    on_seam = 1
        if on_seam == 1 and state[HEADER + node] == 2:
            length = path(tables, state, work, out, node, node, 1)
            if 0 < length < best_length:
                best_length = length
                best = node
    return path(tables, state, work, out, best, best, 1) if best >= 0 else 0


@kernel(DESCRIBE)
def describe(tables, state, move, out):
    """Describe a move: each has a name of its own."""
    out[NAME] = move
    out[OTHER_NAME] = -1
    out[CELL] = move if move < tables[CELLS] else -1
    out[ENDING] = 0
    return 0


@kernel(START)
def null_move(tables, state, work):
    """Give the turn to the other colour and change nothing else; return 1 if that is a position."""
    extra = tables[KEYS] + 2 * tables[CELLS]
    state[KEY] ^= tables[extra]
    if state[SWAP_OPEN] == 1:
        state[KEY] ^= tables[extra + 2]
    state[SWAP_OPEN] = 0
    state[LAST] = -1
    state[COLOR] = 1 - state[COLOR]
    set_seat(tables, state)
    return 1

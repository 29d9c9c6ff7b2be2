"""Alpha-beta search of Antipode on bitboards that can pause at any position.

Principal variation search (Marsland and Campbell, "Parallel search of strongly ordered game trees",
1982) with a transposition table, killer and history ordering and late move reductions. The stack
is an array with a frame for each ply, so a search can stop after any number of visits and resume.
Turns that win or lose at once are found when turns are listed, and wins at once also at the horizon
where a path lacks few cells.

Values are for the mover: an estimate, 0 for a draw, or ``MATE`` less the plies to a win.
"""

from __future__ import annotations

from antipodes.games.kernels.antipode import ADJACENT, BETWEEN, CELLS, FULL, LOSS, REACH, missing
from antipodes.games.kernels.bits import lowest, popcount
from antipodes.games.kernels.registry import kernel
from antipodes.search.kernels.antipode_estimate import estimate
from antipodes.search.kernels.antipode_playout import update_missing_cells

# A frame of the stack: a position for its mover, and the state of its search.
OWN = 0
OTHER = 1
PAWN = 2
RIVAL = 3
OWN_MISSING = 4  # cells that the mover lacks for each pair of corners and, fourth, their union
OTHER_MISSING = 8
PART = 12  # the next step: one of the three below
DEPTH = 13
ALPHA = 14
BETA = 15
FLOOR = 16  # alpha at first
BEST = 17
BEST_TURN = 18
COUNT = 19  # turns in the list
TRIED = 20  # turns that have been searched
TURN = 21  # the turn that is searched now
BEFORE = 22  # visits before it
KILLER = 23  # the last two turns at this ply that refuted the turn before
FRAME = 25

OPEN = 0
PICK = 1
DONE = 2

# Settings of a search.
PLY = 0
VISITS = 1
MASK = 2  # number of entries of the table, less one
SETTINGS = 4

# Statistics of the root's turns, in rows.
VALUE = 0
REACHED = 1  # depth of that value; 0 if there is none
EFFORT = 2  # visits
ORDER = 3
GUESS = 4  # value at depth 1
KNOWN = 5

MOST = (CELLS - 6) * 24  # turns of a position
PLIES = CELLS - 6 + 2
MATE = 30_000
SURE = 29_000  # greater values are proven
INFINITE = 32_000
UNSETTLED = 40_000

# Turns tried at full depth, and those that are tried one ply less deep.
FULL_DEPTH = 6
REDUCED = 30
NEAR = 3  # cells: a path that lacks no more may be closed at once

# The transposition table has four numbers for each entry: own and other tokens, pawns, and the
# packed data. Threads share it and write without locks, so an entry may be a mixture of two.
# Therefore the first three numbers are stored exclusive-or the data (Robert Hyatt and Tim Mann, "A
# lockless transposition-table implementation for parallel search", 2002): a mixed entry fits no
# position.
ENTRY = 4
EXACT = 0
LOWER = 1
UPPER = 2
OFFSET = 65_536  # makes values positive


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


@kernel("i8(i8[::1], i8)")
def is_joined(tables, tokens):
    """Return 1 if tokens join two opposite corners."""
    for pair in range(3):
        if missing(tables, tokens, pair) == 0:
            return 1
    return 0


@kernel("i8(i8[::1], i8, i8, i8, i8)")
def wins_at_once(tables, own, other, pawn, rival):
    """Return 1 if the mover has a turn that joins its corners."""
    needed = missing(tables, own, 0) | missing(tables, own, 1) | missing(tables, own, 2)
    occupied = own | other
    loose = occupied & ~((1 << pawn) | (1 << rival))
    reach = tables[REACH + pawn * CELLS + rival]
    empty = FULL & ~occupied
    while empty != 0:
        cell = lowest(empty)
        empty &= empty - 1
        around = tables[ADJACENT + cell] & loose
        held = own | (1 << cell)
        rests = ((own ^ around) | (1 << cell)) & reach
        while rests != 0:
            rest = lowest(rests)
            rests &= rests - 1
            passed = tables[BETWEEN + pawn * CELLS + rest] & (occupied | (1 << cell))
            then = held ^ around ^ passed
            if (then & ~own & needed) != 0:
                if is_joined(tables, then) == 1:
                    return 1
    return 0


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[:,::1], i8[::1], i8, i8)")
def list_turns(tables, stack, lists, roots, history, ply, known):
    """List the turns of a frame that neither win nor lose at once; return one that wins, or -1.

    Turns are packed in ``lists`` as ``order * 4096 + turn``. At the root all turns are tested and
    winning and losing ones recorded; elsewhere the first winning turn ends the listing.
    """
    base = ply * FRAME
    own = stack[base + OWN]
    other = stack[base + OTHER]
    pawn = stack[base + PAWN]
    own_needs = stack[base + OWN_MISSING + 3]
    other_needs = stack[base + OTHER_MISSING + 3]
    occupied = own | other
    loose = occupied & ~((1 << pawn) | (1 << stack[base + RIVAL]))
    reach = tables[REACH + pawn * CELLS + stack[base + RIVAL]]
    winning = -1
    count = 0
    seen = 0
    balance = popcount(own)
    empty = FULL & ~occupied
    while empty != 0:
        cell = lowest(empty)
        empty &= empty - 1
        around = tables[ADJACENT + cell] & loose
        placed = 1 << cell
        rests = ((own ^ around) | placed) & reach
        while rests != 0:
            rest = lowest(rests)
            rests &= rests - 1
            seen += 1
            turn = cell * CELLS + rest
            flipped = around ^ (tables[BETWEEN + pawn * CELLS + rest] & (occupied | placed))
            own_then = (own | placed) ^ flipped
            other_then = other ^ flipped
            decided = 0
            if (own_then & ~own & own_needs) != 0 and is_joined(tables, own_then) == 1:
                decided = MATE - 1
            elif (other_then & ~other & other_needs) != 0 and is_joined(tables, other_then) == 1:
                decided = 1 - MATE
            if decided != 0:
                if ply == 0:
                    roots[VALUE, turn] = decided
                    roots[REACHED, turn] = stack[base + DEPTH]
                if decided > 0:
                    winning = turn
                    if ply > 0:
                        return winning
                continue
            if ply == 0:
                order = roots[ORDER, turn]
            elif turn == known:
                order = 1 << 40
            elif turn == stack[base + KILLER]:
                order = 1 << 39
            elif turn == stack[base + KILLER + 1]:
                order = 1 << 38
            else:
                order = history[turn] + 16 * (64 + popcount(own_then) - balance)
            lists[ply * MOST + count] = order * 4096 + turn
            count += 1
    stack[base + COUNT] = count
    # Whether there is any turn.
    stack[base + TRIED] = seen
    return winning


@kernel("i8(i8[::1], i8, i8)")
def pick_turn(lists, first, last):
    """Move the turn of the highest order to the front and return it."""
    best = first
    for i in range(first + 1, last):
        if lists[i] > lists[best]:
            best = i
    chosen = lists[best]
    lists[best] = lists[first]
    lists[first] = chosen
    return chosen & 4095


@kernel("i8(i8[::1], i8[::1], i8, i8)")
def step(tables, stack, ply, turn):
    """Write the position after a turn into the next frame, without the missing cells."""
    base = ply * FRAME
    child = base + FRAME
    cell = turn // CELLS
    rest = turn % CELLS
    own = stack[base + OWN] | (1 << cell)
    other = stack[base + OTHER]
    pawn = stack[base + PAWN]
    rival = stack[base + RIVAL]
    # A token is not its own neighbour, so it may count as loose.
    flipped = tables[ADJACENT + cell] & (own | other) & ~((1 << pawn) | (1 << rival))
    flipped ^= tables[BETWEEN + pawn * CELLS + rest] & (own | other)
    stack[child + OWN] = other ^ flipped
    stack[child + OTHER] = own ^ flipped
    stack[child + PAWN] = rival
    stack[child + RIVAL] = rest
    return 0


@kernel("i8(i8[::1], i8[::1], i8)")
def update_missing(tables, stack, ply):
    """Write the missing cells of both colours in a frame from the frame before it."""
    base = (ply - 1) * FRAME
    child = base + FRAME
    for i in range(4):
        stack[child + OWN_MISSING + i] = stack[base + OTHER_MISSING + i]
        stack[child + OTHER_MISSING + i] = stack[base + OWN_MISSING + i]
    gained = stack[child + OWN] & ~stack[base + OTHER]
    if (gained & stack[child + OWN_MISSING + 3]) != 0:
        update_missing_cells(tables, stack, child + OWN_MISSING, stack[child + OWN], gained)
    gained = stack[child + OTHER] & ~stack[base + OWN]
    if (gained & stack[child + OTHER_MISSING + 3]) != 0:
        update_missing_cells(tables, stack, child + OTHER_MISSING, stack[child + OTHER], gained)
    return 0


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8)")
def leaf_value(tables, weights, stack, scratch, ply):
    """Return the value of an unfinished position at the horizon."""
    base = ply * FRAME
    own = stack[base + OWN]
    other = stack[base + OTHER]
    pawn = stack[base + PAWN]
    rival = stack[base + RIVAL]
    if (own | other) == FULL:
        return ply - MATE if tables[LOSS] == 1 else 0
    value = estimate(tables, weights, own, other, pawn, rival, scratch)
    if scratch[0] <= NEAR and wins_at_once(tables, own, other, pawn, rival) == 1:
        return MATE - ply - 1
    return value


@kernel("i8(i8[::1], i8[::1], i8[::1], i8)")
def store_entry(settings, stack, table, ply):
    """Store a frame's value in the table, with distances to wins relative to the frame."""
    base = ply * FRAME
    own = stack[base + OWN]
    other = stack[base + OTHER]
    pawns = stack[base + PAWN] * 64 + stack[base + RIVAL]
    value = stack[base + BEST]
    bound = EXACT
    if value <= stack[base + FLOOR]:
        bound = UPPER
    elif value >= stack[base + BETA]:
        bound = LOWER
    if value > SURE:
        value += ply
    elif value < -SURE:
        value -= ply
    at = table_slot(own, other, pawns, settings[MASK])
    rest = stack[base + DEPTH] * 4096 + stack[base + BEST_TURN] + 1
    rest += ((value + OFFSET) * 4 + bound) * (64 * 4096)
    table[at] = own ^ rest
    table[at + 1] = other ^ rest
    table[at + 2] = pawns ^ rest
    table[at + 3] = rest
    return 0


@kernel("i8(i8[::1], i8, i8, i8, i8)")
def probe_table(table, at, own, other, pawns):
    """Return the data of a position's entry at an index of the table; 0 if there is none."""
    rest = table[at + 3]
    if table[at] ^ rest == own and table[at + 1] ^ rest == other and table[at + 2] ^ rest == pawns:
        return rest
    return 0


@kernel("i8(i8[::1], i8, i8)")
def value_from_table(stack, entry, ply):
    """Return a frame's value if its table entry is deep enough, else UNSETTLED."""
    base = ply * FRAME
    value = (entry >> 20) - OFFSET
    bound = (entry >> 18) & 3
    # A proven win holds at any depth, unless the value is only an upper bound.
    sure = (value > SURE and bound != UPPER) or (value < -SURE and bound != LOWER)
    if not sure and (entry >> 12) & 63 < stack[base + DEPTH]:
        return UNSETTLED
    if value > SURE:
        value -= ply
    elif value < -SURE:
        value += ply
    if (
        bound == EXACT
        or (bound == LOWER and value >= stack[base + BETA])
        or (bound == UPPER and value <= stack[base + ALPHA])
    ):
        return value
    return UNSETTLED


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[:,::1], i8[::1], i8)")
def enter(tables, settings, stack, lists, table, roots, history, ply):
    """Begin a frame; return its value if it needs no search, else UNSETTLED."""
    base = ply * FRAME
    own = stack[base + OWN]
    other = stack[base + OTHER]
    pawns = stack[base + PAWN] * 64 + stack[base + RIVAL]
    stack[base + FLOOR] = stack[base + ALPHA]
    stack[base + BEST_TURN] = -1
    if (own | other) == FULL:
        return ply - MATE if tables[LOSS] == 1 else 0
    known = -1
    entry = probe_table(table, table_slot(own, other, pawns, settings[MASK]), own, other, pawns)
    if entry != 0:
        known = (entry & 4095) - 1
        if ply > 0:
            value = value_from_table(stack, entry, ply)
            if value != UNSETTLED:
                return value
    if ply > 0:
        update_missing(tables, stack, ply)
    winning = list_turns(tables, stack, lists, roots, history, ply, known)
    stack[base + BEST] = ply + 2 - MATE if stack[base + TRIED] != 0 else ply - MATE
    if winning >= 0:
        stack[base + BEST_TURN] = winning
        stack[base + BEST] = MATE - ply - 1
        if ply > 0 or stack[base + DEPTH] > 1:
            return MATE - ply - 1
    elif stack[base + COUNT] == 0:
        # There is no turn, or each of them wins for the other colour.
        return ply - MATE if stack[base + TRIED] == 0 else ply + 1 - MATE
    stack[base + TRIED] = 0
    return UNSETTLED


@kernel("i8(i8[::1], i8[::1], i8[:,::1], i8, i8, i8)")
def record_value(stack, history, roots, ply, turn, value):
    """Update a frame with the value of one of its turns."""
    base = ply * FRAME
    depth = stack[base + DEPTH]
    if ply == 0:
        roots[VALUE, turn] = value
        roots[REACHED, turn] = depth
        if depth == 1:
            roots[GUESS, turn] = value
    if value > stack[base + BEST] or stack[base + BEST_TURN] < 0:
        stack[base + BEST] = value
        stack[base + BEST_TURN] = turn
    if value > stack[base + ALPHA]:
        stack[base + ALPHA] = value
        if value >= stack[base + BETA] and depth > 1:
            if stack[base + KILLER] != turn:
                stack[base + KILLER + 1] = stack[base + KILLER]
                stack[base + KILLER] = turn
            history[turn] += depth * depth
    return 0


@kernel("i8(i8[::1], i8)")
def child_depth(stack, ply):
    """Return the depth of the first search of the turn that was picked last.

    Late turns are reduced, unless the whole rest of the game is searched.
    """
    base = ply * FRAME
    depth = stack[base + DEPTH] - 1
    if depth < 2 or depth >= CELLS - 1 - popcount(stack[base + OWN] | stack[base + OTHER]):
        return depth
    tried = stack[base + TRIED]
    if tried > REDUCED and depth >= 3:
        return depth - 2
    return depth - 1 if tried > FULL_DEPTH else depth


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[:,::1], i8[::1], i8[::1], i8)")
def run(tables, weights, settings, stack, lists, table, roots, history, scratch, limit):
    """Resume a search until there are ``limit`` visits; return 1 if it is complete.

    A visit is a position, at the horizon or before it.
    """
    ply = settings[PLY]
    while settings[VISITS] < limit:
        base = ply * FRAME
        child = base + FRAME
        if stack[base + PART] == OPEN:
            settings[VISITS] += 1
            value = enter(tables, settings, stack, lists, table, roots, history, ply)
            if value == UNSETTLED:
                stack[base + PART] = PICK
            else:
                stack[base + BEST] = value
                stack[base + PART] = DONE
        elif stack[base + PART] == PICK:
            first = ply * MOST + stack[base + TRIED]
            end = ply * MOST + stack[base + COUNT]
            if first == end or stack[base + ALPHA] >= stack[base + BETA]:
                store_entry(settings, stack, table, ply)
                stack[base + PART] = DONE
                continue
            turn = pick_turn(lists, first, end)
            stack[base + TURN] = turn
            stack[base + TRIED] += 1
            stack[base + BEFORE] = settings[VISITS]
            step(tables, stack, ply, turn)
            if stack[base + DEPTH] <= 1:
                settings[VISITS] += 1
                if ply == 0:
                    roots[EFFORT, turn] += 1
                value = -leaf_value(tables, weights, stack, scratch, ply + 1)
                record_value(stack, history, roots, ply, turn, value)
                continue
            # The first turn has an open window, the others a null window.
            alpha = stack[base + ALPHA]
            stack[child + ALPHA] = -stack[base + BETA] if stack[base + TRIED] == 1 else -alpha - 1
            stack[child + BETA] = -alpha
            stack[child + DEPTH] = child_depth(stack, ply)
            stack[child + PART] = OPEN
            ply += 1
        elif ply == 0:
            settings[PLY] = 0
            return 1
        else:
            ply -= 1
            base -= FRAME
            child -= FRAME
            turn = stack[base + TURN]
            value = -stack[child + BEST]
            if ply == 0:
                roots[EFFORT, turn] += settings[VISITS] - stack[base + BEFORE]
                stack[base + BEFORE] = settings[VISITS]
            if value > stack[base + ALPHA]:
                depth = stack[base + DEPTH] - 1
                narrow = -stack[child + FLOOR] < stack[base + BETA]
                if stack[child + DEPTH] < depth or (narrow and value < stack[base + BETA]):
                    # Better than expected: search again at full depth, then with an open window.
                    again = stack[child + DEPTH] < depth
                    alpha = stack[base + ALPHA]
                    stack[child + ALPHA] = -alpha - 1 if again else -stack[base + BETA]
                    stack[child + BETA] = -alpha
                    stack[child + DEPTH] = depth
                    stack[child + PART] = OPEN
                    ply += 1
                    continue
            record_value(stack, history, roots, ply, turn, value)
    settings[PLY] = ply
    return 0

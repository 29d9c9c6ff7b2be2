"""Alpha-beta search of Antipode on bitboards that can pause at any position.

Principal variation search (Marsland and Campbell, "Parallel search of strongly ordered game trees",
1982) with a transposition table, ordering by killers, estimates and history, and late move
reductions. The stack is an array with a frame for each ply, so a search can stop after any number
of visits and resume. Turns that win or lose at once are found when turns are listed, and wins at
once also at the horizon where they change a bound.

Values are for the mover: an estimate, 0 for a draw, or ``MATE`` less the plies to a win.
"""

from __future__ import annotations

from typing import NamedTuple

from antipodes.games.kernels.antipode import ADJACENT, BETWEEN, CELLS, FULL, LOSS, REACH
from antipodes.games.kernels.bits import lowest, popcount
from antipodes.games.kernels.registry import I8, I8_2, Int, kernel
from antipodes.search.kernels.antipode_estimate import LIMIT, estimate
from antipodes.search.kernels.antipode_estimate import SCRATCH as FEATURES
from antipodes.search.kernels.antipode_table import (
    EXACT,
    LOWER,
    UPPER,
    probe_table,
    table_slot,
)
from antipodes.search.kernels.antipode_wins import (
    RIMS,
    is_joined,
    joins,
    lines_of,
    reaches,
    wins_at_once,
    write_rims,
)

# A frame of the stack: a position for its mover, and the state of its search.
OWN = 0
OTHER = 1
PAWN = 2
RIVAL = 3
PART = 4  # the next step: one of the three below
DEPTH = 5
ALPHA = 6
BETA = 7
FLOOR = 8  # alpha at first
BEST = 9
BEST_TURN = 10
COUNT = 11  # turns in the list
TRIED = 12  # turns that have been searched
TURN = 13  # the turn that is searched now
BEFORE = 14  # visits before it
KILLER = 15  # the last two turns at this ply that refuted the turn before
FRAME = 17

OPEN = 0
PICK = 1
DONE = 2

# Settings of a search.
PLY = 0
VISITS = 1
MASK = 2  # number of entries of the table, less one
ORDERING = 3  # 1 to order turns by estimates, and to try killers first at the horizon
SETTINGS = 4

# Statistics of the root's turns, in rows.
VALUE = 0
REACHED = 1  # depth of that value; 0 if there is none
EFFORT = 2  # visits
ORDER = 3
GUESS = 4  # value at depth 1
BARRED = 5  # 1 if the turn is not searched
KNOWN = 6

MOST = (CELLS - 6) * 24  # turns of a position
PLIES = CELLS - 6 + 2
MATE = 30_000
SURE = 29_000  # greater values are proven
INFINITE = 32_000
UNSETTLED = 40_000

# Turns of the root, and of all frames without ORDERING, that are tried at full depth, and those
# that are tried one ply less deep.
FULL_DEPTH = 6
REDUCED = 30

# Elsewhere turns are ordered by their estimates, and after so many the depth falls by 1, 2 and 3.
LATE = 3
LATER = 12
LATEST = 40

SORTED = 6  # turns of a frame at the horizon that are tried in order

# Places in the scratch array, after the features.
OWN_RIMS = FEATURES
OTHER_RIMS = OWN_RIMS + RIMS
SCRATCH = OTHER_RIMS + RIMS

OFFSET = 65_536  # makes values positive


class AlphaBeta(NamedTuple):
    """The state of a search.

    Attributes:
        weights: of the estimate.
        settings: of the search, and where it stands.
        stack: a frame for each ply.
        lists: room for the turns of each ply.
        table: the transposition table.
        roots: the statistics of the root's turns.
        history: for each turn how often it refuted others, deep refutations counting more.
        scratch: for estimates and wins at once.
    """

    weights: I8
    settings: I8
    stack: I8
    lists: I8
    table: I8
    roots: I8_2
    history: I8
    scratch: I8


@kernel()
def list_turns(tables: I8, search: AlphaBeta, ply: Int, known: Int) -> Int:
    """List the turns of a frame that neither win nor lose at once; return one that wins, or -1.

    Turns are packed in ``lists`` as ``order * 4096 + turn``. At the root all turns are tested and
    winning and losing ones recorded; elsewhere the first winning turn ends the listing.
    """
    stack = search.stack
    lists = search.lists
    roots = search.roots
    scratch = search.scratch
    base = ply * FRAME
    own = stack[base + OWN]
    other = stack[base + OTHER]
    pawn = stack[base + PAWN]
    rival = stack[base + RIVAL]
    write_rims(tables, own, scratch, OWN_RIMS)
    write_rims(tables, other, scratch, OTHER_RIMS)
    occupied = own | other
    loose = occupied & ~((1 << pawn) | (1 << rival))
    reach = tables[REACH + pawn * CELLS + rival]
    lines = lines_of(tables, pawn, reach)
    winning = -1
    count = 0
    seen = 0
    balance = popcount(own)
    estimated = search.settings[ORDERING] == 1 and stack[base + DEPTH] > 1
    empty = FULL & ~occupied
    while empty != 0:
        cell = lowest(empty)
        empty &= empty - 1
        around = tables[ADJACENT + cell] & loose
        placed = 1 << cell
        # The tokens that a colour gains by any slide after this placement: if not even all of them
        # together touch both rims of a pair, no slide needs a test.
        may_win = reaches(scratch, OWN_RIMS, placed | ((around | lines) & other))
        may_lose = reaches(scratch, OTHER_RIMS, placed | ((around | lines) & own))
        rests = ((own ^ around) | placed) & reach
        while rests != 0:
            target = lowest(rests)
            rests &= rests - 1
            seen += 1
            turn = cell * CELLS + target
            if ply == 0 and roots[BARRED, turn] == 1:
                continue
            flipped = around ^ (tables[BETWEEN + pawn * CELLS + target] & (occupied | placed))
            own_then = (own | placed) ^ flipped
            other_then = other ^ flipped
            decided = 0
            gained = own_then & ~own
            lost = other_then & ~other
            if may_win == 1 and joins(tables, own_then, scratch, OWN_RIMS, gained) == 1:
                decided = MATE - 1
            elif may_lose == 1 and joins(tables, other_then, scratch, OTHER_RIMS, lost) == 1:
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
            elif estimated:
                order = OFFSET - estimate(
                    tables,
                    search.weights,
                    other_then,
                    own_then,
                    rival,
                    target,
                    scratch,
                    INFINITE,
                    INFINITE,
                )
            else:
                order = search.history[turn] + 16 * (64 + popcount(own_then) - balance)
            if ply > 0:
                if turn == known:
                    order = 1 << 32
                elif turn == stack[base + KILLER]:
                    order = 1 << 31
                elif turn == stack[base + KILLER + 1]:
                    order = 1 << 30
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
    target = turn % CELLS
    own = stack[base + OWN] | (1 << cell)
    other = stack[base + OTHER]
    pawn = stack[base + PAWN]
    rival = stack[base + RIVAL]
    # A token is not its own neighbour, so it may count as loose.
    flipped = tables[ADJACENT + cell] & (own | other) & ~((1 << pawn) | (1 << rival))
    flipped ^= tables[BETWEEN + pawn * CELLS + target] & (own | other)
    stack[child + OWN] = other ^ flipped
    stack[child + OTHER] = own ^ flipped
    stack[child + PAWN] = rival
    stack[child + RIVAL] = target
    return 0


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8, i8, i8)")
def leaf_value(tables, weights, stack, scratch, ply, low, high):
    """Return the value of an unfinished position at the horizon.

    A value of at most ``low`` or at least ``high`` is a bound, which proves nothing.
    """
    base = ply * FRAME
    own = stack[base + OWN]
    other = stack[base + OTHER]
    pawn = stack[base + PAWN]
    rival = stack[base + RIVAL]
    if (own | other) == FULL:
        return ply - MATE if tables[LOSS] == 1 else 0
    value = estimate(tables, weights, own, other, pawn, rival, scratch, low, high)
    if value >= high:
        return max(high, -LIMIT)
    if wins_at_once(tables, own, other, pawn, rival, scratch, OWN_RIMS) == 1:
        return MATE - ply - 1
    return max(value, min(low, LIMIT))


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
    packed = stack[base + DEPTH] * 4096 + stack[base + BEST_TURN] + 1
    packed += ((value + OFFSET) * 4 + bound) * (64 * 4096)
    table[at] = own ^ packed
    table[at + 1] = other ^ packed
    table[at + 2] = pawns ^ packed
    table[at + 3] = packed
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


@kernel("i8(i8[::1], i8[::1], i8, i8)")
def is_legal(tables, stack, ply, turn):
    """Return 1 if a turn is legal in a frame."""
    base = ply * FRAME
    own = stack[base + OWN]
    pawn = stack[base + PAWN]
    rival = stack[base + RIVAL]
    placed = 1 << (turn // CELLS)
    if ((own | stack[base + OTHER]) & placed) != 0:
        return 0
    around = tables[ADJACENT + turn // CELLS] & ~((1 << pawn) | (1 << rival))
    around &= own | stack[base + OTHER]
    rests = ((own ^ around) | placed) & tables[REACH + pawn * CELLS + rival]
    return (rests >> (turn % CELLS)) & 1


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[::1], i8, i8)")
def refutation(tables, weights, stack, scratch, ply, turn):
    """Return the value of a turn of a frame at the horizon if it reaches beta, else UNSETTLED."""
    base = ply * FRAME
    child = base + FRAME
    if turn < 0 or is_legal(tables, stack, ply, turn) == 0:
        return UNSETTLED
    step(tables, stack, ply, turn)
    if is_joined(tables, stack[child + OTHER]) == 1:
        return MATE - ply - 1
    if is_joined(tables, stack[child + OWN]) == 1:
        return UNSETTLED
    beta = stack[base + BETA]
    value = -leaf_value(tables, weights, stack, scratch, ply + 1, -beta, 1 - beta)
    return value if value >= beta else UNSETTLED


@kernel()
def enter(tables: I8, search: AlphaBeta, ply: Int) -> Int:
    """Begin a frame; return its value if it needs no search, else UNSETTLED."""
    settings = search.settings
    stack = search.stack
    base = ply * FRAME
    own = stack[base + OWN]
    other = stack[base + OTHER]
    pawns = stack[base + PAWN] * 64 + stack[base + RIVAL]
    stack[base + FLOOR] = stack[base + ALPHA]
    stack[base + BEST_TURN] = -1
    if (own | other) == FULL:
        return ply - MATE if tables[LOSS] == 1 else 0
    known = -1
    slot = table_slot(own, other, pawns, settings[MASK])
    entry = probe_table(search.table, slot, own, other, pawns)
    if entry != 0:
        known = (entry & 4095) - 1
        if ply > 0:
            value = value_from_table(stack, entry, ply)
            if value != UNSETTLED:
                return value
    if settings[ORDERING] == 1 and ply > 0 and stack[base + DEPTH] == 1:
        for i in range(3):
            turn = known if i == 0 else stack[base + KILLER + i - 1]
            value = refutation(tables, search.weights, stack, search.scratch, ply, turn)
            if value != UNSETTLED:
                return value
    winning = list_turns(tables, search, ply, known)
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


@kernel("i8(i8[::1], i8[::1], i8[::1], i8[:,::1], i8, i8, i8)")
def record_value(settings, stack, history, roots, ply, turn, value):
    """Update a frame with the value of one of its turns."""
    base = ply * FRAME
    depth = stack[base + DEPTH]
    if ply == 0:
        # No more than alpha is a bound, which proves no win.
        roots[VALUE, turn] = value if value > stack[base + ALPHA] else min(value, SURE)
        roots[REACHED, turn] = depth
        if depth == 1:
            roots[GUESS, turn] = value
    if value > stack[base + BEST] or stack[base + BEST_TURN] < 0:
        stack[base + BEST] = value
        stack[base + BEST_TURN] = turn
    if value > stack[base + ALPHA]:
        stack[base + ALPHA] = value
        if value >= stack[base + BETA] and (depth > 1 or settings[ORDERING] == 1):
            if stack[base + KILLER] != turn:
                stack[base + KILLER + 1] = stack[base + KILLER]
                stack[base + KILLER] = turn
            history[turn] += depth * depth
    return 0


@kernel("i8(i8[::1], i8[::1], i8)")
def child_depth(settings, stack, ply):
    """Return the depth of the first search of the turn that was picked last.

    Late turns are reduced, unless the whole rest of the game is searched.
    """
    base = ply * FRAME
    depth = stack[base + DEPTH] - 1
    if depth < 2 or depth >= CELLS - 1 - popcount(stack[base + OWN] | stack[base + OTHER]):
        return depth
    tried = stack[base + TRIED]
    if ply > 0 and settings[ORDERING] == 1:
        return max(depth - int(tried > LATE) - int(tried > LATER) - int(tried > LATEST), 1)
    if tried > REDUCED and depth >= 3:
        return depth - 2
    return depth - 1 if tried > FULL_DEPTH else depth


@kernel()
def run(tables: I8, search: AlphaBeta, limit: Int) -> Int:
    """Resume a search until there are ``limit`` visits; return 1 if it is complete.

    A visit is a position, at the horizon or before it.
    """
    settings = search.settings
    stack = search.stack
    lists = search.lists
    roots = search.roots
    ply = settings[PLY]
    while settings[VISITS] < limit:
        base = ply * FRAME
        child = base + FRAME
        if stack[base + PART] == OPEN:
            settings[VISITS] += 1
            value = enter(tables, search, ply)
            if value == UNSETTLED:
                stack[base + PART] = PICK
            else:
                stack[base + BEST] = value
                stack[base + PART] = DONE
        elif stack[base + PART] == PICK:
            first = ply * MOST + stack[base + TRIED]
            end = ply * MOST + stack[base + COUNT]
            # All turns are searched, or one is so good that the opponent avoids this position (a
            # cut-off): no further turn can change that.
            if first == end or stack[base + ALPHA] >= stack[base + BETA]:
                store_entry(settings, stack, search.table, ply)
                stack[base + PART] = DONE
                continue
            # The best is picked turn by turn: a cut-off mostly comes early, so sorting them all
            # would be more work.
            if settings[ORDERING] == 0 or stack[base + DEPTH] > 1 or stack[base + TRIED] < SORTED:
                turn = pick_turn(lists, first, end)
            else:
                turn = lists[first] & 4095
            stack[base + TURN] = turn
            stack[base + TRIED] += 1
            stack[base + BEFORE] = settings[VISITS]
            step(tables, stack, ply, turn)
            if stack[base + DEPTH] <= 1:
                settings[VISITS] += 1
                if ply == 0:
                    roots[EFFORT, turn] += 1
                low = -INFINITE if ply == 0 else -stack[base + BETA]
                high = INFINITE if ply == 0 else -stack[base + ALPHA]
                value = -leaf_value(
                    tables, search.weights, stack, search.scratch, ply + 1, low, high
                )
                record_value(settings, stack, search.history, roots, ply, turn, value)
                continue
            # The first turn has an open window, the others a null window.
            alpha = stack[base + ALPHA]
            stack[child + ALPHA] = -stack[base + BETA] if stack[base + TRIED] == 1 else -alpha - 1
            stack[child + BETA] = -alpha
            stack[child + DEPTH] = child_depth(settings, stack, ply)
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
            record_value(settings, stack, search.history, roots, ply, turn, value)
    settings[PLY] = ply
    return 0

"""Nodes of a search tree in flat arrays: children, proofs, pruning, and moving the root.

The arrays have a column for each node, the root first, and a row for each quantity, so that what a
loop over the children of a node reads lies side by side:

- ``links``: the move that leads to the node, its first child, how many of its children may be
  selected, how many were tried, how many there are, and the node's visits;
- ``stats``: what a move is worth, and the bonus for having been visited little; searches with
  estimates have more rows;
- ``totals``: the sum of what the visits were worth to the side that made the move;
- ``marks``: what is proven, and whether the node was looked at by an advisor.

Children stand in one block: those that were tried, those that were not, those that are lost. A
block lies behind the node that it belongs to.

*Sides* are seats that win together, counted as seats are; a swap changes a side's colour. A verdict
is 0 while nothing is proven, 1 + the side that wins whatever the others do, or ``EVEN`` for a draw
(solver values: Winands, Björnsson and Saito, "Monte-Carlo tree search solver", 2008).
"""

from __future__ import annotations

from antipodes.games.kernels.header import WINNER
from antipodes.games.kernels.registry import kernel

# Rows of the links.
MOVE = 0
FIRST = 1
LIVE = 2  # children that may be selected; 0 where the node is proven
TRIED = 3
SIZE = 4
VISITS = 5
LINKS = 6

# Rows of the statistics.
WORTH = 0
WIDTH = 1
STATS = 2

# Rows of the marks.
VERDICT = 0
ADVISED = 1

MARKS = 2

EVEN = -1

# What a search is told, as one array of numbers.
SIDES = 0
THRESHOLD = 1  # visits after which a leaf is expanded
COPIED = 2  # numbers of a state that a walk down the tree needs
LIGHT = 3  # 1 if the walk's steps leave out who has won
USE_ESTIMATE = 4  # 1 to ask the estimate at a leaf, 0 for a random game
USED = 5  # nodes in use; changed by the search
PLIES = 6  # moves below the root for which there is room; what ends there is not proven
BRIDGES = 7  # 1 if random games keep bridges
SETTINGS = 8

# Another, of fractions.
EXPLORATION = 0  # how much having been visited little counts
TRUST = 1  # visits that count as much as the estimates
WEIGHTS = 2

FINE = float(1 << 30)  # steps in which worths are compared
PLACES = 20  # bits for the place of a child

PLAY = "FunctionType(i8(i8[::1], i8[::1], i8[::1], i8))"
LIST = "FunctionType(i8(i8[::1], i8[::1], i8[::1], i8[::1]))"
TREE = "u4[:,::1], f4[:,::1], f8[::1], i1[:,::1]"


@kernel("i8(u4[:,::1], i8[::1], i8)")
def is_ripe(links, settings, node):
    """Return 1 if a leaf has been visited often enough to be expanded.

    The nearer the arrays are to being full, the more visits that takes: twice as many when half of
    them is used, four times when three quarters are.
    """
    threshold = settings[THRESHOLD]
    if links[VISITS, node] < threshold:
        return 1 if node == 0 else 0
    capacity = links.shape[1]
    left = capacity - settings[USED]
    while 2 * left < capacity and capacity > 1:
        threshold *= 2
        capacity //= 2
    return 1 if node == 0 or links[VISITS, node] >= threshold else 0


@kernel(f"i8({LIST}, i8[::1], i8[::1], i8[::1], i8[::1], {TREE}, i8[::1], i8)")
def expand(moves, tables, state, work, out, links, stats, totals, marks, settings, node):
    """Give a node its children, if there is room; return their number."""
    count = moves(tables, state, work, out)
    first = settings[USED]
    if first + count > links.shape[1]:
        return 0
    for i in range(count):
        child = first + i
        links[MOVE, child] = out[i]
        links[FIRST, child] = 0
        links[LIVE, child] = 0
        links[TRIED, child] = 0
        links[SIZE, child] = 0
        links[VISITS, child] = 0
        totals[child] = 0.0
        marks[VERDICT, child] = 0
        marks[ADVISED, child] = 0
        for row in range(stats.shape[0]):
            stats[row, child] = 0.0
        stats[WORTH, child] = 1.0
        stats[WIDTH, child] = 1.0
    links[FIRST, node] = first
    links[LIVE, node] = count
    links[SIZE, node] = count
    settings[USED] = first + count
    return count


@kernel(f"i8({PLAY}, i8[::1], i8[::1], i8[::1], i8[::1], u4[:,::1], i8[::1], i8)")
def replay(play, tables, root, state, work, links, path, depth):
    """Play the moves of a path with all rules; return the winner as the state has it."""
    state[:] = root
    for i in range(1, depth + 1):
        play(tables, state, work, int(links[MOVE, path[i]]))
    return state[WINNER]


@kernel(f"i8({TREE}, i8, i8)")
def exchange(links, stats, totals, marks, a, b):
    """Exchange two children of the same node."""
    if a == b:
        return 0
    for row in range(links.shape[0]):
        links[row, a], links[row, b] = links[row, b], links[row, a]
    for row in range(stats.shape[0]):
        stats[row, a], stats[row, b] = stats[row, b], stats[row, a]
    for row in range(marks.shape[0]):
        marks[row, a], marks[row, b] = marks[row, b], marks[row, a]
    totals[a], totals[b] = totals[b], totals[a]
    return 0


@kernel(f"i8({TREE}, i8, i8)")
def retire(links, stats, totals, marks, node, child):
    """Put a child behind those that may be selected; return where it stands then."""
    first = 0
    first += links[FIRST, node]
    tried = 0
    tried += links[TRIED, node]
    last = first - 1
    last += links[LIVE, node]
    if child < first + tried:
        exchange(links, stats, totals, marks, child, first + tried - 1)
        child = first + tried - 1
        links[TRIED, node] = tried - 1
    exchange(links, stats, totals, marks, child, last)
    links[LIVE, node] = last - first
    return last


@kernel("i8(u4[:,::1], i1[:,::1], i8, i8, i8)")
def verdict_of(links, marks, node, side, sides):
    """Return what follows for a node from its children, where ``side`` is to move.

    With more than two sides nobody knows whom a side that cannot win lets win; so only what all
    children agree on follows.
    """
    first = links[FIRST, node]
    if sides > 2:
        common = marks[VERDICT, first]
        for child in range(first, first + links[SIZE, node]):
            if marks[VERDICT, child] != common:
                return 0
        return common
    for child in range(first, first + links[LIVE, node]):
        if marks[VERDICT, child] != EVEN:
            return 0
    return EVEN if links[LIVE, node] > 0 else 2 - side


@kernel(f"i8({TREE}, i8[::1], i8[::1], i8, i8)")
def conclude(links, stats, totals, marks, path, movers, depth, sides):
    """Draw the conclusions of a proof of the last node of a path; return nodes proven above it.

    ``movers[i]`` is the side to move at ``path[i]``.
    """
    proven = 0
    while depth > 0:
        child = path[depth]
        node = path[depth - 1]
        side = movers[depth - 1]
        verdict = marks[VERDICT, child]
        if verdict != 1 + side:
            # A draw may still be the best; of three sides' losses one must be left to be played.
            if verdict != EVEN and (sides == 2 or links[LIVE, node] > 1):
                retire(links, stats, totals, marks, node, child)
            verdict = verdict_of(links, marks, node, side, sides)
        if verdict == 0:
            return proven
        marks[VERDICT, node] = verdict
        links[LIVE, node] = 0
        proven += 1
        depth -= 1
    return proven


@kernel(f"i8({TREE}, i8[::1], i8[::1], i8, i8, u1[::1], i8)")
def advise(links, stats, totals, marks, path, movers, depth, sides, worthy, verdict):
    """Apply advice about an expanded node of two sides, the last of a path.

    ``worthy`` has a 1 for each move worth playing; ``verdict`` is what is proven, or 0. Moves that
    are not worth playing leave the tree. Returns 1 if the node is proven now.
    """
    node = path[depth]
    first = 0
    first += links[FIRST, node]
    side = movers[depth]
    marks[ADVISED, node] = 1
    last = first - 1
    last += links[SIZE, node]
    child = last
    while child >= first and verdict != 2 - side:
        if worthy[links[MOVE, child]] == 0:
            if child < first + links[LIVE, node]:
                place = retire(links, stats, totals, marks, node, child)
            else:
                place = child
            exchange(links, stats, totals, marks, place, last)
            last -= 1
        child -= 1
    links[SIZE, node] = last + 1 - first
    if verdict == 0:
        verdict = verdict_of(links, marks, node, side, sides)
    else:
        for child in range(first, last + 1):
            marks[VERDICT, child] = verdict
    if verdict == 0:
        return 0
    marks[VERDICT, node] = verdict
    links[LIVE, node] = 0
    conclude(links, stats, totals, marks, path, movers, depth, sides)
    return 1


@kernel("i8(u4[:,::1], i1[:,::1], i8[::1], i8[::1], i8)")
def find_unadvised(links, marks, path, cursors, threshold):
    """Walk to an expanded node with enough visits that no advisor has seen; return its depth or -1.

    ``path`` receives the way there; ``cursors`` is scratch of the same length.
    """
    path[0] = 0
    cursors[0] = 0
    depth = 0
    if links[LIVE, 0] > 0 and marks[ADVISED, 0] == 0:
        return 0
    while depth >= 0:
        node = path[depth]
        place = cursors[depth]
        if place >= links[LIVE, node] or depth + 1 >= len(path):
            depth -= 1
            continue
        cursors[depth] = place + 1
        child = place + links[FIRST, node]
        if links[VISITS, child] >= threshold and links[LIVE, child] > 0:
            depth += 1
            path[depth] = child
            cursors[depth] = 0
            if marks[ADVISED, child] == 0:
                return depth
    return -1


@kernel("i8(u4[:,::1], i1[:,::1], i8, i8[::1])")
def follow(links, marks, node, out):
    """Write the moves that are expected after a node; return their number.

    Where a node is proven, those follow that bear the proof.
    """
    count = 0
    while count < len(out) and links[SIZE, node] > 0:
        size = 0
        size += links[SIZE, node]
        best = -1
        most = 0
        found = False
        for i in range(size):
            child = i + links[FIRST, node]
            bears = marks[VERDICT, node] != 0 and marks[VERDICT, child] == marks[VERDICT, node]
            if (bears and not found) or (bears == found and links[VISITS, child] > most):
                found = bears
                most = links[VISITS, child]
                best = child
        if best < 0:
            return count
        out[count] = links[MOVE, best]
        count += 1
        node = best
    return count


@kernel(f"i8({TREE}, u4[::1], i8, i8)")
def keep_only(links, stats, totals, marks, places, root, used):
    """Make a node the root and move all below it to the front; return the nodes that are left.

    ``places`` is scratch for ``used`` numbers. Nodes keep their order, and each moves to where none
    is still to be moved from, since blocks lie behind the nodes they belong to.
    """
    for node in range(used):
        places[node] = 0
    places[root] = 1
    for node in range(root, used):
        if places[node] != 0:
            first = links[FIRST, node]
            for child in range(first, first + links[SIZE, node]):
                places[child] = 1
    count = 0
    for node in range(root, used):
        if places[node] != 0:
            places[node] = count
            for row in range(links.shape[0]):
                links[row, count] = links[row, node]
            for row in range(stats.shape[0]):
                stats[row, count] = stats[row, node]
            for row in range(marks.shape[0]):
                marks[row, count] = marks[row, node]
            totals[count] = totals[node]
            count += 1
    for node in range(count):
        if links[SIZE, node] > 0:
            links[FIRST, node] = places[links[FIRST, node]]
    return count


@kernel("i8(u4[:,::1], f4[:,::1], i8, f8)")
def select(links, stats, node, scale):
    """Return the tried child of a node that is worth most with its bonus.

    Worth and place are packed into one number, since compilers take the maximum of many such
    numbers at once, and do not of fractions.
    """
    first = links[FIRST, node]
    best = 0
    for child in range(first, first + links[TRIED, node]):
        bound = stats[WORTH, child] + scale * stats[WIDTH, child]
        packed = (int(bound * FINE) << PLACES) + int(child - first)
        best = max(best, packed)
    return first + (best & ((1 << PLACES) - 1))

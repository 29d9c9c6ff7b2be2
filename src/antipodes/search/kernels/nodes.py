"""Nodes of a search tree in flat arrays: children, proofs, pruning, and moving the root.

The arrays have a column for each node, the root first, and a row for each quantity, so that a loop
over the children of a node reads contiguous memory:

- ``links``: the move that leads to the node, its first child, how many of its children may be
  selected, how many were tried, how many there are, and the node's visits;
- ``stats``: the value of the move, and the exploration bonus; searches with RAVE have more rows;
- ``totals``: the sum of the values of the visits for the side that made the move;
- ``marks``: the verdict, and whether knowledge was queried about the node.

The children of a node form one block behind it: first the tried ones, then the untried ones, then
the lost ones.

*Sides* are seats that win together, numbered like seats; a swap changes a side's colour. A verdict
is 0 while nothing is proven, 1 + the side that has a winning strategy, or ``EVEN`` for a draw
(solver values: Winands, Björnsson and Saito, "Monte-Carlo tree search solver", 2008).
"""

from __future__ import annotations

from typing import NamedTuple

from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import WINNER
from antipodes.games.kernels.registry import (
    F4_2,
    F8,
    I1_2,
    I8,
    U4,
    U4_2,
    Float,
    Int,
    Listing,
    Playing,
    kernel,
)
from antipodes.search.kernels.cell_sets import has_cell

# Rows of the links.
MOVE = 0
FIRST = 1
LIVE = 2  # children that may be selected; 0 where the node is proven
TRIED = 3
SIZE = 4
VISITS = 5
LINKS = 6

# Rows of the statistics.
VALUE = 0
BONUS = 1
STATS = 2

# Rows of the marks.
VERDICT = 0
QUERIED = 1

MARKS = 2

EVEN = -1

# Settings of a search: an array of integers.
SIDES = 0
THRESHOLD = 1  # visits after which a leaf is expanded
COPIED = 2  # length of the part of a state that a walk down the tree needs
LIGHT = 3  # 1 if the steps of the walk do not update the winner
USE_ESTIMATE = 4  # 1 to evaluate leaves by the estimate, 0 by a random game
USED = 5  # nodes in use; changed by the search
PLIES = 6  # maximal moves below the root; games that end there are not proven
BRIDGES = 7  # 1 if random games keep bridges
PROOF_PRICE = 8  # visits that pay a position of the root's proof search; 0 for none
SETTINGS = 9

# Weights of a search: an array of floats.
EXPLORATION = 0  # factor of the exploration bonus
TRUST = 1  # RAVE equivalence: visits at which estimates and means have equal weights
WEIGHTS = 2

FINE = float(1 << 30)  # resolution with which values are compared
PLACES = 20  # bits for the index of a child


class Tree(NamedTuple):
    """A search tree, as this module describes it, with the settings and weights of its search."""

    links: U4_2
    stats: F4_2
    totals: F8
    marks: I1_2
    settings: I8
    weights: F8


class Walk(NamedTuple):
    """The position at the root, and what a walk down the tree needs.

    ``tables`` are those of the game. ``state`` and ``work`` are for the position of the walk, and
    ``out`` for its moves.
    """

    tables: I8
    root: I8
    state: I8
    work: I8
    rng: I8
    out: I8


class Way(NamedTuple):
    """The nodes of a way down from the root, with the sides and the colours to move there."""

    nodes: I8
    movers: I8
    colors: I8


class Children(NamedTuple):
    """Statistics of the root's moves, with a row of each array for a move.

    ``nodes`` are their nodes, and ``totals`` the sums of the values of their visits for the side
    to move.
    """

    moves: I8
    nodes: I8
    visits: I8
    totals: F8
    verdicts: I8


@kernel()
def should_expand(tree: Tree, node: Int) -> Int:
    """Return 1 if a leaf has been visited often enough to be expanded.

    The fuller the arrays are, the more visits that takes: twice as many when half of them is used,
    four times when three quarters are.
    """
    links = tree.links
    threshold = tree.settings[THRESHOLD]
    if links[VISITS, node] < threshold:
        return 1 if node == 0 else 0
    capacity = links.shape[1]
    left = capacity - tree.settings[USED]
    while 2 * left < capacity and capacity > 1:
        threshold *= 2
        capacity //= 2
    return 1 if node == 0 or links[VISITS, node] >= threshold else 0


@kernel()
def expand(moves: Listing, walk: Walk, tree: Tree, node: Int) -> Int:
    """Add the children of a node if there is room; return their number."""
    links = tree.links
    stats = tree.stats
    marks = tree.marks
    count = moves(walk.tables, walk.state, walk.work, walk.out)
    first = tree.settings[USED]
    if first + count > links.shape[1]:
        return 0
    for i in range(count):
        child = first + i
        links[MOVE, child] = walk.out[i]
        links[FIRST, child] = 0
        links[LIVE, child] = 0
        links[TRIED, child] = 0
        links[SIZE, child] = 0
        links[VISITS, child] = 0
        tree.totals[child] = 0.0
        marks[VERDICT, child] = 0
        marks[QUERIED, child] = 0
        for row in range(stats.shape[0]):
            stats[row, child] = 0.0
        stats[VALUE, child] = 1.0
        stats[BONUS, child] = 1.0
    links[FIRST, node] = first
    links[LIVE, node] = count
    links[SIZE, node] = count
    tree.settings[USED] = first + count
    return count


@kernel()
def replay(play: Playing, walk: Walk, tree: Tree, way: Way, depth: Int) -> Int:
    """Play the moves of a way by the full rules; return the winner as states encode it."""
    copy(walk.root, walk.state)
    for i in range(1, depth + 1):
        play(walk.tables, walk.state, walk.work, int(tree.links[MOVE, way.nodes[i]]))
    return walk.state[WINNER]


@kernel()
def exchange(tree: Tree, a: Int, b: Int) -> Int:
    """Exchange two children of the same node."""
    links = tree.links
    stats = tree.stats
    totals = tree.totals
    marks = tree.marks
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


@kernel()
def retire(tree: Tree, node: Int, child: Int) -> Int:
    """Move a child behind those that may be selected; return its new index."""
    links = tree.links
    first = 0
    first += links[FIRST, node]
    tried = 0
    tried += links[TRIED, node]
    last = first - 1
    last += links[LIVE, node]
    if child < first + tried:
        exchange(tree, child, first + tried - 1)
        child = first + tried - 1
        links[TRIED, node] = tried - 1
    exchange(tree, child, last)
    links[LIVE, node] = last - first
    return last


@kernel()
def verdict_of(tree: Tree, node: Int, side: Int, sides: Int) -> Int:
    """Return the verdict on a node that follows from its children, where ``side`` is to move.

    With more than two sides it is not known which of the others a side that cannot win lets win;
    so only a verdict that all children share follows.
    """
    links = tree.links
    marks = tree.marks
    first = links[FIRST, node]
    if sides > 2:
        common = marks[VERDICT, first]
        for child in range(first, first + links[SIZE, node]):
            if marks[VERDICT, child] != common:
                return 0
        return common
    # Lost moves have retired, so the live ones are open or draws: all draws make a draw, and where
    # none is left the other side wins.
    for child in range(first, first + links[LIVE, node]):
        if marks[VERDICT, child] != EVEN:
            return 0
    return EVEN if links[LIVE, node] > 0 else 2 - side


@kernel()
def back_up_proof(tree: Tree, path: I8, movers: I8, depth: Int, sides: Int) -> Int:
    """Back up the verdict on the last node of a path; return the number of nodes proven above it.

    ``movers[i]`` is the side to move at ``path[i]``.
    """
    links = tree.links
    marks = tree.marks
    proven = 0
    while depth > 0:
        child = path[depth]
        node = path[depth - 1]
        side = movers[depth - 1]
        verdict = marks[VERDICT, child]
        if verdict != 1 + side:
            # A draw may be the best move; with three sides, one losing move must stay selectable.
            if verdict != EVEN and (sides == 2 or links[LIVE, node] > 1):
                retire(tree, node, child)
            verdict = verdict_of(tree, node, side, sides)
        if verdict == 0:
            return proven
        marks[VERDICT, node] = verdict
        links[LIVE, node] = 0
        proven += 1
        depth -= 1
    return proven


@kernel()
def apply_knowledge(
    tree: Tree, way: Way, depth: Int, sides: Int, limited: Int, may_win: I8, verdict: Int
) -> Int:
    """Apply knowledge to an expanded node of two sides, the last of a way.

    With ``limited`` 1 only the moves of a set may win, and the others are removed from the tree.
    ``verdict`` is the verdict on the node, or 0. Returns 1 if the node is proven now.
    """
    links = tree.links
    marks = tree.marks
    node = way.nodes[depth]
    first = 0
    first += links[FIRST, node]
    side = way.movers[depth]
    marks[QUERIED, node] = 1
    last = first - 1
    last += links[SIZE, node]
    # From the back, so that a move that takes the place of a removed one was looked at before.
    child = last
    while child >= first and verdict != 2 - side:
        if limited == 1 and has_cell(may_win, int(links[MOVE, child])) == 0:
            if child < first + links[LIVE, node]:
                place = retire(tree, node, child)
            else:
                place = child
            exchange(tree, place, last)
            last -= 1
        child -= 1
    links[SIZE, node] = last + 1 - first
    if verdict == 0:
        verdict = verdict_of(tree, node, side, sides)
    else:
        for child in range(first, last + 1):
            marks[VERDICT, child] = verdict
    if verdict == 0:
        return 0
    marks[VERDICT, node] = verdict
    links[LIVE, node] = 0
    back_up_proof(tree, way.nodes, way.movers, depth, sides)
    return 1


@kernel()
def find_unqueried(tree: Tree, way: Way, threshold: Int) -> Int:
    """Find an expanded node with enough visits that was not queried; return its depth or -1.

    The way receives the nodes from the root; its colours are scratch.
    """
    links = tree.links
    marks = tree.marks
    path = way.nodes
    cursors = way.colors
    path[0] = 0
    cursors[0] = 0
    depth = 0
    if links[LIVE, 0] > 0 and marks[QUERIED, 0] == 0:
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
            if marks[QUERIED, child] == 0:
                return depth
    return -1


@kernel()
def list_children(tree: Tree, children: Children) -> Int:
    """Copy the statistics of the root's moves; return their number."""
    links = tree.links
    count = 0
    if links[FIRST, 0] > 0:
        count += links[SIZE, 0]
    for i in range(count):
        child = i + links[FIRST, 0]
        children.nodes[i] = child
        children.moves[i] = links[MOVE, child]
        children.visits[i] = links[VISITS, child]
        children.totals[i] = tree.totals[child]
        children.verdicts[i] = tree.marks[VERDICT, child]
    return count


@kernel()
def precedes(children: Children, a: Int, b: Int, side: Int) -> Int:
    """Return 1 if one move is better than another for the side to move, else 0."""
    verdicts = children.verdicts
    visits = children.visits
    rank = 2 if verdicts[a] == 1 + side else 0 if verdicts[a] > 0 else 1
    other = 2 if verdicts[b] == 1 + side else 0 if verdicts[b] > 0 else 1
    if rank != other:
        return 1 if rank > other else 0
    if visits[a] != visits[b]:
        return 1 if visits[a] > visits[b] else 0
    value = children.totals[a] / max(visits[a], 1)
    return 1 if value > children.totals[b] / max(visits[b], 1) else 0


@kernel()
def rank_children(children: Children, count: Int, side: Int, order: I8) -> Int:
    """Write the indices of the visited or proven moves, the best first; return their number.

    Proven wins come first, then moves by visits and values, then proven losses.
    """
    ranked = 0
    for i in range(count):
        if children.visits[i] == 0 and children.verdicts[i] == 0:
            continue
        place = ranked
        while place > 0 and precedes(children, i, order[place - 1], side) == 1:
            order[place] = order[place - 1]
            place -= 1
        order[place] = i
        ranked += 1
    return ranked


@kernel()
def principal_line(tree: Tree, node: Int, out: I8) -> Int:
    """Write the principal variation after a node; return its length.

    In a proven node it follows the children that prove it.
    """
    links = tree.links
    marks = tree.marks
    count = 0
    while count < len(out) and links[SIZE, node] > 0:
        size = 0
        size += links[SIZE, node]
        best = -1
        most = 0
        is_proof = False
        for i in range(size):
            child = i + links[FIRST, node]
            bears = marks[VERDICT, node] != 0 and marks[VERDICT, child] == marks[VERDICT, node]
            if (bears and not is_proof) or (bears == is_proof and links[VISITS, child] > most):
                is_proof = bears
                most = links[VISITS, child]
                best = child
        if best < 0:
            return count
        out[count] = links[MOVE, best]
        count += 1
        node = best
    return count


@kernel()
def reroot(tree: Tree, places: U4, root: Int, used: Int) -> Int:
    """Make a node the root and move the subtree to the front; return the number of nodes left.

    ``places`` is scratch for ``used`` numbers. Nodes keep their order, so none is overwritten
    before it has moved.
    """
    links = tree.links
    stats = tree.stats
    totals = tree.totals
    marks = tree.marks
    for node in range(used):
        places[node] = 0
    # Children stand behind their parents, so one pass from front to back finds the subtree.
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
            # A new number is never higher than the old one, so this column is that of a removed or
            # a moved node.
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


@kernel()
def select(tree: Tree, node: Int, scale: Float) -> Int:
    """Return the tried child of a node with the highest upper confidence bound.

    Bound and index are packed into one integer, since compilers vectorise the maximum of integers,
    but not of floats.
    """
    links = tree.links
    stats = tree.stats
    first = links[FIRST, node]
    best = 0
    for child in range(first, first + links[TRIED, node]):
        bound = stats[VALUE, child] + scale * stats[BONUS, child]
        packed = (int(bound * FINE) << PLACES) + int(child - first)
        best = max(best, packed)
    return first + (best & ((1 << PLACES) - 1))

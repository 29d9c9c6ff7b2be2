"""Tree search with rapid action value estimates for the placement games.

Stones stay, so a move that wins late in a random game would mostly have won early as well: a batch
of random games updates the estimates of all empty cells, not only of the moves that led to it
(Gelly and Silver, "Combining online and offline knowledge in UCT", 2007). The tree is that of
:mod:`antipodes.search.kernels.nodes`, with RAVE estimates: how many games had a node's move at any
time, and how many of them its side won. A visit is a batch of 64 games.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from antipodes.games.kernels.header import COLOR, PLY, SEAT
from antipodes.games.kernels.placement import CELLS, NO_SWAPS, SWAP
from antipodes.games.kernels.registry import (
    F4_2,
    F8,
    F8_2,
    I8,
    I8_2,
    Float,
    Int,
    Listing,
    Playing,
    kernel,
)
from antipodes.search.kernels.batch import ALL, LANES, FloodLayout, count_ones, fill, flood
from antipodes.search.kernels.bridges import fill_and_keep
from antipodes.search.kernels.exponentials import log
from antipodes.search.kernels.nodes import (
    BONUS,
    BRIDGES,
    COPIED,
    EXPLORATION,
    FIRST,
    LIVE,
    MOVE,
    SIDES,
    SIZE,
    STATS,
    TRIED,
    TRUST,
    VALUE,
    VERDICT,
    VISITS,
    Tree,
    Walk,
    Way,
    back_up_proof,
    expand,
    replay,
    select,
    should_expand,
)

# More rows of the statistics.
GAMES = STATS  # that had the move at any time
WINS = STATS + 1  # of the side that made it
SHARE = STATS + 2  # weight of the estimate in the value
REST = STATS + 3  # part of the value that comes from visits
ROWS = STATS + 4

MANY = 1 << 16  # visits after which estimates are halved, so that sums stay exact
HALF = np.float32(0.5)
ONE = np.float32(1.0)

# Rows of the counts of a batch, with a column for each cell and one for the swap.
BLACK_HELD = 0
BLACK_WON = 1
WHITE_HELD = 2
WHITE_WON = 3
COUNTS = 4

# Rows of the records of all batches; in column 0 of the last their number and Black's lead.
HOLDING = 0  # sum of Black's lead in holding the cell
DECIDING = 1  # sum of the winner's lead in holding it
OVERALL = 2
RECORDS = 3

SAMPLED = 64  # batches that are enough for the criticality of cells


class Batches(NamedTuple):
    """Scratch for a batch and its counts, and the records of all batches.

    ``lanes`` has rows for words; ``bridges`` is the table of the board's bridges, and ``pairs``
    their scratch.
    """

    lanes: I8_2
    bridges: I8
    pairs: I8
    counts: F4_2
    records: F8_2


@kernel("i8(i8[::1], i8[::1], i8, i8, f4[:,::1], f8[:,::1])", scalar=True)
def tally(slots, black, won, black_wins, counts, records):
    """Count for each cell in how many lanes each colour holds it, and holds it and wins.

    A swap exchanges the sides: it "wins" in the lanes that its player loses.
    """
    for cell in range(len(slots)):
        word = black[slots[cell]]
        held = count_ones(word)
        both = count_ones(word & won)
        # White holds and wins in the lanes in which Black does neither; those in which it does both
        # were taken off twice.
        neither = LANES - held - black_wins + both
        counts[BLACK_HELD, cell] = held
        counts[BLACK_WON, cell] = both
        counts[WHITE_HELD, cell] = LANES - held
        counts[WHITE_WON, cell] = neither
        records[HOLDING, cell] += 2 * held - LANES
        records[DECIDING, cell] += 2 * (both + neither) - LANES
    counts[BLACK_HELD, len(slots)] = LANES
    counts[BLACK_WON, len(slots)] = LANES - black_wins
    counts[WHITE_HELD, len(slots)] = LANES
    counts[WHITE_WON, len(slots)] = black_wins
    records[OVERALL, 0] += 1
    records[OVERALL, 1] += 2 * black_wins - LANES
    return 0


@kernel()
def sample_batches(walk: Walk, layout: FloodLayout, batches: Batches, count: Int) -> Int:
    """Add batches at the root to the records; return their number."""
    lanes = batches.lanes
    slots = layout.slots
    for _ in range(count):
        fill(walk.tables, walk.root, slots, walk.rng, walk.out, lanes[0])
        won = flood(layout, lanes[0], lanes[1])
        tally(slots, lanes[0], won, count_ones(won), batches.counts, batches.records)
    return count


@kernel()
def weigh_cells(records: F8_2, weights: F8) -> Int:
    """Write the criticality of each cell: how much holding it and winning go together."""
    games = records[OVERALL, 0] * LANES
    for cell in range(len(weights)):
        holding = records[HOLDING, cell] / games
        weights[cell] = records[DECIDING, cell] / games - holding * records[OVERALL, 1] / games
    return 0


@kernel("i8(u4[:,::1], f4[:,::1], i8)")
def prepare(links, stats, node):
    """Write the initial estimates of a node's new children: half a win in one game."""
    first = links[FIRST, node]
    for child in range(first, first + links[SIZE, node]):
        stats[GAMES, child] = 1.0
        stats[WINS, child] = 0.5
        stats[SHARE, child] = 1.0
        stats[REST, child] = 0.0
    return 0


@kernel("i8(u4[:,::1], f4[:,::1], f4[:,::1], i8, i8)")
def update_rave(links, stats, counts, node, color):
    """Add a batch to the estimates of a node's children, where a colour is to move.

    These loops take most of the time. They are short and many, so that compilers see that no arrays
    overlap and vectorise them.
    """
    first = links[FIRST, node]
    last = first + links[LIVE, node]
    for child in range(first, last):
        stats[GAMES, child] += counts[2 * color, links[MOVE, child]]
    for child in range(first, last):
        stats[WINS, child] += counts[2 * color + 1, links[MOVE, child]]
    if links[VISITS, node] % MANY == 0:
        for child in range(first, last):
            stats[GAMES, child] *= HALF
            stats[WINS, child] *= HALF
    return 0


@kernel("i8(u4[:,::1], f4[:,::1], i8, i8)")
def update_values(links, stats, node, may_swap):
    """Update the values of a node's children after a visit.

    ``may_swap`` is 1 where the opponent may swap next, and so gets the better side of each stone.
    """
    first = links[FIRST, node]
    last = first + links[LIVE, node]
    if may_swap == 1:
        for child in range(first, last):
            estimate = stats[WINS, child] / stats[GAMES, child]
            estimate = min(estimate, ONE - estimate)
            stats[VALUE, child] = stats[SHARE, child] * estimate + stats[REST, child]
        return 0
    for child in range(first, last):
        estimate = stats[WINS, child] / stats[GAMES, child]
        stats[VALUE, child] = stats[SHARE, child] * estimate + stats[REST, child]
    return 0


@kernel()
def count_visit(tree: Tree, node: Int, reward: Float) -> Int:
    """Add a visit to a node, and update the part of its value that comes from visits.

    The value of a move is a weighted mean of its visits and its estimate.
    """
    links = tree.links
    stats = tree.stats
    totals = tree.totals
    trust = tree.weights[TRUST]
    links[VISITS, node] += 1
    totals[node] += reward
    visits = links[VISITS, node]
    share = trust / (trust + visits) if stats[GAMES, node] > ONE else 0.0
    stats[SHARE, node] = share
    stats[REST, node] = (1.0 - share) * totals[node] / visits
    stats[BONUS, node] = 1.0 / math.sqrt(1.0 + visits)
    return 0


@kernel()
def simulate(
    moves: Listing,
    play: Playing,
    step: Playing,
    walk: Walk,
    tree: Tree,
    way: Way,
    layout: FloodLayout,
    batches: Batches,
    visits: Int,
) -> Int:
    """Add visits to a tree until it is proven; return how many were made.

    ``step`` plays a move on the way down, and ``play`` all moves again where the winner matters.
    """
    links = tree.links
    stats = tree.stats
    marks = tree.marks
    settings = tree.settings
    tables = walk.tables
    root = walk.root
    state = walk.state
    path = way.nodes
    movers = way.movers
    colors = way.colors
    slots = layout.slots
    lanes = batches.lanes
    counts = batches.counts
    sides = settings[SIDES]
    may_swap = 1 if root[PLY] == 0 and tables[SWAP] != NO_SWAPS else 0
    for done in range(visits):
        if marks[VERDICT, 0] != 0:
            return done
        for i in range(settings[COPIED]):
            state[i] = root[i]
        node = 0
        depth = 0
        swapped = 0
        path[0] = 0
        movers[0] = state[SEAT]
        colors[0] = state[COLOR]
        while links[LIVE, node] != 0 and depth < len(path) - 1:
            scale = tree.weights[EXPLORATION] * math.sqrt(log(2.0 + links[VISITS, node]))
            node = select(tree, node, scale)
            step(tables, state, walk.work, int(links[MOVE, node]))
            depth += 1
            path[depth] = node
            movers[depth] = state[SEAT]
            colors[depth] = state[COLOR]
            if links[MOVE, node] == tables[CELLS]:
                swapped = depth
        if settings[BRIDGES] == 1:
            fill_and_keep(
                tables,
                state,
                slots,
                batches.bridges,
                walk.rng,
                walk.out,
                lanes[0],
                batches.pairs,
            )
        else:
            fill(tables, state, slots, walk.rng, walk.out, lanes[0])
        won = flood(layout, lanes[0], lanes[1])
        black_wins = count_ones(won)
        winner = 0
        if links[VISITS, node] == 0 and (won in (0, ALL)):
            # The game may be over if all random games end alike; otherwise it is not.
            winner = replay(play, walk, tree, way, depth)
        if winner == 0 and depth < len(path) - 1 and should_expand(tree, node) == 1:
            # The children get estimates from this visit, and are selected from the next on.
            links[TRIED, node] = expand(moves, walk, tree, node)
            prepare(links, stats, node)
        for i in range(depth + 1):
            side = movers[max(i - 1, 0)]
            black = (side + colors[depth] - movers[depth]) % sides == 0
            reward = black_wins / LANES if black else 1.0 - black_wins / LANES
            count_visit(tree, path[i], reward)
        tally(slots, lanes[0], won, black_wins, counts, batches.records)
        for i in range(depth + 1):
            # A swap exchanges colours or moves the stone, so the games after it say nothing about
            # stones before it. The visit counts in any case.
            if i >= swapped:
                update_rave(links, stats, counts, path[i], colors[i])
            update_values(links, stats, path[i], may_swap if i == 0 else 0)
        if winner != 0:
            marks[VERDICT, node] = 1 + (winner - 1 + movers[depth] - colors[depth]) % sides
            back_up_proof(tree, path, movers, depth, sides)
    return visits

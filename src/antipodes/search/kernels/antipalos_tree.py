"""A search tree of Antipalos: evaluated leaves, few moves, proven wins.

Upper confidence bounds with a prior for each move (PUCT: Rosin 2011, as in Silver et al. 2017) over
leaves evaluated by circuits. Proven wins are backed up as such (Winands, Björnsson and Saito
2008): a node is proven for a side when the side to move there has a move to a node proven for it,
or, where all its moves are known, when all lead to nodes proven for that one side. A side is a
colour of the position at the root, and stays the same after a swap: seat number modulo colours.

A tree is two arrays with a row for each node, the root first.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from antipodes.games.kernels.antipalos import COLORS, SIZE, play
from antipodes.games.kernels.antipalos import moves as list_legal_moves
from antipodes.games.kernels.bits import below, copy, copy_numbers
from antipodes.games.kernels.header import (
    COLOR,
    PHASE,
    SEAT,
    SWAP_OPEN,
    SWAPPED,
    WINNER,
)
from antipodes.games.kernels.registry import F8, F8_2, I8, I8_2, Float, Int, kernel
from antipodes.search.kernels.antipalos_circuit import Circuits, Scratch
from antipodes.search.kernels.antipalos_evaluation import (
    EXPLORATION,
    NOISE,
    SHARPNESS,
    STEEPNESS,
    Lists,
    evaluate_position,
    list_placements,
    list_repositions,
    score_squares,
)
from antipodes.search.kernels.antipalos_threats import (
    BLOCK,
    ESCAPE,
    THREATS,
    WIN,
    find_tactics,
    next_color,
)
from antipodes.search.kernels.exponentials import exp
from antipodes.search.kernels.nodes import Walk

# Columns of ``links``.
MOVE = 0
MOVER = 1  # the side that made it
FIRST_CHILD = 2
CHILDREN = 3
VISITS = 4
PROVEN = 5  # 1 + the side with a proven win, or 0
DISTANCE = 6  # turns until a proven win
COMPLETE = 7  # 1 if all moves that could matter are children
LINKS = 8

# Columns of ``values``.
TOTAL_VALUE = 0  # sum of the values of the visits for the side that moved here
PRIOR = 1
FIRST_VALUE = 2  # evaluation of the move before any visit
VALUES = 3

GRAINS = 1024  # steps of the noise
DEFENCE = 64  # visits of a lost position: enough to find the move that resists longest

# Numbers of ``settings``.
NODES = 0  # nodes in use; changed by the search
ROOM = 1  # moves of a node at most, unless all must be known
RODS = 2  # rods that a node of Phase Two may move
ROOT_ROOM = 3  # moves of the root
SETTINGS = 8


class Tree(NamedTuple):
    """A search tree, as this module describes it, and its settings."""

    links: I8_2
    values: F8_2
    settings: I8


class Moves(NamedTuple):
    """Statistics of a node's moves, with a place in each array for a move.

    ``totals`` are the sums of the values of their visits, ``verdicts`` are 0, or 1 + the side with
    a proven win, and ``distances`` the turns until then.
    """

    moves: I8
    visits: I8
    totals: F8
    verdicts: I8
    distances: I8


class Visit(NamedTuple):
    """The nodes of a visit, and scratch for the tactics, scores and rewards of its leaf."""

    path: I8
    reach: I8
    tactics: I8
    scores: F8_2
    rewards: F8


@kernel("i8(i8[::1], i8[::1], i8)")
def side_of(tables, state, color):
    """Return the side that plays a colour now."""
    return (color - state[SWAPPED]) % tables[COLORS]


@kernel()
def append(
    tables: I8, state: I8, tree: Tree, node: Int, move: Int, prior: Float, first_value: Float
) -> Int:
    """Add a child to the node whose children are the last rows in use; return 0 if full."""
    links = tree.links
    values = tree.values
    row = tree.settings[NODES]
    if row >= len(links):
        return 0
    for i in range(LINKS):
        links[row, i] = 0
    for i in range(VALUES):
        values[row, i] = 0.0
    links[row, MOVE] = move
    links[row, MOVER] = side_of(tables, state, state[COLOR])
    values[row, PRIOR] = prior
    values[row, FIRST_VALUE] = first_value
    if links[node, CHILDREN] == 0:
        links[node, FIRST_CHILD] = row
    links[node, CHILDREN] += 1
    tree.settings[NODES] = row + 1
    return 1


@kernel("f8(f8)")
def chance_of(odds):
    """Return the probability for log odds."""
    return 1.0 / (1.0 + exp(min(max(-odds, -40.0), 40.0)))


@kernel()
def make_priors(lists: Lists, count: Int, tuning: F8, rng: I8) -> Int:
    """Write priors with sum 1 for the odds of moves, the best first.

    A little noise varies the order of moves with equal odds, more of it the search.
    """
    odds = lists.odds
    priors = lists.priors
    sharpness = tuning[SHARPNESS]
    noise = tuning[NOISE]
    total = 0.0
    for i in range(count):
        worse = max(odds[i] - odds[0], -20.0)
        priors[i] = exp(sharpness * worse) * (1.0 + noise * below(rng, GRAINS) / GRAINS)
        total += priors[i]
    for i in range(count):
        priors[i] /= total
    return 0


@kernel()
def list_moves(tables: I8, state: I8, settings: I8, visit: Visit, lists: Lists, node: Int) -> Int:
    """List the moves of a node, the best first, with their log odds; return their number.

    Under a threat these are all moves that stop it.
    """
    forced = visit.tactics[THREATS] == 1
    only = visit.tactics[BLOCK] if forced else -1
    room = settings[ROOT_ROOM] if node == 0 else settings[ROOM]
    if state[PHASE] == 0:
        return list_placements(tables, state, visit.scores, only, room, lists.moves, lists.odds)
    rods = len(lists.targets) if forced else settings[RODS]
    room = len(lists.moves) if forced else room
    return list_repositions(tables, state, visit.scores, only, rods, room, lists)


@kernel()
def add_children(
    tables: I8, state: I8, tree: Tree, tactics: I8, lists: Lists, count: Int, node: Int
) -> Int:
    """Add the listed moves to a node, and a swap or a move into a draw; return their number.

    Under a threat the children are complete.
    """
    colors = tables[COLORS]
    extra = -1
    if tactics[ESCAPE] >= 0:
        extra = tactics[ESCAPE]
    elif state[SWAP_OPEN] == 1:
        extra = 2 * tables[SIZE] * tables[SIZE]
    added = 0
    wanted = count
    if extra >= 0:
        wanted += 1
        added += append(tables, state, tree, node, extra, 0.5, 1.0 / colors)
    for i in range(count):
        chance = chance_of(lists.odds[i])
        added += append(tables, state, tree, node, lists.moves[i], lists.priors[i], chance)
    tree.links[node, COMPLETE] = 1 if tactics[THREATS] == 1 and added == wanted else 0
    return added


@kernel()
def select(tree: Tree, node: Int, side: Int, exploration: Float) -> Int:
    """Return the child to visit for the side to move; lost ones come last."""
    links = tree.links
    values = tree.values
    first = links[node, FIRST_CHILD]
    visits = links[node, VISITS]
    scale = exploration * math.sqrt(visits + 1.0)
    best = first
    best_bound = -1e9
    for child in range(first, first + links[node, CHILDREN]):
        tried = links[child, VISITS]
        value = (values[child, TOTAL_VALUE] + values[child, FIRST_VALUE]) / (tried + 1.0)
        if links[child, PROVEN] != 0:
            value = 1e6 if links[child, PROVEN] == 1 + side else links[child, DISTANCE] - 1e6
        bound = value + scale * values[child, PRIOR] / (1.0 + tried)
        if bound > best_bound:
            best_bound = bound
            best = child
    return best


@kernel("i8(i8[:,::1], i8, i8)")
def prove(links, node, side):
    """Mark a node as proven if its children prove it for ``side`` to move; return 1 if so."""
    first = links[node, FIRST_CHILD]
    winner = -1
    # The winner takes the nearest win, the loser the farthest loss.
    nearest = 1 << 40
    farthest = 0
    certain = links[node, COMPLETE] == 1
    for child in range(first, first + links[node, CHILDREN]):
        proven = links[child, PROVEN]
        if proven == 1 + side:
            nearest = min(nearest, links[child, DISTANCE])
        elif proven == 0 or (winner >= 0 and winner != proven):
            certain = False
        else:
            winner = proven
            farthest = max(farthest, links[child, DISTANCE])
    if nearest < 1 << 40:
        links[node, PROVEN] = 1 + side
        links[node, DISTANCE] = 1 + nearest
    elif certain and winner > 0:
        links[node, PROVEN] = winner
        links[node, DISTANCE] = 1 + farthest
    return 1 if links[node, PROVEN] != 0 else 0


@kernel("i8(i8[::1], i8[::1], i8[:,::1], i8[::1], i8)")
def settle(tables, state, links, tactics, node):
    """Mark a node as proven if the game is over or tactics decide it; return 1 if so."""
    if state[WINNER] > 0:
        links[node, PROVEN] = 1 + side_of(tables, state, state[WINNER] - 1)
        links[node, DISTANCE] = 0
    elif state[WINNER] == 0 and tactics[WIN] >= 0:
        links[node, PROVEN] = 1 + side_of(tables, state, state[COLOR])
        links[node, DISTANCE] = 1
    elif state[WINNER] == 0 and tactics[THREATS] == 2 and tactics[ESCAPE] < 0:
        links[node, PROVEN] = 1 + side_of(tables, state, next_color(tables, state))
        links[node, DISTANCE] = 2
    return 1 if links[node, PROVEN] != 0 else 0


@kernel()
def back_up(tables: I8, root: I8, tree: Tree, visit: Visit, depth: Int) -> Int:
    """Add a visit to the nodes of its path, and back up proofs."""
    links = tree.links
    path = visit.path
    rewards = visit.rewards
    colors = tables[COLORS]
    first = root[SEAT] % colors
    proving = links[path[depth], PROVEN] != 0
    for step in range(depth + 1):
        i = depth - step
        node = path[i]
        side = (first + i) % colors
        if proving and step > 0:
            proving = prove(links, node, side) == 1
        if links[node, PROVEN] != 0:
            for other in range(colors):
                rewards[other] = 1.0 if links[node, PROVEN] == 1 + other else 0.0
        links[node, VISITS] += 1
        tree.values[node, TOTAL_VALUE] += rewards[links[node, MOVER]]
    return 0


@kernel()
def write_rewards(
    tables: I8, state: I8, tuning: F8, circuits: Circuits, mine: Float, rewards: F8
) -> Int:
    """Write each side's value: ``mine`` to the one to move, the rest shared by standings."""
    colors = tables[COLORS]
    total = 0.0
    for color in range(colors):
        if color != state[COLOR]:
            side = side_of(tables, state, color)
            rewards[side] = exp(max(tuning[STEEPNESS] * circuits.standings[color], -300.0))
            total += rewards[side]
    for side in range(colors):
        rewards[side] *= (1.0 - mine) / total
    rewards[side_of(tables, state, state[COLOR])] = mine
    return 0


@kernel()
def add_visits(
    walk: Walk,
    tree: Tree,
    visit: Visit,
    tuning: F8,
    scratch: Scratch,
    circuits: Circuits,
    lists: Lists,
    visits: Int,
) -> Int:
    """Add visits to a tree."""
    tables = walk.tables
    root = walk.root
    state = walk.state
    links = tree.links
    settings = tree.settings
    path = visit.path
    tactics = visit.tactics
    rewards = visit.rewards
    colors = tables[COLORS]
    for _ in range(visits):
        copy(root, state)
        node = 0
        depth = 0
        path[0] = 0
        while True:
            if state[WINNER] != 0:
                settle(tables, state, links, tactics, node)
                for side in range(colors):
                    rewards[side] = 1.0 / colors
                break
            if links[node, PROVEN] != 0 and node != 0:
                break
            if links[node, CHILDREN] == 0:
                find_tactics(tables, state, walk.work, visit.reach, walk.out, tactics)
                certain = settle(tables, state, links, tactics, node)
                if tactics[WIN] >= 0:
                    if node == 0:
                        append(tables, state, tree, node, tactics[WIN], 1.0, 1.0)
                    break
                if certain == 1 and node != 0:
                    break
                evaluate_position(tables, state, tuning, scratch, circuits)
                score_squares(tables, state, tuning, circuits, visit.scores)
                count = list_moves(tables, state, settings, visit, lists, node)
                make_priors(lists, count, tuning, walk.rng)
                write_rewards(tables, state, tuning, circuits, chance_of(lists.odds[0]), rewards)
                # A node is expanded at its first visit; in the third quarter of the room at the
                # second, and in the last quarter at the ninth.
                filled = 4 * settings[NODES] // len(links)
                ripe = links[node, VISITS] >= (0 if filled < 2 else 1 if filled == 2 else 8)
                forced = tactics[THREATS] > 0
                if node == 0 or ((ripe or forced) and depth < len(path) - 1):
                    add_children(tables, state, tree, tactics, lists, count, node)
                # A position under threat says little: the visit goes on to an answer, and counts
                # the value there.
                if not forced or links[node, CHILDREN] == 0 or node == 0:
                    break
            side = (root[SEAT] + depth) % colors
            node = select(tree, node, side, tuning[EXPLORATION])
            play(tables, state, walk.work, links[node, MOVE])
            depth += 1
            path[depth] = node
        back_up(tables, root, tree, visit, depth)
    return visits


@kernel()
def has_begun(tree: Tree) -> Int:
    """Return 1 if any move of the root has been visited, else 0."""
    first = tree.links[0, FIRST_CHILD]
    for row in range(first, first + tree.links[0, CHILDREN]):
        if tree.links[row, VISITS] > 0:
            return 1
    return 0


@kernel()
def is_done(tables: I8, root: I8, tree: Tree) -> Int:
    """Return 1 if the root is proven, and its winning move or longest defence was visited."""
    if has_begun(tree) == 0:
        return 0
    proven = tree.links[0, PROVEN]
    is_won = proven == 1 + root[SEAT] % tables[COLORS]
    return 1 if is_won or (proven != 0 and tree.links[0, VISITS] >= DEFENCE) else 0


@kernel()
def widen(walk: Walk, tree: Tree) -> Int:
    """Add all legal moves to the root once its children are all proven losses; return how many."""
    links = tree.links
    values = tree.values
    side = walk.root[SEAT] % walk.tables[COLORS]
    first = links[0, FIRST_CHILD]
    size = links[0, CHILDREN]
    if size == 0 or links[0, COMPLETE] == 1 or links[0, PROVEN] != 0:
        return 0
    for row in range(first, first + size):
        if links[row, PROVEN] in (0, 1 + side):
            return 0
    count = list_legal_moves(walk.tables, walk.root, walk.work, walk.out)
    start = tree.settings[NODES]
    end = start + size
    for i in range(count):
        is_new = 1
        for row in range(first, first + size):
            if links[row, MOVE] == walk.out[i]:
                is_new = 0
        if is_new == 0:
            continue
        if end >= len(links):
            return 0
        for column in range(LINKS):
            links[end, column] = 0
        for column in range(VALUES):
            values[end, column] = 0.0
        links[end, MOVE] = walk.out[i]
        links[end, MOVER] = side
        end += 1
    if end > len(links):
        return 0
    for row in range(start + size, end):
        values[row, PRIOR] = 1.0 / (end - start - size)
    for i in range(size):
        copy(links[first + i], links[start + i])
        copy_numbers(values[first + i], values[start + i])
    links[0, FIRST_CHILD] = start
    links[0, CHILDREN] = end - start
    links[0, COMPLETE] = 1
    tree.settings[NODES] = end
    return end - start - size


@kernel()
def add_root_visits(
    walk: Walk,
    tree: Tree,
    visit: Visit,
    tuning: F8,
    scratch: Scratch,
    circuits: Circuits,
    lists: Lists,
    visits: Int,
) -> Int:
    """Add visits until the search is done, and a few more if no move of the root has any.

    Once all children of the root are proven losses, its other moves are added.
    """
    for _ in range(visits):
        add_visits(walk, tree, visit, tuning, scratch, circuits, lists, 1)
        while tree.links[0, VISITS] > 1 and has_begun(tree) == 0:
            add_visits(walk, tree, visit, tuning, scratch, circuits, lists, 1)
        widen(walk, tree)
        if is_done(walk.tables, walk.root, tree) == 1:
            return 0
    return 0


@kernel()
def list_visited(tree: Tree, node: Int, known: Moves) -> Int:
    """Copy the statistics of a node's visited moves; return their number."""
    links = tree.links
    count = 0
    first = links[node, FIRST_CHILD]
    for row in range(first, first + links[node, CHILDREN]):
        if links[row, VISITS] > 0:
            known.moves[count] = links[row, MOVE]
            known.visits[count] = links[row, VISITS]
            known.totals[count] = tree.values[row, TOTAL_VALUE]
            known.verdicts[count] = links[row, PROVEN]
            known.distances[count] = links[row, DISTANCE]
            count += 1
    return count


@kernel()
def precedes(known: Moves, a: Int, b: Int, side: Int) -> Int:
    """Return 1 if a move is better than another for the side that makes it, else 0."""
    visits = known.visits
    rank = 0 if known.verdicts[a] == 0 else 1 if known.verdicts[a] == 1 + side else -1
    other = 0 if known.verdicts[b] == 0 else 1 if known.verdicts[b] == 1 + side else -1
    if rank != other:
        return 1 if rank > other else 0
    if rank != 0 and known.distances[a] != known.distances[b]:
        is_nearer = known.distances[a] < known.distances[b]
        return 1 if is_nearer == (rank == 1) else 0
    if visits[a] != visits[b]:
        return 1 if visits[a] > visits[b] else 0
    if rank != 0:
        return 0
    value = known.totals[a] / max(visits[a], 1)
    return 1 if value > known.totals[b] / max(visits[b], 1) else 0


@kernel()
def rank_moves(known: Moves, count: Int, side: Int, order: I8) -> Int:
    """Write the places of moves, the best first; return their number.

    The nearest win ranks highest, then moves by visits, then losses, the farthest first.
    """
    for i in range(count):
        place = i
        while place > 0 and precedes(known, i, order[place - 1], side) == 1:
            order[place] = order[place - 1]
            place -= 1
        order[place] = i
    return count


@kernel()
def child_of(tree: Tree, node: Int, move: Int) -> Int:
    """Return the child of a node after a move, or -1 if there is none."""
    first = tree.links[node, FIRST_CHILD]
    for row in range(first, first + tree.links[node, CHILDREN]):
        if tree.links[row, MOVE] == move:
            return row
    return -1


@kernel()
def copy_subtree(tree: Tree, node: Int, target: Tree, origins: I8) -> Int:
    """Copy the tree below a node into another one, breadth first; return its number of nodes."""
    links = tree.links
    origins[0] = node
    copy(links[node], target.links[0])
    copy_numbers(tree.values[node], target.values[0])
    end = 1
    at = 0
    while at < end:
        # Breadth first, so that the children of a node are one block here too.
        first = links[origins[at], FIRST_CHILD]
        target.links[at, FIRST_CHILD] = end
        for child in range(first, first + target.links[at, CHILDREN]):
            origins[end] = child
            copy(links[child], target.links[end])
            copy_numbers(tree.values[child], target.values[end])
            end += 1
        at += 1
    return end

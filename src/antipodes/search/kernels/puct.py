"""Tree search with a network: its policy guides the selection, its value evaluates the leaves.

A move is selected by the predictor upper confidence bound (Silver et al., "Mastering the game of Go
without human knowledge", 2017). A network evaluates positions faster together than one by one, so a
step collects several leaves before they are evaluated. A *virtual loss* counts each of these visits
as lost until then, so that the next ones go elsewhere.

The tree is that of :mod:`antipodes.search.kernels.nodes`, with the probability of each move. There,
``BONUS`` is this probability over one more than the visits.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import COLOR, HEADER, KEY, PLY, SEAT, WINNER
from antipodes.games.kernels.placement import CELLS, NO_SWAPS, SWAP
from antipodes.games.kernels.registry import (
    F4,
    F8,
    I8,
    I8_2,
    Float,
    Int,
    Listing,
    Playing,
    kernel,
)
from antipodes.search.kernels.convolution import (
    Activations,
    Evaluations,
    Weights,
    evaluate_position,
    recall,
    remember,
)
from antipodes.search.kernels.exponentials import exp
from antipodes.search.kernels.network_inputs import Inputs, write_inputs
from antipodes.search.kernels.nodes import (
    BONUS,
    EXPLORATION,
    FIRST,
    LIVE,
    MOVE,
    SIDES,
    SIZE,
    STATS,
    TRIED,
    VALUE,
    VERDICT,
    VISITS,
    Tree,
    Walk,
    back_up_proof,
    expand,
    select,
    should_expand,
)

# More rows of the statistics.
PRIOR = STATS  # probability of the move by the network
ROWS = STATS + 1

SWAP_PRIOR = 0.5  # of the swap, which the network does not know
REDUCTION = 0.15  # of the value of moves without visits, against that of the position

VISITS_A_LEAF = 8  # for each leaf of a step
NEVER = 1 << 62  # visits of a search without a limit of visits

# Rows of the leaves of a step.
DEPTH = 0
PENDING = 1  # 1 if the network evaluates the leaf, 2 if it did so before
NAME = 2  # the key of the leaf's position
LEAVES = 3


class Leaves(NamedTuple):
    """The leaves of a step, each with its way down from the root in rows of their own."""

    paths: I8_2
    movers: I8_2
    numbers: I8_2


@kernel()
def refresh(tree: Tree, node: Int) -> Int:
    """Update the value and the bonus of a node after its visits or its total have changed."""
    stats = tree.stats
    visits = tree.links[VISITS, node]
    if visits > 0:
        stats[VALUE, node] = min(max(tree.totals[node] / visits, 0.0), 1.0)
    stats[BONUS, node] = stats[PRIOR, node] / (1.0 + visits)
    return 0


@kernel()
def add_value(tree: Tree, path: I8, movers: I8, depth: Int, side: Int, value: Float) -> Int:
    """Add the value of a leaf for a side to the nodes of its path, whose visits count already."""
    for i in range(depth + 1):
        mover = movers[max(i - 1, 0)]
        tree.totals[path[i]] += value if mover == side else 1.0 - value
        refresh(tree, path[i])
    return 0


@kernel()
def collect(
    play: Playing,
    walk: Walk,
    tree: Tree,
    step: Leaves,
    inputs: Inputs,
    evaluations: Evaluations,
    count: Int,
) -> Int:
    """Walk down to some leaves, write the inputs of those that are not won yet; return how many.

    A leaf that is reached again before it was evaluated ends the step.
    """
    links = tree.links
    marks = tree.marks
    state = walk.state
    paths = step.paths
    movers = step.movers
    leaves = step.numbers
    sides = tree.settings[SIDES]
    for leaf in range(count):
        copy(walk.root, state)
        node = 0
        depth = 0
        paths[leaf, 0] = 0
        movers[leaf, 0] = state[SEAT] % sides
        while links[LIVE, node] != 0 and depth < paths.shape[1] - 1:
            scale = tree.weights[EXPLORATION] * math.sqrt(1.0 + links[VISITS, node])
            node = select(tree, node, scale)
            play(walk.tables, state, walk.work, int(links[MOVE, node]))
            depth += 1
            paths[leaf, depth] = node
            movers[leaf, depth] = state[SEAT] % sides
        for other in range(leaf):
            if paths[other, leaves[DEPTH, other]] == node and leaves[PENDING, other] != 0:
                return leaf
        for i in range(depth + 1):
            # The virtual loss: the visit counts at once, and its value is missing, thus 0, until
            # `add_value` adds it.
            links[VISITS, paths[leaf, i]] += 1
            refresh(tree, paths[leaf, i])
        leaves[DEPTH, leaf] = depth
        leaves[PENDING, leaf] = 0
        verdict = 0
        verdict += marks[VERDICT, node]
        if state[WINNER] != 0:
            shift = (state[COLOR] - state[SEAT]) % sides
            verdict = 1 + (state[WINNER] - 1 - shift) % sides
        if verdict == 0:
            leaves[NAME, leaf] = state[KEY]
            leaves[PENDING, leaf] = 1 + recall(evaluations, leaf, int(state[KEY]))
            if leaves[PENDING, leaf] == 2:
                continue
            frame = inputs.frames[state[COLOR]]
            write_inputs(
                walk.tables, state, inputs.scratch, inputs.goals, frame, inputs.planes[leaf]
            )
            continue
        add_value(tree, paths[leaf], movers[leaf], depth, verdict - 1, 1.0)
        if marks[VERDICT, node] == 0:
            marks[VERDICT, node] = verdict
            back_up_proof(tree, paths[leaf], movers[leaf], depth, sides)
            if marks[VERDICT, 0] != 0:
                return leaf + 1
    return count


@kernel()
def spread_priors(
    tree: Tree, frame: I8, logits: F4, cells: Int, node: Int, value: Float, may_swap: Int
) -> Int:
    """Write the probabilities of a node's new children, and their values before any visit.

    ``value`` is that of the node for the side to move. ``may_swap`` is 1 where the opponent may
    swap next: the network's policy prefers strong first moves, which are wrong there, so all moves
    are equally probable.
    """
    links = tree.links
    stats = tree.stats
    first = links[FIRST, node]
    last = first + links[SIZE, node]
    highest = -1e30
    for child in range(first, last):
        if links[MOVE, child] < cells:
            highest = max(highest, logits[frame[links[MOVE, child]]])
    total = 0.0
    for child in range(first, last):
        if may_swap == 1:
            stats[PRIOR, child] = 1.0
            total += 1.0
        elif links[MOVE, child] < cells:
            stats[PRIOR, child] = exp(logits[frame[links[MOVE, child]]] - highest)
            total += stats[PRIOR, child]
    for child in range(first, last):
        if links[MOVE, child] < cells:
            stats[PRIOR, child] /= total
        else:
            stats[PRIOR, child] = SWAP_PRIOR
        stats[VALUE, child] = max(value - REDUCTION, 0.0)
        stats[BONUS, child] = stats[PRIOR, child]
    return 0


@kernel()
def absorb(
    moves: Listing,
    play: Playing,
    walk: Walk,
    tree: Tree,
    step: Leaves,
    frames: I8_2,
    evaluations: Evaluations,
    count: Int,
) -> Int:
    """Expand the leaves of a step by the evaluations of the network, and add their values."""
    links = tree.links
    state = walk.state
    paths = step.paths
    movers = step.movers
    leaves = step.numbers
    for leaf in range(count):
        if leaves[PENDING, leaf] == 0:
            continue
        depth = leaves[DEPTH, leaf]
        node = paths[leaf, depth]
        side = movers[leaf, depth]
        value = 0.0
        value += evaluations.values[leaf]
        add_value(tree, paths[leaf], movers[leaf], depth, side, value)
        if links[SIZE, node] != 0 or depth >= paths.shape[1] - 1:
            continue
        if should_expand(tree, node) == 0:
            continue
        copy(walk.root, state)
        for i in range(1, depth + 1):
            play(walk.tables, state, walk.work, int(links[MOVE, paths[leaf, i]]))
        links[TRIED, node] = expand(moves, walk, tree, node)
        cells = walk.tables[CELLS]
        may_swap = 1 if state[PLY] == 0 and walk.tables[SWAP] != NO_SWAPS else 0
        frame = frames[state[COLOR]]
        spread_priors(tree, frame, evaluations.policies[leaf], cells, node, value, may_swap)
    return 0


@kernel()
def weigh_stones(
    walk: Walk,
    inputs: Inputs,
    network: Weights,
    board: Activations,
    evaluations: Evaluations,
    weights: F8,
) -> Int:
    """Write how much each cell matters by the network, 0 for cells with stones.

    That is the probability that the side to move wins with its own stone there, less that with a
    stone of the opponent there; it stays to move.
    """
    state = walk.state
    color = walk.root[COLOR]
    planes = inputs.planes[0]
    policy = evaluations.policies[0]
    copy(walk.root, state)
    for cell in range(len(weights)):
        weights[cell] = 0.0
        if walk.root[HEADER + cell] != 0:
            continue
        for stone in range(2):
            state[HEADER + cell] = 1 + (color ^ stone)
            frame = inputs.frames[color]
            write_inputs(walk.tables, state, inputs.scratch, inputs.goals, frame, planes)
            chance = evaluate_position(network, board, planes, policy)
            weights[cell] += chance if stone == 0 else -chance
        state[HEADER + cell] = 0
    return 0


@kernel()
def simulate(
    moves: Listing,
    play: Playing,
    walk: Walk,
    tree: Tree,
    leaves: Leaves,
    inputs: Inputs,
    network: Weights,
    board: Activations,
    evaluations: Evaluations,
    visits: Int,
    most: Int,
) -> Int:
    """Add visits until the root is proven or has ``most``; return how many were made.

    How many leaves a step has depends only on the visits so far and on ``most``, so that a seed
    determines the search; so there may be some more visits than were asked for.
    """
    done = 0
    while done < visits and tree.marks[VERDICT, 0] == 0:
        made = int(tree.links[VISITS, 0])
        if made >= most:
            return done
        # In a small tree many leaves at once would go to bad moves.
        size = min(len(evaluations.values), 1 + made // VISITS_A_LEAF, most - made)
        count = collect(play, walk, tree, leaves, inputs, evaluations, size)
        for leaf in range(count):
            if leaves.numbers[PENDING, leaf] == 1:
                policy = evaluations.policies[leaf]
                planes = inputs.planes[leaf]
                evaluations.values[leaf] = evaluate_position(network, board, planes, policy)
                remember(evaluations, leaf, int(leaves.numbers[NAME, leaf]))
        absorb(moves, play, walk, tree, leaves, inputs.frames, evaluations, count)
        done += count
    return done

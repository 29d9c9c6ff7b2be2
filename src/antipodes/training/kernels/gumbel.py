"""Search of many games at once with few visits: Gumbel AlphaZero.

Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel" (2022): at
the root the moves with the highest sums of logit and Gumbel noise are compared by sequential
halving; below it the visits follow the improved policy. The trees lie in arrays with one row for
each game, and each step adds a visit to all of them, so that the network evaluates all leaves
together. A value is the probability that the side to move wins.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import COLOR, WINNER
from antipodes.games.kernels.placement import play
from antipodes.games.kernels.registry import F4, F4_2, F4_3, I8, I8_2, Float, Int, kernel
from antipodes.search.kernels.exponentials import exp
from antipodes.search.kernels.network_inputs import Inputs, write_inputs

NONE = -1  # an illegal move; no child yet
UNLIKELY = -1e30  # logit of an illegal move

# Columns of the leaves.
NODE = 0  # the parent of the leaf
MOVE = 1  # from there
OVER = 2  # 1 if the game is over
LEAF = 3

VISIT_OFFSET = 50.0  # of the scale of values against logits
VALUE_SCALE = 1.0


I4_3 = Annotated[npt.NDArray[np.int32], "i4[:,:,::1]"]


class Trees(NamedTuple):
    """The trees of some games, with a row for each game and, but for the leaves, each node.

    ``logits``, ``totals`` of values, ``visits`` and ``children`` have a number for each move.
    ``values`` are the evaluations of the nodes. ``parents`` are the node above, the move from there
    and the colour to move. ``leaves`` are where the last walks down the trees ended.
    """

    logits: F4_3
    totals: F4_3
    visits: I4_3
    children: I4_3
    values: F4_2
    parents: I4_3
    leaves: I8_2


@kernel()
def mixed_value(trees: Trees, game: Int, node: Int) -> Float:
    """Return the value of a node by its evaluation and the values of its visited moves."""
    logits, totals, visits = trees.logits[game], trees.totals[game], trees.visits[game]
    highest = UNLIKELY
    for move in range(logits.shape[1]):
        if logits[node, move] > highest:
            highest = logits[node, move]
    # Visited moves count by their probability in the policy, not by visits, which the search chose.
    count = 0
    weight = 0.0
    mean = 0.0
    for move in range(logits.shape[1]):
        if visits[node, move] > 0:
            share = exp(logits[node, move] - highest)
            count += visits[node, move]
            weight += share
            mean += share * totals[node, move] / visits[node, move]
    if count == 0 or weight <= 0.0:
        return trees.values[game, node]
    return (trees.values[game, node] + count * mean / weight) / (1.0 + count)


@kernel()
def write_improved(trees: Trees, game: Int, node: Int, out: F4) -> Int:
    """Write the improved logits of a node: logits plus scaled values, completed where unvisited."""
    logits, totals, visits = trees.logits[game], trees.totals[game], trees.visits[game]
    mixed = mixed_value(trees, game, node)
    most = 0
    for move in range(logits.shape[1]):
        most = max(most, visits[node, move])
    scale = (VISIT_OFFSET + most) * VALUE_SCALE
    for move in range(logits.shape[1]):
        value = mixed
        if visits[node, move] > 0:
            value = totals[node, move] / visits[node, move]
        out[move] = logits[node, move] + scale * value
        if logits[node, move] <= UNLIKELY:
            out[move] = UNLIKELY
    return 0


@kernel("i8(f4[::1])")
def soften(numbers):
    """Turn logits into probabilities."""
    highest = numbers[0]
    for i in range(len(numbers)):
        highest = max(highest, numbers[i])
    total = 0.0
    for i in range(len(numbers)):
        numbers[i] = exp(numbers[i] - highest)
        total += numbers[i]
    for i in range(len(numbers)):
        numbers[i] /= total
    return 0


@kernel()
def interior_move(trees: Trees, game: Int, node: Int, scratch: F4) -> Int:
    """Return the move of an interior node whose share of visits is most below its policy."""
    logits, visits = trees.logits[game], trees.visits[game]
    write_improved(trees, game, node, scratch)
    soften(scratch)
    count = 0
    for move in range(len(scratch)):
        count += visits[node, move]
    # The share of visits after one more visit, so that they follow the improved policy without
    # drawing.
    best = -1
    most = -1e30
    for move in range(len(scratch)):
        if logits[node, move] > UNLIKELY:
            gain = scratch[move] - visits[node, move] / (1.0 + count)
            if gain > most:
                most = gain
                best = move
    return best


@kernel()
def root_move(trees: Trees, game: Int, noise: F4, target: Int, scratch: F4) -> Int:
    """Return the root's best move among those with fewest visits of the best ``target``.

    All moves that have been visited so far compete; with ``target`` visits a move stays out.
    """
    logits, visits = trees.logits[game], trees.visits[game]
    write_improved(trees, game, 0, scratch)
    best = -1
    most = -1e30
    for move in range(len(scratch)):
        # Moves with more visits have had their turn in this round, those with fewer are out.
        if logits[0, move] > UNLIKELY and visits[0, move] == target:
            score = noise[move] + scratch[move]
            if score > most:
                most = score
                best = move
    return best


@kernel()
def descend(
    tables: I8,
    roots: I8_2,
    state: I8,
    work: I8,
    trees: Trees,
    inputs: Inputs,
    noise: F4_2,
    numbers: F4,
    target: Int,
) -> Int:
    """Walk down each tree to a leaf, and write the inputs of the leaf's position."""
    leaves = trees.leaves
    for game in range(len(roots)):
        copy(roots[game], state)
        node = 0
        move = root_move(trees, game, noise[game], target, numbers)
        if move < 0:
            move = interior_move(trees, game, 0, numbers)
        play(tables, state, work, move)
        while state[WINNER] == 0 and trees.children[game, node, move] >= 0:
            node = trees.children[game, node, move]
            move = interior_move(trees, game, node, numbers)
            play(tables, state, work, move)
        leaves[game, NODE] = node
        leaves[game, MOVE] = move
        leaves[game, OVER] = 1 if state[WINNER] != 0 else 0
        frame = inputs.frames[state[COLOR]]
        write_inputs(tables, state, inputs.scratch, inputs.goals, frame, inputs.planes[game])
    return 0


@kernel()
def back_up(trees: Trees, frames: I8_2, policies: F4_2, evaluations: F4, node: Int) -> Int:
    """Add the evaluated leaves as node number ``node`` to the trees, and their values above."""
    logits, totals, visits = trees.logits, trees.totals, trees.visits
    parents = trees.parents
    for game in range(len(trees.leaves)):
        above = trees.leaves[game, NODE]
        move = trees.leaves[game, MOVE]
        over = trees.leaves[game, OVER] == 1
        value = 0.0 if over else evaluations[game]
        if not over:
            trees.children[game, above, move] = node
            parents[game, node, 0] = above
            parents[game, node, 1] = move
            parents[game, node, 2] = 1 - parents[game, above, 2]
            trees.values[game, node] = value
            color = parents[game, node, 2]
            for cell in range(logits.shape[2]):
                empty = logits[game, above, cell] > UNLIKELY and cell != move
                logits[game, node, cell] = (
                    policies[game, frames[color, cell]] if empty else UNLIKELY
                )
                totals[game, node, cell] = 0.0
                visits[game, node, cell] = 0
                trees.children[game, node, cell] = NONE
        while above >= 0:
            value = 1.0 - value
            totals[game, above, move] += value
            visits[game, above, move] += 1
            move = parents[game, above, 1]
            above = parents[game, above, 0]
    return 0


@kernel()
def write_roots(tables: I8, roots: I8_2, inputs: Inputs) -> Int:
    """Write the inputs of all positions."""
    for game in range(len(roots)):
        frame = inputs.frames[roots[game, COLOR]]
        write_inputs(tables, roots[game], inputs.scratch, inputs.goals, frame, inputs.planes[game])
    return 0


@kernel("i8(i8[::1], i8[:,::1], i8[::1], i8[::1])")
def play_all(tables, roots, work, moves):
    """Play a move in each game."""
    for game in range(len(roots)):
        play(tables, roots[game], work, moves[game])
    return 0


@kernel()
def write_targets(trees: Trees, policies: F4_2, mixed: F4) -> Int:
    """Write the improved policy and the value of each root."""
    for game in range(len(mixed)):
        write_improved(trees, game, 0, policies[game])
        soften(policies[game])
        mixed[game] = mixed_value(trees, game, 0)
    return 0

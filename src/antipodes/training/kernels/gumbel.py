"""Search of many games at once with few visits: Gumbel AlphaZero.

Danihelka, Guez, Schrittwieser and Silver, "Policy improvement by planning with Gumbel" (2022): at
the root the moves with the highest sums of logit and Gumbel noise are compared by sequential
halving; below it the visits follow the improved policy. The trees lie in arrays with one row for
each game, and each step adds a visit to all of them, so that the network evaluates all leaves
together. A value is the probability that the side to move wins.
"""

from __future__ import annotations

import math

from antipodes.games.kernels.header import COLOR, WINNER
from antipodes.games.kernels.placement import CELLS, play
from antipodes.games.kernels.registry import kernel
from antipodes.search.kernels.network_inputs import write_inputs

NONE = -1  # an illegal move; no child yet
UNLIKELY = -1e30  # logit of an illegal move

# Columns of the leaves.
NODE = 0  # the parent of the leaf
MOVE = 1  # from there
OVER = 2  # 1 if the game is over
LEAF = 3

VISIT_OFFSET = 50.0  # of the scale of values against logits
VALUE_SCALE = 1.0


@kernel("f8(f4[:,::1], f4[:,::1], i4[:,::1], f4[::1], i8)")
def mixed_value(logits, totals, visits, values, node):
    """Return the value of a node by its evaluation and the values of its visited moves."""
    highest = UNLIKELY
    for move in range(logits.shape[1]):
        if logits[node, move] > highest:
            highest = logits[node, move]
    count = 0
    weight = 0.0
    mean = 0.0
    for move in range(logits.shape[1]):
        if visits[node, move] > 0:
            share = math.exp(logits[node, move] - highest)
            count += visits[node, move]
            weight += share
            mean += share * totals[node, move] / visits[node, move]
    if count == 0 or weight <= 0.0:
        return values[node]
    return (values[node] + count * mean / weight) / (1.0 + count)


@kernel("i8(f4[:,::1], f4[:,::1], i4[:,::1], f4[::1], i8, f4[::1])")
def write_improved(logits, totals, visits, values, node, out):
    """Write the improved logits of a node: logits plus scaled values, completed where unvisited."""
    mixed = mixed_value(logits, totals, visits, values, node)
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
        numbers[i] = math.exp(numbers[i] - highest)
        total += numbers[i]
    for i in range(len(numbers)):
        numbers[i] /= total
    return 0


@kernel("i8(f4[:,::1], f4[:,::1], i4[:,::1], f4[::1], i8, f4[::1])")
def interior_move(logits, totals, visits, values, node, scratch):
    """Return the move of an interior node whose share of visits is most below its policy."""
    write_improved(logits, totals, visits, values, node, scratch)
    soften(scratch)
    count = 0
    for move in range(len(scratch)):
        count += visits[node, move]
    best = -1
    most = -1e30
    for move in range(len(scratch)):
        if logits[node, move] > UNLIKELY:
            gain = scratch[move] - visits[node, move] / (1.0 + count)
            if gain > most:
                most = gain
                best = move
    return best


@kernel("i8(f4[:,::1], f4[:,::1], i4[:,::1], f4[::1], f4[::1], i8, f4[::1])")
def root_move(logits, totals, visits, values, noise, target, scratch):
    """Return the root's best move among those with fewest visits of the best ``target``.

    All moves that have been visited so far compete; with ``target`` visits a move stays out.
    """
    write_improved(logits, totals, visits, values, 0, scratch)
    best = -1
    most = -1e30
    for move in range(len(scratch)):
        if logits[0, move] > UNLIKELY and visits[0, move] == target:
            score = noise[move] + scratch[move]
            if score > most:
                most = score
                best = move
    return best


@kernel(
    "i8(i8[::1], i8[:,::1], i8[::1], i8[::1], i8[::1], i8[:,::1], i8[:,::1], f4[:,:,::1],"
    " f4[:,:,::1], i4[:,:,::1], i4[:,:,::1], f4[:,::1], f4[:,::1], i8, f4[::1], i8[:,::1],"
    " f4[:,:,::1])"
)
def descend(
    tables,
    roots,
    state,
    work,
    scratch,
    goals,
    frames,
    logits,
    totals,
    visits,
    children,
    values,
    noise,
    target,
    numbers,
    leaves,
    inputs,
):
    """Walk down each tree to a leaf, and write the inputs of the leaf's position."""
    for game in range(len(roots)):
        for i in range(len(state)):
            state[i] = roots[game, i]
        node = 0
        move = root_move(
            logits[game], totals[game], visits[game], values[game], noise[game], target, numbers
        )
        if move < 0:
            move = interior_move(logits[game], totals[game], visits[game], values[game], 0, numbers)
        play(tables, state, work, move)
        while state[WINNER] == 0 and children[game, node, move] >= 0:
            node = children[game, node, move]
            move = interior_move(
                logits[game], totals[game], visits[game], values[game], node, numbers
            )
            play(tables, state, work, move)
        leaves[game, NODE] = node
        leaves[game, MOVE] = move
        leaves[game, OVER] = 1 if state[WINNER] != 0 else 0
        write_inputs(tables, state, scratch, goals, frames[state[COLOR]], inputs[game])
    return 0


@kernel(
    "i8(i8[::1], i8[:,::1], i8[:,::1], f4[:,::1], f4[::1], f4[:,:,::1], f4[:,:,::1],"
    " i4[:,:,::1], i4[:,:,::1], f4[:,::1], i4[:,:,::1], i8[:,::1], i8)"
)
def back_up(
    tables,
    roots,
    frames,
    policies,
    evaluations,
    logits,
    totals,
    visits,
    children,
    values,
    parents,
    leaves,
    node,
):
    """Add the evaluated leaves as node number ``node`` to the trees, and their values above."""
    cells = tables[CELLS]
    for game in range(len(roots)):
        above = leaves[game, NODE]
        move = leaves[game, MOVE]
        value = 0.0 if leaves[game, OVER] == 1 else evaluations[game]
        if leaves[game, OVER] == 0:
            children[game, above, move] = node
            parents[game, node, 0] = above
            parents[game, node, 1] = move
            parents[game, node, 2] = 1 - parents[game, above, 2]
            values[game, node] = value
            color = parents[game, node, 2]
            for cell in range(cells):
                empty = logits[game, above, cell] > UNLIKELY and cell != move
                logits[game, node, cell] = (
                    policies[game, frames[color, cell]] if empty else UNLIKELY
                )
                totals[game, node, cell] = 0.0
                visits[game, node, cell] = 0
                children[game, node, cell] = NONE
        while above >= 0:
            value = 1.0 - value
            totals[game, above, move] += value
            visits[game, above, move] += 1
            move = parents[game, above, 1]
            above = parents[game, above, 0]
    return 0


@kernel("i8(i8[::1], i8[:,::1], i8[::1], i8[:,::1], i8[:,::1], f4[:,:,::1])")
def write_roots(tables, roots, scratch, goals, frames, inputs):
    """Write the inputs of all positions."""
    for game in range(len(roots)):
        write_inputs(tables, roots[game], scratch, goals, frames[roots[game, COLOR]], inputs[game])
    return 0


@kernel("i8(i8[::1], i8[:,::1], i8[::1], i8[::1])")
def play_all(tables, roots, work, moves):
    """Play a move in each game."""
    for game in range(len(roots)):
        play(tables, roots[game], work, moves[game])
    return 0


@kernel("i8(f4[:,:,::1], f4[:,:,::1], i4[:,:,::1], f4[:,::1], f4[:,::1], f4[::1])")
def write_targets(logits, totals, visits, values, policies, mixed):
    """Write the improved policy and the value of each root."""
    for game in range(len(mixed)):
        write_improved(logits[game], totals[game], visits[game], values[game], 0, policies[game])
        soften(policies[game])
        mixed[game] = mixed_value(logits[game], totals[game], visits[game], values[game], 0)
    return 0

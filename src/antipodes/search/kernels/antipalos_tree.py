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

from antipodes.games.kernels.antipalos import COLORS, SIZE, play
from antipodes.games.kernels.bits import below, copy, copy_numbers
from antipodes.games.kernels.header import (
    COLOR,
    PHASE,
    SEAT,
    SWAP_OPEN,
    SWAPPED,
    WINNER,
)
from antipodes.games.kernels.registry import kernel
from antipodes.search.kernels.antipalos_evaluation import (
    EXPLORATION,
    NOISE,
    SHARPNESS,
    STEEPNESS,
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

# Numbers of ``settings``.
NODES = 0  # nodes in use; changed by the search
ROOM = 1  # moves of a node at most, unless all must be known
RODS = 2  # rods that a node of Phase Two may move
ROOT_ROOM = 3  # moves of the root
SETTINGS = 8


@kernel("i8(i8[::1], i8[::1], i8)")
def side_of(tables, state, color):
    """Return the side that plays a colour now."""
    return (color - state[SWAPPED]) % tables[COLORS]


@kernel("i8(i8[::1], i8[::1], i8[:,::1], f8[:,::1], i8[::1], i8, i8, f8, f8)")
def append(tables, state, links, values, settings, node, move, prior, first_value):
    """Add a child to the node whose children are the last rows in use; return 0 if full."""
    row = settings[NODES]
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
    settings[NODES] = row + 1
    return 1


@kernel("f8(f8)")
def chance_of(odds):
    """Return the probability for log odds."""
    return 1.0 / (1.0 + math.exp(min(max(-odds, -40.0), 40.0)))


@kernel("i8(f8[::1], i8, f8, f8, f8[::1], i8[::1])")
def make_priors(scores, count, sharpness, noise, priors, rng):
    """Write priors with sum 1 for the scores of moves, the best first.

    A little noise varies the order of moves with equal scores, more of it the search.
    """
    total = 0.0
    for i in range(count):
        worse = max(scores[i] - scores[0], -20.0)
        priors[i] = math.exp(sharpness * worse) * (1.0 + noise * below(rng, GRAINS) / GRAINS)
        total += priors[i]
    for i in range(count):
        priors[i] /= total
    return 0


@kernel("i8(i8[::1], i8[::1], f8[:,::1], i8[::1], i8[::1], i8[::1], f8[::1], i8[::1], f8[::1], i8)")
def list_moves(tables, state, scores, settings, tactics, targets, rod_scores, moves, odds, node):
    """List the moves of a node, the best first, with their log odds; return their number.

    Under a threat these are all moves that stop it.
    """
    forced = tactics[THREATS] == 1
    only = tactics[BLOCK] if forced else -1
    room = settings[ROOT_ROOM] if node == 0 else settings[ROOM]
    if state[PHASE] == 0:
        return list_placements(tables, state, scores, only, room, moves, odds)
    rods = len(targets) if forced else settings[RODS]
    room = len(moves) if forced else room
    return list_repositions(
        tables, state, scores, only, rods, room, targets, rod_scores, moves, odds
    )


@kernel(
    "i8(i8[::1], i8[::1], i8[:,::1], f8[:,::1], i8[::1], i8[::1], i8[::1], f8[::1], f8[::1], i8,"
    " i8)"
)
def add_children(tables, state, links, values, settings, tactics, moves, odds, priors, count, node):
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
        added += append(tables, state, links, values, settings, node, extra, 0.5, 1.0 / colors)
    for i in range(count):
        chance = chance_of(odds[i])
        added += append(tables, state, links, values, settings, node, moves[i], priors[i], chance)
    links[node, COMPLETE] = 1 if tactics[THREATS] == 1 and added == wanted else 0
    return added


@kernel("i8(i8[:,::1], f8[:,::1], i8, i8, f8)")
def select(links, values, node, side, exploration):
    """Return the child to visit for the side to move; lost ones come last."""
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


@kernel("i8(i8[::1], i8[::1], i8[:,::1], f8[:,::1], i8[::1], i8, f8[::1])")
def back_up(tables, root, links, values, path, depth, rewards):
    """Add a visit to the nodes of its path, and back up proofs."""
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
        values[node, TOTAL_VALUE] += rewards[links[node, MOVER]]
    return 0


@kernel("i8(i8[::1], i8[::1], f8[::1], f8[::1], f8, f8[::1])")
def write_rewards(tables, state, tuning, standings, mine, rewards):
    """Write each side's value: ``mine`` to the one to move, the rest shared by standings."""
    colors = tables[COLORS]
    total = 0.0
    for color in range(colors):
        if color != state[COLOR]:
            side = side_of(tables, state, color)
            rewards[side] = math.exp(max(tuning[STEEPNESS] * standings[color], -300.0))
            total += rewards[side]
    for side in range(colors):
        rewards[side] *= (1.0 - mine) / total
    rewards[side_of(tables, state, state[COLOR])] = mine
    return 0


@kernel(
    "i8(i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[:,::1], f8[:,::1], i8[::1], i8[::1],"
    " i8[::1], i8[::1], f8[::1], i8[::1], i8[::1], f8[::1], f8[::1], f8[::1], f8[:,::1],"
    " f8[:,::1], f8[:,::1], f8[:,::1], f8[::1], f8[:,::1], i8[::1], i8[::1], f8[::1], f8[::1],"
    " f8[::1], f8[::1], i8)"
)
def add_visits(
    tables,
    root,
    state,
    work,
    rng,
    links,
    values,
    settings,
    path,
    reach,
    tactics,
    tuning,
    chains,
    pairs,
    band,
    volts,
    near,
    conductances,
    drops,
    ties,
    currents,
    standings,
    scores,
    moves,
    targets,
    rod_scores,
    odds,
    priors,
    rewards,
    visits,
):
    """Add visits to a tree."""
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
                find_tactics(tables, state, work, reach, moves, tactics)
                certain = settle(tables, state, links, tactics, node)
                if tactics[WIN] >= 0:
                    if node == 0:
                        append(tables, state, links, values, settings, node, tactics[WIN], 1.0, 1.0)
                    break
                if certain == 1 and node != 0:
                    break
                evaluate_position(
                    tables,
                    state,
                    tuning,
                    chains,
                    pairs,
                    band,
                    volts,
                    near,
                    conductances,
                    drops,
                    ties,
                    currents,
                    standings,
                )
                score_squares(
                    tables,
                    state,
                    tuning,
                    standings,
                    conductances,
                    drops,
                    ties,
                    currents,
                    scores,
                )
                count = list_moves(
                    tables, state, scores, settings, tactics, targets, rod_scores, moves, odds, node
                )
                make_priors(odds, count, tuning[SHARPNESS], tuning[NOISE], priors, rng)
                write_rewards(tables, state, tuning, standings, chance_of(odds[0]), rewards)
                # A node is expanded at its first visit; in the third quarter of the room at the
                # second, and in the last quarter at the ninth.
                filled = 4 * settings[NODES] // len(links)
                ripe = links[node, VISITS] >= (0 if filled < 2 else 1 if filled == 2 else 8)
                forced = tactics[THREATS] > 0
                if node == 0 or ((ripe or forced) and depth < len(path) - 1):
                    add_children(
                        tables,
                        state,
                        links,
                        values,
                        settings,
                        tactics,
                        moves,
                        odds,
                        priors,
                        count,
                        node,
                    )
                if not forced or links[node, CHILDREN] == 0 or node == 0:
                    break
            side = (root[SEAT] + depth) % colors
            node = select(links, values, node, side, tuning[EXPLORATION])
            play(tables, state, work, links[node, MOVE])
            depth += 1
            path[depth] = node
        back_up(tables, root, links, values, path, depth, rewards)
    return visits


@kernel("i8(i8[:,::1], f8[:,::1], i8, i8[:,::1], f8[:,::1], i8[::1])")
def copy_subtree(links, values, node, new_links, new_values, origins):
    """Copy the tree below a node into new arrays, breadth first; return its number of nodes."""
    origins[0] = node
    copy(links[node], new_links[0])
    copy_numbers(values[node], new_values[0])
    end = 1
    at = 0
    while at < end:
        first = links[origins[at], FIRST_CHILD]
        new_links[at, FIRST_CHILD] = end
        for child in range(first, first + new_links[at, CHILDREN]):
            origins[end] = child
            copy(links[child], new_links[end])
            copy_numbers(values[child], new_values[end])
            end += 1
        at += 1
    return end

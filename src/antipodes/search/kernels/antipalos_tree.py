"""A search tree for Antipalos: judged leaves, few moves, proven wins.

Upper confidence bounds with a prior for each move (PUCT: Rosin 2011, as in Silver et al. 2017) over
leaves judged by circuits. Wins that are certain are backed up as such (Winands, Björnsson and Saito
2008): a node is proven for a side when the side to move there has a move to a node proven for it,
or, where all its moves are known, when all lead to nodes proven for that one side. A side is a
colour of the position at the root, whoever plays it after a swap: seat number modulo colours.

A tree is two arrays with a row for each node, the root first.
"""

from __future__ import annotations

import math

from antipodes.games.kernels.antipalos import COLORS, SIZE, play
from antipodes.games.kernels.bits import below
from antipodes.games.kernels.header import (
    COLOR,
    PHASE,
    SEAT,
    SWAP_OPEN,
    SWAPPED,
    WINNER,
)
from antipodes.games.kernels.registry import kernel
from antipodes.search.kernels.antipalos_judgement import (
    EXPLORATION,
    SHARPNESS,
    STEEPNESS,
    judge_position,
    list_placements,
    list_repositions,
    score_squares,
)
from antipodes.search.kernels.antipalos_threats import BLOCK, ESCAPE, THREATS, WIN, look, next_color

# Columns of ``links``.
MOVE = 0
MOVER = 1  # the side that made it
FIRST_CHILD = 2
CHILDREN = 3
VISITS = 4
PROVEN = 5  # 1 + the side that is certain to win, or 0
DISTANCE = 6  # turns until a proven win
COMPLETE = 7  # 1 if the children are all moves that could matter
LINKS = 8

# Columns of ``values``.
WORTH = 0  # sum of what the visits were worth to the side that moved here
PRIOR = 1
JUDGED = 2  # what the move was worth at first sight
VALUES = 3

# Numbers of ``settings``.
NODES = 0  # nodes in use; changed by the search
ROOM = 1  # moves that a node may have, unless all must be known
RODS = 2  # rods among which a node of Phase Two chooses
ROOT_ROOM = 3  # moves of the root
SETTINGS = 8


@kernel("i8(i8[::1], i8[::1], i8)")
def side_of(tables, state, color):
    """Return the side that plays a colour now."""
    return (color - state[SWAPPED]) % tables[COLORS]


@kernel("i8(i8[::1], i8[::1], i8[:,::1], f8[:,::1], i8[::1], i8, i8, f8, f8)")
def append(tables, state, links, values, settings, node, move, prior, judged):
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
    values[row, JUDGED] = judged
    if links[node, CHILDREN] == 0:
        links[node, FIRST_CHILD] = row
    links[node, CHILDREN] += 1
    settings[NODES] = row + 1
    return 1


@kernel("f8(f8)")
def chance_of(odds):
    """Return the chance that log odds mean."""
    return 1.0 / (1.0 + math.exp(min(max(-odds, -40.0), 40.0)))


@kernel("i8(f8[::1], i8, f8, f8[::1], i8[::1])")
def make_priors(scores, count, sharpness, priors, rng):
    """Turn the scores of moves, the best first, into chances that add up to 1.

    A little chance keeps moves of equal scores from standing in an order that always is the same.
    """
    total = 0.0
    for i in range(count):
        worse = max(scores[i] - scores[0], -20.0)
        priors[i] = math.exp(sharpness * worse) * (1.0 + below(rng, 1024) / 65536.0)
        total += priors[i]
    for i in range(count):
        priors[i] /= total
    return 0


@kernel("i8(i8[::1], i8[::1], f8[:,::1], i8[::1], i8[::1], i8[::1], f8[::1], i8[::1], f8[::1], i8)")
def list_moves(tables, state, scores, settings, sight, targets, worths, moves, odds, node):
    """List the moves that a node tries, the best first, with their log odds; return their number.

    Under a threat these are all moves that stop it.
    """
    forced = sight[THREATS] == 1
    only = sight[BLOCK] if forced else -1
    room = settings[ROOT_ROOM] if node == 0 else settings[ROOM]
    if state[PHASE] == 0:
        return list_placements(tables, state, scores, only, room, moves, odds)
    rods = len(targets) if forced else settings[RODS]
    room = len(moves) if forced else room
    return list_repositions(tables, state, scores, only, rods, room, targets, worths, moves, odds)


@kernel(
    "i8(i8[::1], i8[::1], i8[:,::1], f8[:,::1], i8[::1], i8[::1], i8[::1], f8[::1], f8[::1], i8,"
    " i8)"
)
def add_children(tables, state, links, values, settings, sight, moves, odds, priors, count, node):
    """Give a node the listed moves as children, and a swap or a way into a draw; return how many.

    The children are all that matter where they stop a threat.
    """
    colors = tables[COLORS]
    extra = -1
    if sight[ESCAPE] >= 0:
        extra = sight[ESCAPE]
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
    links[node, COMPLETE] = 1 if sight[THREATS] == 1 and added == wanted else 0
    return added


@kernel("i8(i8[:,::1], f8[:,::1], i8, i8, f8)")
def select(links, values, node, side, exploration):
    """Return the child to go to, as the side to move sees it; lost ones come last."""
    first = links[node, FIRST_CHILD]
    visits = links[node, VISITS]
    scale = exploration * math.sqrt(visits + 1.0)
    best = first
    best_bound = -1e9
    for child in range(first, first + links[node, CHILDREN]):
        tried = links[child, VISITS]
        worth = (values[child, WORTH] + values[child, JUDGED]) / (tried + 1.0)
        if links[child, PROVEN] != 0:
            worth = 1e6 if links[child, PROVEN] == 1 + side else links[child, DISTANCE] - 1e6
        bound = worth + scale * values[child, PRIOR] / (1.0 + tried)
        if bound > best_bound:
            best_bound = bound
            best = child
    return best


@kernel("i8(i8[:,::1], i8, i8)")
def prove(links, node, side):
    """Mark a node as proven if its children say so, for ``side`` to move; return 1 if it is."""
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
def settle(tables, state, links, sight, node):
    """Mark a node as proven if the end or what was seen decides it; return 1 if it is."""
    if state[WINNER] > 0:
        links[node, PROVEN] = 1 + side_of(tables, state, state[WINNER] - 1)
        links[node, DISTANCE] = 0
    elif state[WINNER] == 0 and sight[WIN] >= 0:
        links[node, PROVEN] = 1 + side_of(tables, state, state[COLOR])
        links[node, DISTANCE] = 1
    elif state[WINNER] == 0 and sight[THREATS] == 2 and sight[ESCAPE] < 0:
        links[node, PROVEN] = 1 + side_of(tables, state, next_color(tables, state))
        links[node, DISTANCE] = 2
    return 1 if links[node, PROVEN] != 0 else 0


@kernel("i8(i8[::1], i8[::1], i8[:,::1], f8[:,::1], i8[::1], i8, f8[::1])")
def back_up(tables, root, links, values, path, depth, rewards):
    """Add what a visit was worth to the nodes of its path, and prove what can be."""
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
        values[node, WORTH] += rewards[links[node, MOVER]]
    return 0


@kernel("i8(i8[::1], i8[::1], f8[::1], f8[::1], f8, f8[::1])")
def share_out(tables, state, tuning, standings, mine, rewards):
    """Write each side's worth: ``mine`` to the one to move, the others' by their standings."""
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
    " i8[::1], i8[::1], f8[::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1], f8[:,::1],"
    " f8[:,::1], f8[::1], f8[:,::1], i8[::1], i8[::1], f8[::1], f8[::1], f8[::1], f8[::1], i8)"
)
def grow(
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
    sight,
    tuning,
    band,
    volts,
    near,
    drops,
    ties,
    currents,
    standings,
    scores,
    moves,
    targets,
    worths,
    odds,
    priors,
    rewards,
    visits,
):
    """Add visits to a tree."""
    colors = tables[COLORS]
    for _ in range(visits):
        state[:] = root
        node = 0
        depth = 0
        path[0] = 0
        while True:
            if state[WINNER] != 0:
                settle(tables, state, links, sight, node)
                for side in range(colors):
                    rewards[side] = 1.0 / colors
                break
            if links[node, PROVEN] != 0 and node != 0:
                break
            if links[node, CHILDREN] == 0:
                look(tables, state, work, reach, moves, sight)
                certain = settle(tables, state, links, sight, node)
                if sight[WIN] >= 0:
                    if node == 0:
                        append(tables, state, links, values, settings, node, sight[WIN], 1.0, 1.0)
                    break
                if certain == 1 and node != 0:
                    break
                judge_position(tables, state, band, volts, near, drops, ties, currents, standings)
                score_squares(tables, state, tuning, standings, drops, ties, currents, scores)
                count = list_moves(
                    tables, state, scores, settings, sight, targets, worths, moves, odds, node
                )
                make_priors(odds, count, tuning[SHARPNESS], priors, rng)
                share_out(tables, state, tuning, standings, chance_of(odds[0]), rewards)
                # While there is room a node is given its moves at once, later not before the
                # second visit, and in the last quarter of the room the ninth.
                filled = 4 * settings[NODES] // len(links)
                ripe = links[node, VISITS] >= (0 if filled < 2 else 1 if filled == 2 else 8)
                forced = sight[THREATS] > 0
                if node == 0 or ((ripe or forced) and depth < len(path) - 1):
                    add_children(
                        tables,
                        state,
                        links,
                        values,
                        settings,
                        sight,
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
def transplant(links, values, node, new_links, new_values, origins):
    """Copy the tree below a node into new arrays, breadth first; return its number of nodes."""
    origins[0] = node
    new_links[0] = links[node]
    new_values[0] = values[node]
    end = 1
    at = 0
    while at < end:
        first = links[origins[at], FIRST_CHILD]
        new_links[at, FIRST_CHILD] = end
        for child in range(first, first + new_links[at, CHILDREN]):
            origins[end] = child
            new_links[end] = links[child]
            new_values[end] = values[child]
            end += 1
        at += 1
    return end

"""Upper confidence bounds applied to trees (Kocsis and Szepesvári 2006), over any game.

A tree is two arrays with a row for each node, the root first: ``links`` holds the move that leads
to the node, the seat that made it, its first child (0 if not expanded), the number of its children
and its visits; ``values`` the sum of what its visits were worth to that seat, from 0 to 1 each.

Values belong to seats, not to colours, so that a swap is weighed like any other move.
"""

from __future__ import annotations

import math

from antipodes.games.kernels.bits import below
from antipodes.games.kernels.header import COLOR, PLY, SEAT, WINNER
from antipodes.games.kernels.registry import kernel

MOVE = 0
MOVER = 1
FIRST_CHILD = 2
CHILDREN = 3
VISITS = 4
LINKS = 5

# What a search is told, as one array of numbers.
COLORS = 0
USE_ESTIMATE = 1  # 1 to ask the estimate at a leaf, 0 to play at random to the end
THRESHOLD = 2  # visits after which a leaf is expanded
MAX_PLIES = 3  # of a random playout
NODES = 4  # nodes in use; changed by the search
SETTINGS = 8

_PLAY = "FunctionType(i8(i8[::1], i8[::1], i8[::1], i8))"
_LIST = "FunctionType(i8(i8[::1], i8[::1], i8[::1], i8[::1]))"
_ESTIMATE = "FunctionType(i8(i8[::1], i8[::1], i8[::1], f8[::1]))"


@kernel("i8(i8[:,::1], f8[::1], i8, f8)")
def select(links, values, node, exploration):
    """Return the child with the highest upper confidence bound; unvisited ones come first."""
    first = links[node, FIRST_CHILD]
    best = first
    best_bound = -1.0
    scale = exploration * math.sqrt(math.log(1.0 + links[node, VISITS]))
    for child in range(first, first + links[node, CHILDREN]):
        visits = links[child, VISITS]
        if visits == 0:
            return child
        bound = values[child] / visits + scale / math.sqrt(visits)
        if bound > best_bound:
            best_bound = bound
            best = child
    return best


@kernel(
    f"i8({_LIST}, i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], i8[:,::1], f8[::1], i8[::1], i8)"
)
def expand(moves, tables, state, work, rng, out, links, values, settings, node):
    """Give a node its children in random order, if there is room; return their number."""
    count = moves(tables, state, work, out)
    first = settings[NODES]
    if first + count > len(values):
        return 0
    for i in range(count):
        # An unvisited child is tried in the order of its row, so that order must not be a bias.
        other = i + below(rng, count - i)
        move = out[other]
        out[other] = out[i]
        links[first + i, MOVE] = move
        links[first + i, MOVER] = state[SEAT]
        links[first + i, FIRST_CHILD] = 0
        links[first + i, CHILDREN] = 0
        links[first + i, VISITS] = 0
        values[first + i] = 0.0
    links[node, FIRST_CHILD] = first
    links[node, CHILDREN] = count
    settings[NODES] = first + count
    return count


@kernel("i8(i8[::1], i8, f8[::1])")
def final_rewards(state, colors, rewards):
    """Write what a finished or given-up game is worth to each colour."""
    for color in range(colors):
        if state[WINNER] > 0:
            rewards[color] = 1.0 if state[WINNER] == 1 + color else 0.0
        else:
            rewards[color] = 1.0 / colors
    return 0


@kernel(f"i8({_PLAY}, {_LIST}, {_ESTIMATE}, i8[::1], i8[::1], i8[::1], i8[::1], i8[::1], f8[::1])")
def evaluate(play, sample, estimate, tables, state, work, rng, settings, rewards):
    """Write what a leaf is worth to each colour, by its estimate or by one random game."""
    if state[WINNER] == 0 and settings[USE_ESTIMATE] == 1:
        return estimate(tables, state, work, rewards)
    last = state[PLY] + settings[MAX_PLIES]
    while state[WINNER] == 0 and state[PLY] < last:
        play(tables, state, work, sample(tables, state, work, rng))
    return final_rewards(state, settings[COLORS], rewards)


@kernel(
    f"i8({_LIST}, {_PLAY}, {_LIST}, {_ESTIMATE}, i8[::1], i8[::1], i8[::1], i8[::1], i8[::1],"
    " i8[::1], i8[:,::1], f8[::1], i8[::1], i8[::1], f8[::1], f8, i8)"
)
def simulate(
    moves,
    play,
    sample,
    estimate,
    tables,
    root,
    state,
    work,
    rng,
    out,
    links,
    values,
    settings,
    path,
    rewards,
    exploration,
    simulations,
):
    """Add simulations to a tree; return how many were made."""
    colors = settings[COLORS]
    for _ in range(simulations):
        state[:] = root
        node = 0
        depth = 0
        path[0] = 0
        while state[WINNER] == 0 and depth < len(path) - 1:
            if links[node, CHILDREN] == 0:
                ripe = node == 0 or links[node, VISITS] >= settings[THRESHOLD]
                if not ripe:
                    break
                if expand(moves, tables, state, work, rng, out, links, values, settings, node) == 0:
                    break
            node = select(links, values, node, exploration)
            play(tables, state, work, links[node, MOVE])
            depth += 1
            path[depth] = node
        evaluate(play, sample, estimate, tables, state, work, rng, settings, rewards)
        # Seats and colours go together by a shift that a swap changes.
        shift = (state[COLOR] - state[SEAT]) % colors
        for i in range(depth + 1):
            links[path[i], VISITS] += 1
            values[path[i]] += rewards[(links[path[i], MOVER] + shift) % colors]
    return simulations

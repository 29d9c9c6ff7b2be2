"""Plain upper confidence bounds applied to trees (Kocsis and Szepesvári 2006), with random games.

This is the reference for the strength of other searches, so it never changes: one uniformly random
game for each visit, no reuse between moves, no proofs, no knowledge of any game.

A tree is two arrays with a row for each node, the root first: ``links`` holds the move that leads
to the node, the seat that made it, its first child (0 if not expanded), the number of its children
and its visits; ``values`` the sum of the values of its visits for that seat, from 0 to 1 each.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from antipodes.games.kernels.bits import below, copy
from antipodes.games.kernels.header import COLOR, PLY, SEAT, WINNER
from antipodes.games.kernels.registry import F8, I8, I8_2, Float, Int, Listing, Playing, kernel
from antipodes.search.kernels.exponentials import log
from antipodes.search.kernels.nodes import Walk

MOVE = 0
MOVER = 1
FIRST_CHILD = 2
CHILDREN = 3
VISITS = 4
LINKS = 5

# Settings of a search: an array of integers.
COLORS = 0
THRESHOLD = 1  # visits after which a leaf is expanded
MAX_PLIES = 2  # of a random game
NODES = 3  # nodes in use; changed by the search
SETTINGS = 4


class PlainTree(NamedTuple):
    """A tree as this module describes it, and the settings of its search."""

    links: I8_2
    values: F8
    settings: I8


@kernel("i8(i8[:,::1], f8[::1], i8, f8)")
def choose_child(links, values, node, exploration):
    """Return the child with the highest upper confidence bound; unvisited ones come first."""
    first = links[node, FIRST_CHILD]
    best = first
    best_bound = -1.0
    scale = exploration * math.sqrt(log(1.0 + links[node, VISITS]))
    for child in range(first, first + links[node, CHILDREN]):
        visits = links[child, VISITS]
        if visits == 0:
            return child
        bound = values[child] / visits + scale / math.sqrt(visits)
        if bound > best_bound:
            best_bound = bound
            best = child
    return best


@kernel()
def give_children(moves: Listing, walk: Walk, tree: PlainTree, node: Int) -> Int:
    """Add the children of a node in random order if there is room; return their number."""
    links = tree.links
    out = walk.out
    count = moves(walk.tables, walk.state, walk.work, out)
    first = tree.settings[NODES]
    if first + count > len(tree.values):
        return 0
    for i in range(count):
        # Unvisited children are tried in the order of their rows, so that order must be random.
        other = i + below(walk.rng, count - i)
        move = out[other]
        out[other] = out[i]
        links[first + i, MOVE] = move
        links[first + i, MOVER] = walk.state[SEAT]
        links[first + i, FIRST_CHILD] = 0
        links[first + i, CHILDREN] = 0
        links[first + i, VISITS] = 0
        tree.values[first + i] = 0.0
    links[node, FIRST_CHILD] = first
    links[node, CHILDREN] = count
    tree.settings[NODES] = first + count
    return count


@kernel()
def finish_at_random(play: Playing, sample: Listing, walk: Walk, settings: I8, rewards: F8) -> Int:
    """Play a random game to its end and write its value for each colour."""
    state = walk.state
    last = state[PLY] + settings[MAX_PLIES]
    while state[WINNER] == 0 and state[PLY] < last:
        play(walk.tables, state, walk.work, sample(walk.tables, state, walk.work, walk.rng))
    colors = settings[COLORS]
    for color in range(colors):
        if state[WINNER] > 0:
            rewards[color] = 1.0 if state[WINNER] == 1 + color else 0.0
        else:
            rewards[color] = 1.0 / colors
    return 0


@kernel()
def add_visits(
    moves: Listing,
    play: Playing,
    sample: Listing,
    walk: Walk,
    tree: PlainTree,
    path: I8,
    rewards: F8,
    exploration: Float,
    visits: Int,
) -> Int:
    """Add visits to a tree; return how many were made."""
    links = tree.links
    values = tree.values
    settings = tree.settings
    state = walk.state
    colors = settings[COLORS]
    for _ in range(visits):
        copy(walk.root, state)
        node = 0
        depth = 0
        path[0] = 0
        while state[WINNER] == 0 and depth < len(path) - 1:
            if links[node, CHILDREN] == 0:
                if node > 0 and links[node, VISITS] < settings[THRESHOLD]:
                    break
                if give_children(moves, walk, tree, node) == 0:
                    break
            node = choose_child(links, values, node, exploration)
            play(walk.tables, state, walk.work, links[node, MOVE])
            depth += 1
            path[depth] = node
        finish_at_random(play, sample, walk, settings, rewards)
        # The colour of a seat is shifted after a swap.
        shift = (state[COLOR] - state[SEAT]) % colors
        for i in range(depth + 1):
            links[path[i], VISITS] += 1
            values[path[i]] += rewards[(links[path[i], MOVER] + shift) % colors]
    return visits

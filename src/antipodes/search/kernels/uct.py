"""Upper confidence bounds applied to trees (Kocsis and Szepesvári 2006), over any game.

The tree is that of :mod:`antipodes.search.kernels.nodes`. A visit walks down to a leaf, evaluates
it by a random game or an estimate, and backs up the value. Untried children come first.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, NamedTuple

from antipodes.games.kernels.bits import below
from antipodes.games.kernels.header import COLOR, SEAT, WINNER
from antipodes.games.kernels.registry import F8, I8, Float, Int, Listing, Playing, kernel
from antipodes.search.kernels.exponentials import log
from antipodes.search.kernels.nodes import (
    BONUS,
    COPIED,
    EVEN,
    EXPLORATION,
    FIRST,
    LIGHT,
    LIVE,
    MOVE,
    PLIES,
    SIDES,
    TRIED,
    USE_ESTIMATE,
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

Estimate = Annotated[Callable[..., int], "FunctionType(i8(i8[::1], i8[::1], i8[::1], f8[::1]))"]


class Outcome(NamedTuple):
    """The value of a leaf for each side, and scratch for an estimate of it for each colour."""

    chances: F8
    rewards: F8


@kernel("i8(u4[:,::1], i8[::1], i8)")
def try_untried_child(links, rng, node):
    """Move a random untried child to the tried ones, and return it.

    It is drawn here and not at expansion, since most children are never tried.
    """
    tried = 0
    tried += links[TRIED, node]
    child = tried
    child += links[FIRST, node]
    other = child + below(rng, links[LIVE, node] - tried)
    links[MOVE, child], links[MOVE, other] = links[MOVE, other], links[MOVE, child]
    links[TRIED, node] = tried + 1
    return child


@kernel()
def count_visit(tree: Tree, node: Int, reward: Float) -> Int:
    """Add a visit to a node, and update its value and exploration bonus."""
    tree.links[VISITS, node] += 1
    tree.totals[node] += reward
    visits = tree.links[VISITS, node]
    tree.stats[VALUE, node] = tree.totals[node] / visits
    tree.stats[BONUS, node] = 1.0 / math.sqrt(visits)
    return 0


@kernel("i8(i8, i8, i8, f8[::1])")
def write_rewards(winner, sides, shift, rewards):
    """Write the value of a finished game for each side; ``winner`` as states encode it."""
    for side in range(sides):
        if winner > 0:
            rewards[side] = 1.0 if winner == 1 + (side + shift) % sides else 0.0
        else:
            rewards[side] = 1.0 / sides
    return 0


@kernel()
def evaluate(
    playout: Listing, estimate: Estimate, walk: Walk, settings: I8, outcome: Outcome
) -> Int:
    """Write the value of a leaf for each side, by an estimate or by one random game."""
    sides = settings[SIDES]
    state = walk.state
    # A side is the colour of a seat, shifted after a swap.
    if settings[USE_ESTIMATE] == 1:
        estimate(walk.tables, state, walk.work, outcome.chances)
        for side in range(sides):
            shifted = (side + state[COLOR] - state[SEAT]) % sides
            outcome.rewards[side] = outcome.chances[shifted]
        return 0
    playout(walk.tables, state, walk.work, walk.rng)
    shift = (state[COLOR] - state[SEAT]) % sides
    return write_rewards(state[WINNER], sides, shift, outcome.rewards)


@kernel()
def simulate(
    moves: Listing,
    play: Playing,
    step: Playing,
    playout: Listing,
    estimate: Estimate,
    walk: Walk,
    tree: Tree,
    way: Way,
    outcome: Outcome,
    visits: Int,
) -> Int:
    """Add visits to a tree until it is proven; return how many were made.

    ``step`` plays a move on the way down. If it does not update the winner, the moves are replayed
    with ``play`` before a leaf is expanded.
    """
    links = tree.links
    marks = tree.marks
    settings = tree.settings
    state = walk.state
    path = way.nodes
    movers = way.movers
    rewards = outcome.rewards
    sides = settings[SIDES]
    for done in range(visits):
        if marks[VERDICT, 0] != 0:
            return done
        for i in range(settings[COPIED]):
            state[i] = walk.root[i]
        node = 0
        depth = 0
        path[0] = 0
        movers[0] = state[SEAT] % sides
        while state[WINNER] == 0 and depth < len(path) - 1:
            live = links[LIVE, node]
            if live == 0:
                if marks[VERDICT, node] != 0 or should_expand(tree, node) == 0:
                    break
                if settings[LIGHT] == 1 and replay(play, walk, tree, way, depth):
                    break
                live = expand(moves, walk, tree, node)
                if live == 0:
                    break
            if links[TRIED, node] < live:
                node = try_untried_child(links, walk.rng, node)
            else:
                scale = tree.weights[EXPLORATION] * math.sqrt(log(1.0 + links[VISITS, node]))
                node = select(tree, node, scale)
            step(walk.tables, state, walk.work, int(links[MOVE, node]))
            depth += 1
            path[depth] = node
            movers[depth] = state[SEAT] % sides
        ended = 0
        if marks[VERDICT, node] != 0:
            write_rewards(marks[VERDICT, node], sides, 0, rewards)
        elif state[WINNER] != 0:
            shift = (state[COLOR] - state[SEAT]) % sides
            write_rewards(state[WINNER], sides, shift, rewards)
            ended = EVEN if state[WINNER] < 0 else 1 + (state[WINNER] - 1 - shift) % sides
        else:
            evaluate(playout, estimate, walk, settings, outcome)
        for i in range(depth + 1):
            count_visit(tree, path[i], rewards[movers[max(i - 1, 0)]])
        if ended != 0 and depth < settings[PLIES]:
            marks[VERDICT, node] = ended
            back_up_proof(tree, path, movers, depth, sides)
    return visits

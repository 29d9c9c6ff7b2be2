"""A player's choice of a move by one search tree: beginning, budget and the move that is played."""

from __future__ import annotations

from antipodes.games.kernels.header import SEAT
from antipodes.games.kernels.registry import I8, Int, Listing, Playing, kernel
from antipodes.search.kernels.batch import FloodLayout
from antipodes.search.kernels.choosing import (
    GOAL,
    LEAST,
    Choice,
    begin_choice,
    draw_seed,
    generator_state,
    pick,
)
from antipodes.search.kernels.nodes import (
    SIDES,
    VERDICT,
    VISITS,
    Children,
    Tree,
    Walk,
    Way,
    list_children,
    rank_children,
)
from antipodes.search.kernels.rave import Batches, simulate


@kernel()
def begin(moves: Listing, play: Playing, walk: Walk, choice: Choice) -> Int:
    """Return the move that needs no search, or -1 after the search has got its generator."""
    move = begin_choice(moves, play, walk, choice)
    if move < 0:
        walk.rng[0] = generator_state(draw_seed(choice.rng))
    return move


@kernel()
def visits_left(tree: Tree, choice: Choice) -> Int:
    """Return how many visits a choice still needs."""
    if tree.marks[VERDICT, 0] != 0:
        return 0
    return max(max(LEAST, choice.numbers[GOAL]) - tree.links[VISITS, 0], 0)


@kernel()
def grow(
    moves: Listing,
    play: Playing,
    step: Playing,
    walk: Walk,
    tree: Tree,
    way: Way,
    layout: FloodLayout,
    batches: Batches,
    choice: Choice,
    most: Int,
) -> Int:
    """Add some of the visits that a choice still needs; return how many it needs then."""
    visits = min(visits_left(tree, choice), most)
    simulate(moves, play, step, walk, tree, way, layout, batches, visits)
    return visits_left(tree, choice)


@kernel()
def end(walk: Walk, tree: Tree, children: Children, ranked: I8, choice: Choice) -> Int:
    """Return the move that is played."""
    count = list_children(tree, children)
    side = walk.root[SEAT] % tree.settings[SIDES]
    count = rank_children(children, count, side, ranked)
    for i in range(count):
        ranked[i] = children.moves[ranked[i]]
    return pick(ranked, count, choice)

"""A player's choice of a move of Antipalos: budget and the move that is played.

A hasty move is found by a tree without circuits. The beginning is that of one tree.
"""

from __future__ import annotations

from antipodes.games.kernels.antipalos import COLORS
from antipodes.games.kernels.header import SEAT
from antipodes.games.kernels.registry import F8, I8, Int, Listing, Playing, kernel
from antipodes.search.kernels import nodes
from antipodes.search.kernels.antipalos_circuit import Circuits, Scratch
from antipodes.search.kernels.antipalos_evaluation import Lists
from antipodes.search.kernels.antipalos_tree import (
    VISITS,
    Moves,
    Tree,
    Visit,
    add_root_visits,
    is_done,
    list_visited,
    rank_moves,
)
from antipodes.search.kernels.choosing import GOAL, HASTY, LEAST, Choice, pick
from antipodes.search.kernels.tree_choices import end as end_hasty
from antipodes.search.kernels.tree_choices import visits_left
from antipodes.search.kernels.uct import Estimate, Outcome, simulate


@kernel()
def grow(
    moves: Listing,
    play: Playing,
    step: Playing,
    playout: Listing,
    estimate: Estimate,
    walk: nodes.Walk,
    quick: nodes.Tree,
    way: nodes.Way,
    outcome: Outcome,
    tree: Tree,
    visit: Visit,
    tuning: F8,
    scratch: Scratch,
    circuits: Circuits,
    lists: Lists,
    choice: Choice,
    most: Int,
) -> Int:
    """Add some of the visits that a choice still needs; return how many it needs then."""
    if choice.numbers[HASTY] == 1:
        visits = min(visits_left(quick, choice), most)
        simulate(moves, play, step, playout, estimate, walk, quick, way, outcome, visits)
        return visits_left(quick, choice)
    goal = max(LEAST, choice.numbers[GOAL])
    visits = min(goal - tree.links[0, VISITS], most)
    add_root_visits(walk, tree, visit, tuning, scratch, circuits, lists, visits)
    if is_done(walk.tables, walk.root, tree) == 1:
        return 0
    return max(goal - tree.links[0, VISITS], 0)


@kernel()
def end(
    walk: nodes.Walk,
    quick: nodes.Tree,
    children: nodes.Children,
    tree: Tree,
    known: Moves,
    ranked: I8,
    choice: Choice,
) -> Int:
    """Return the move that is played."""
    if choice.numbers[HASTY] == 1:
        return end_hasty(walk, quick, children, ranked, choice)
    side = walk.root[SEAT] % walk.tables[COLORS]
    count = rank_moves(known, list_visited(tree, 0, known), side, ranked)
    for i in range(count):
        ranked[i] = known.moves[ranked[i]]
    return pick(ranked, count, choice)

"""A player's choice of a move by one search tree: beginning, budget and the move that is played."""

from __future__ import annotations

from antipodes.games.kernels.header import HEADER, SEAT
from antipodes.games.kernels.placement import NODES
from antipodes.games.kernels.registry import I8, Int, Listing, Playing, kernel
from antipodes.search.kernels.batch import FloodLayout
from antipodes.search.kernels.choosing import (
    GOAL,
    HASTY,
    KNOWS,
    LEAST,
    SURE,
    Choice,
    begin_choice,
    draw_seed,
    generator_state,
    pick,
)
from antipodes.search.kernels.connection_store import Connections
from antipodes.search.kernels.keyed_rows import KeyedRows
from antipodes.search.kernels.nodes import (
    BRIDGES,
    COPIED,
    LIGHT,
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
from antipodes.search.kernels.opening_facts import Facts, find_proven_win
from antipodes.search.kernels.proof_fill import Graph, Symmetries
from antipodes.search.kernels.proof_nodes import Proofs
from antipodes.search.kernels.proof_patterns import Patterns
from antipodes.search.kernels.queried_visits import add_batches
from antipodes.search.kernels.rave import Batches, simulate


@kernel()
def begin(moves: Listing, play: Playing, walk: Walk, choice: Choice) -> Int:
    """Return the move that needs no search, or -1 after the search has got its generator."""
    move = begin_choice(moves, play, walk, choice)
    if move < 0:
        walk.rng[0] = generator_state(draw_seed(choice.rng))
    return move


@kernel()
def begin_with_facts(
    moves: Listing, play: Playing, walk: Walk, facts: Facts, answer: I8, choice: Choice
) -> Int:
    """Return the move that needs no search or is known to win, or -1 as :func:`begin` does."""
    move = begin_choice(moves, play, walk, choice)
    if move < 0 and choice.skill[SURE] != 0:
        move = find_proven_win(facts, walk.root, answer, choice.rng)
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
def set_knowledge(walk: Walk, tree: Tree, choice: Choice) -> Int:
    """Set up the tree for a choice with knowledge, or for one without; return 1 with it.

    Random games keep bridges with knowledge. Finding them needs the chains of a whole position,
    which light steps do not update.
    """
    knows = 1 if choice.skill[KNOWS] != 0 and choice.numbers[HASTY] == 0 else 0
    tree.settings[BRIDGES] = knows
    tree.settings[LIGHT] = 1 - knows
    tree.settings[COPIED] = len(walk.root) if knows == 1 else HEADER + walk.tables[NODES]
    return knows


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
    graph: Graph,
    symmetries: Symmetries,
    store: Connections,
    table: KeyedRows,
    patterns: Patterns,
    proofs: Proofs,
    facts: Facts,
    sufficient: KeyedRows,
    limits: I8,
    answers: KeyedRows,
    queries: I8,
    answer: I8,
    choice: Choice,
    most: Int,
) -> Int:
    """Add some of the visits that a choice still needs; return how many it needs then."""
    left = visits_left(tree, choice)
    if set_knowledge(walk, tree, choice) == 0:
        simulate(moves, play, step, walk, tree, way, layout, batches, min(left, most))
        return visits_left(tree, choice)
    add_batches(
        moves,
        play,
        walk,
        tree,
        way,
        layout,
        batches,
        graph,
        symmetries,
        store,
        table,
        patterns,
        proofs,
        facts,
        sufficient,
        limits,
        answers,
        queries,
        answer,
        min(left, most),
    )
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

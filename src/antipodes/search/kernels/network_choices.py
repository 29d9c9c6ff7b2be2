"""A player's choice of a move by a search tree with the neural network."""

from __future__ import annotations

from antipodes.games.kernels.header import KEY, SEAT
from antipodes.games.kernels.registry import I8, Int, Listing, Playing, kernel
from antipodes.search.kernels.choosing import (
    GOAL,
    LEAST,
    Choice,
    draw_fraction,
    generator_state,
    pick,
)
from antipodes.search.kernels.connection_store import Connections
from antipodes.search.kernels.convolution import Activations, Evaluations, Weights
from antipodes.search.kernels.keyed_rows import KeyedRows
from antipodes.search.kernels.network_inputs import Inputs
from antipodes.search.kernels.nodes import (
    SIDES,
    Children,
    Tree,
    Walk,
    Way,
    list_children,
    rank_children,
)
from antipodes.search.kernels.opening_facts import Facts
from antipodes.search.kernels.proof_fill import Graph, Symmetries
from antipodes.search.kernels.proof_nodes import Proofs
from antipodes.search.kernels.proof_patterns import Patterns
from antipodes.search.kernels.puct import Leaves
from antipodes.search.kernels.queried_visits import add_evaluations
from antipodes.search.kernels.tree_choices import visits_left

CLOSE = 0.02  # difference of values that are about equal
COMPARABLE = 0.1  # share of the first move's visits that makes another value comparable


@kernel()
def grow(
    moves: Listing,
    play: Playing,
    walk: Walk,
    tree: Tree,
    way: Way,
    leaves: Leaves,
    inputs: Inputs,
    network: Weights,
    board: Activations,
    evaluations: Evaluations,
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
    add_evaluations(
        moves,
        play,
        walk,
        tree,
        way,
        leaves,
        inputs,
        network,
        board,
        evaluations,
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
        min(visits_left(tree, choice), most),
        max(LEAST, choice.numbers[GOAL]),
    )
    return visits_left(tree, choice)


@kernel()
def visits_if_close(children: Children, best: Int, child: Int) -> Int:
    """Return the visits of a move that is about as good as the best one, else 0."""
    visits = children.visits[child]
    value = children.totals[child] / max(visits, 1)
    highest = children.totals[best] / max(children.visits[best], 1)
    is_open = children.verdicts[child] == 0
    if is_open and visits >= COMPARABLE * children.visits[best] and value >= highest - CLOSE:
        return visits
    return 0


@kernel()
def vary(walk: Walk, children: Children, ranked: I8, count: Int) -> Int:
    """Move a move that is about as good as the first one to the front; return its old place.

    A search with the network is not random, so a game that was won could be won by the same moves
    each time. The seed and the position decide; the more visits a move has, the more probable it
    is. Proven results and draws stay as they are.
    """
    if count == 0 or children.verdicts[ranked[0]] != 0:
        return 0
    best = ranked[0]
    total = 0
    for place in range(count):
        total += visits_if_close(children, best, ranked[place])
    seed = walk.rng[0]
    walk.rng[0] = generator_state(seed ^ walk.root[KEY])
    drawn = int(draw_fraction(walk.rng) * total)
    walk.rng[0] = seed
    for place in range(count):
        child = ranked[place]
        drawn -= visits_if_close(children, best, child)
        if drawn < 0:
            for behind in range(place, 0, -1):
                ranked[behind] = ranked[behind - 1]
            ranked[0] = child
            return place
    return 0


@kernel()
def end(walk: Walk, tree: Tree, children: Children, ranked: I8, choice: Choice) -> Int:
    """Return the move that is played."""
    side = walk.root[SEAT] % tree.settings[SIDES]
    count = rank_children(children, list_children(tree, children), side, ranked)
    vary(walk, children, ranked, count)
    for i in range(count):
        ranked[i] = children.moves[ranked[i]]
    return pick(ranked, count, choice)

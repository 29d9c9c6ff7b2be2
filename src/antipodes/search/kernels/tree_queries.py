"""Queries of knowledge about the nodes of a tree, and what their answers change.

:mod:`.opening_facts` says what an answer is.
"""

from __future__ import annotations

from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import COLOR, SEAT, SWAP_OPEN
from antipodes.games.kernels.placement import CELLS
from antipodes.games.kernels.registry import I8, Int, Playing, kernel
from antipodes.search.kernels.cell_sets import has_cell
from antipodes.search.kernels.nodes import (
    FIRST,
    LIVE,
    MOVE,
    PROOF_PRICE,
    SIDES,
    SIZE,
    USED,
    VERDICT,
    VISITS,
    Tree,
    Walk,
    Way,
    apply_knowledge,
    find_unqueried,
)
from antipodes.search.kernels.opening_facts import LIMITED, MOVES, WINNER, has_moves

QUERY_VISITS = 1_000  # between two rounds of queries, and of a node before it is queried
LEAST_INTERVAL = 200  # visits between two rounds where proofs are cheap; a part of the usual ones
MOST_QUERIES = 4  # of a round
MOST_FRUITLESS = 6  # doublings of the visits that a node needs for a query

# Numbers of a tree's queries.
FRUITLESS = 0  # queries without an answer, less those with one
PAID = 1  # positions of the root's proof search
QUERIES = 2

FEW = 24  # positions of a run of the root's proof search at least


@kernel()
def walk_down(play: Playing, walk: Walk, tree: Tree, way: Way, depth: Int) -> Int:
    """Play the moves of a way, and write the sides to move there; return the depth."""
    sides = tree.settings[SIDES]
    copy(walk.root, walk.state)
    way.movers[0] = walk.root[SEAT] % sides
    for i in range(1, depth + 1):
        play(walk.tables, walk.state, walk.work, int(tree.links[MOVE, way.nodes[i]]))
        way.movers[i] = walk.state[SEAT] % sides
    return depth


@kernel()
def find_query(play: Playing, walk: Walk, tree: Tree, way: Way, queries: I8, visits: Int) -> Int:
    """Walk to a node with enough visits that was not queried yet; return its depth or -1.

    After each query without an answer nodes need twice as many visits, after each answer half as
    many again. So queries cost little while the board is open.
    """
    depth = find_unqueried(tree, way, visits << queries[FRUITLESS])
    return depth if depth < 0 else walk_down(play, walk, tree, way, depth)


@kernel()
def apply_answer(walk: Walk, tree: Tree, way: Way, depth: Int, answer: I8) -> Int:
    """Apply an answer about the position of the walk to the last node of the way."""
    sides = tree.settings[SIDES]
    state = walk.state
    winner = answer[WINNER]
    limited = answer[LIMITED]
    if limited == 1 and has_moves(answer) == 0:
        winner = 2 - state[COLOR]
        limited = 0
    verdict = 0
    if winner != 0:
        verdict = 1 + (winner - 1 - state[COLOR] + state[SEAT]) % sides
    return apply_knowledge(tree, way, depth, sides, limited, answer[MOVES:], verdict)


@kernel()
def take_answer(
    walk: Walk, tree: Tree, way: Way, depth: Int, queries: I8, visits: Int, answer: I8
) -> Int:
    """Apply an answer about a node that was found; return 0 if there are no more queries now."""
    if answer[WINNER] == 0 and answer[LIMITED] == 0:
        queries[FRUITLESS] = min(queries[FRUITLESS] + 1, MOST_FRUITLESS)
    else:
        queries[FRUITLESS] = max(queries[FRUITLESS] - 1, 0)
    is_lost = answer[WINNER] == 2 - walk.state[COLOR] or (
        answer[LIMITED] == 1 and has_moves(answer) == 0
    )
    if depth == 0 and is_lost and tree.links[VISITS, 0] < visits:
        # A move must be played even if all lose: first find the hardest to refute.
        return 0
    apply_answer(walk, tree, way, depth, answer)
    return 1


@kernel()
def lacks_moves(tree: Tree, answer: I8) -> Int:
    """Return 1 if none of the moves of an answer is among the children of the root, else 0."""
    if answer[LIMITED] == 0 or has_moves(answer) == 0:
        return 0
    first = tree.links[FIRST, 0]
    if first > 0:
        for child in range(first, first + tree.links[SIZE, 0]):
            if has_cell(answer[MOVES:], int(tree.links[MOVE, child])) == 1:
                return 0
    return 1


@kernel()
def clear_tree(tree: Tree) -> Int:
    """Remove all nodes but the root, and what is known of that."""
    for row in range(tree.links.shape[0]):
        tree.links[row, 0] = 0
    for row in range(tree.stats.shape[0]):
        tree.stats[row, 0] = 0.0
    for row in range(tree.marks.shape[0]):
        tree.marks[row, 0] = 0
    tree.totals[0] = 0.0
    tree.settings[USED] = 1
    return 0


@kernel()
def query_interval(tree: Tree) -> Int:
    """Return the visits between two rounds of queries."""
    price = int(tree.settings[PROOF_PRICE])
    return LEAST_INTERVAL if 0 < FEW * price < QUERY_VISITS else QUERY_VISITS


@kernel()
def positions_due(walk: Walk, tree: Tree, queries: I8) -> Int:
    """Return how many positions the proof search of the root may look at now, and count them.

    The root's visits pay them, a run for each few. The first run is free where a proof is likely:
    on small boards, and where at most half of the cells may win.
    """
    price = int(tree.settings[PROOF_PRICE])
    if price == 0 or tree.marks[VERDICT, 0] != 0 or walk.root[SWAP_OPEN] != 0:
        return 0
    paid = int(tree.links[VISITS, 0]) // price
    if price <= FEW or 2 * tree.links[LIVE, 0] <= walk.tables[CELLS]:
        paid += FEW
    due = paid - queries[PAID]
    if due < FEW:
        return 0
    queries[PAID] = paid
    return due


@kernel()
def is_usable(walk: Walk, tree: Tree, answer: I8) -> Int:
    """Return 1 if an answer of the proof search is applied to the root, else 0.

    Two lists of sufficient moves need not have one in common, so only a proof is. A move must be
    played even if all lose: first find the hardest to refute.
    """
    if answer[WINNER] == 0:
        return 0
    is_lost = answer[WINNER] == 2 - walk.root[COLOR]
    return 0 if is_lost and tree.links[VISITS, 0] < QUERY_VISITS else 1


@kernel()
def apply_to_root(play: Playing, walk: Walk, tree: Tree, way: Way, answer: I8) -> Int:
    """Apply an answer about the root."""
    way.nodes[0] = 0
    walk_down(play, walk, tree, way, 0)
    return apply_answer(walk, tree, way, 0, answer)

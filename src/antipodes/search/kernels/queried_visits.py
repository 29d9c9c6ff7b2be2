"""Visits of a tree of a placement game, and queries of knowledge about its nodes between them.

A search of the server does the same, with a lock on the source of its knowledge.
"""

from __future__ import annotations

from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import KEY, SWAP_OPEN
from antipodes.games.kernels.header import WINNER as STATE_WINNER
from antipodes.games.kernels.registry import I8, Int, Listing, Playing, kernel
from antipodes.search.kernels import puct, rave
from antipodes.search.kernels.batch import FloodLayout
from antipodes.search.kernels.connection_store import Connections
from antipodes.search.kernels.convolution import Activations, Evaluations, Weights
from antipodes.search.kernels.keyed_rows import KeyedRows, find_row, row_to_write
from antipodes.search.kernels.network_inputs import Inputs
from antipodes.search.kernels.nodes import VERDICT, VISITS, Tree, Walk, Way
from antipodes.search.kernels.opening_facts import Facts, clear_answer
from antipodes.search.kernels.proof_fill import Graph, Symmetries, draw_keys
from antipodes.search.kernels.proof_nodes import Proofs
from antipodes.search.kernels.proof_patterns import Patterns
from antipodes.search.kernels.solver_knowledge import prove, query
from antipodes.search.kernels.tree_queries import (
    MOST_QUERIES,
    QUERY_VISITS,
    apply_to_root,
    clear_tree,
    find_query,
    is_usable,
    lacks_moves,
    positions_due,
    query_interval,
    take_answer,
)


@kernel()
def until_query(tree: Tree) -> Int:
    """Return the visits until the next round of queries, the first of which follows one visit."""
    done = int(tree.links[VISITS, 0])
    interval = query_interval(tree)
    return 1 if done == 0 else interval - done % interval


@kernel()
def query_tree(
    play: Playing,
    walk: Walk,
    tree: Tree,
    way: Way,
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
) -> Int:
    """Query knowledge about nodes with enough visits, and search for a proof of the root.

    The answers about nodes are applied to the tree; ``answers`` keeps those of all positions by
    their keys.

    Returns:
        1 if ``answer`` is a proof that is to be applied to the root, else 0.
    """
    for _ in range(MOST_QUERIES):
        depth = find_query(play, walk, tree, way, queries, QUERY_VISITS)
        if depth < 0:
            break
        state = walk.state
        row = find_row(answers, state[KEY])
        if row < 0:
            clear_answer(answer, 0)
            if state[SWAP_OPEN] == 0 and state[STATE_WINNER] == 0:
                query(
                    walk.tables,
                    graph,
                    symmetries,
                    store,
                    table,
                    patterns,
                    proofs,
                    facts,
                    sufficient,
                    limits,
                    state,
                    answer,
                )
            row = row_to_write(answers, state[KEY])
            copy(answer, answers.rows[row][1:])
        known = answers.rows[row][1:]
        if take_answer(walk, tree, way, depth, queries, QUERY_VISITS, known) == 0:
            break
    effort = positions_due(walk, tree, queries)
    if effort == 0:
        return 0
    prove(
        walk.tables,
        graph,
        symmetries,
        store,
        table,
        patterns,
        proofs,
        facts,
        sufficient,
        limits,
        walk.root,
        answer,
        effort,
    )
    return is_usable(walk, tree, answer)


@kernel()
def add_batches(
    moves: Listing,
    play: Playing,
    walk: Walk,
    tree: Tree,
    way: Way,
    layout: FloodLayout,
    batches: rave.Batches,
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
    visits: Int,
) -> Int:
    """Add visits of batches of random games until the root is proven; return how many."""
    draw_keys(symmetries)
    left = visits
    while left > 0 and tree.marks[VERDICT, 0] == 0:
        done = int(tree.links[VISITS, 0])
        due = until_query(tree)
        rave.simulate(moves, play, play, walk, tree, way, layout, batches, min(left, due))
        left -= int(tree.links[VISITS, 0]) - done
        if tree.links[VISITS, 0] < done + due:
            continue
        is_known = query_tree(
            play,
            walk,
            tree,
            way,
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
        )
        if is_known == 1:
            if lacks_moves(tree, answer) == 1:
                clear_tree(tree)
                rave.simulate(moves, play, play, walk, tree, way, layout, batches, 1)
            apply_to_root(play, walk, tree, way, answer)
    return visits - left


@kernel()
def add_evaluations(
    moves: Listing,
    play: Playing,
    walk: Walk,
    tree: Tree,
    way: Way,
    leaves: puct.Leaves,
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
    visits: Int,
    most: Int,
) -> Int:
    """Add visits of evaluations by the network until the root is proven; return how many.

    The root gets ``most`` visits at most.
    """
    draw_keys(symmetries)
    left = visits
    while left > 0 and tree.marks[VERDICT, 0] == 0:
        done = int(tree.links[VISITS, 0])
        if done >= most:
            return visits - left
        due = until_query(tree)
        puct.simulate(
            moves,
            play,
            walk,
            tree,
            leaves,
            inputs,
            network,
            board,
            evaluations,
            min(left, due),
            most,
        )
        left -= int(tree.links[VISITS, 0]) - done
        if tree.links[VISITS, 0] < done + due:
            continue
        is_known = query_tree(
            play,
            walk,
            tree,
            way,
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
        )
        if is_known == 1:
            if lacks_moves(tree, answer) == 1:
                clear_tree(tree)
                puct.simulate(
                    moves, play, walk, tree, leaves, inputs, network, board, evaluations, 1, 1
                )
            apply_to_root(play, walk, tree, way, answer)
    return visits - left

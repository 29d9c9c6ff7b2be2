"""A player's choice of a move by one search tree: beginning, budget and the move that is played."""

from __future__ import annotations

from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import HEADER, KEY, SEAT, SWAP_OPEN
from antipodes.games.kernels.header import WINNER as STATE_WINNER
from antipodes.games.kernels.placement import NODES
from antipodes.games.kernels.registry import I8, Int, Listing, Playing, kernel
from antipodes.search.kernels.batch import FloodLayout
from antipodes.search.kernels.choosing import (
    GOAL,
    HASTY,
    KNOWS,
    LEAST,
    Choice,
    begin_choice,
    draw_seed,
    generator_state,
    pick,
)
from antipodes.search.kernels.connection_store import Connections
from antipodes.search.kernels.keyed_rows import KeyedRows, find_row, row_to_write
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
from antipodes.search.kernels.opening_facts import WINNER, Facts, clear_answer
from antipodes.search.kernels.proof_fill import Graph, Symmetries, draw_keys
from antipodes.search.kernels.proof_nodes import Proofs
from antipodes.search.kernels.proof_patterns import Patterns
from antipodes.search.kernels.rave import Batches, simulate
from antipodes.search.kernels.solver_knowledge import query
from antipodes.search.kernels.tree_queries import (
    MOST_QUERIES,
    QUERY_VISITS,
    ROUNDS,
    apply_to_root,
    clear_tree,
    find_query,
    is_root_due,
    lacks_moves,
    take_answer,
)


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
    draw_keys(symmetries)
    while left > 0 and most > 0:
        done = int(tree.links[VISITS, 0])
        due = 1 if done == 0 else QUERY_VISITS - done % QUERY_VISITS
        visits = min(left, most, due)
        simulate(moves, play, play, walk, tree, way, layout, batches, visits)
        most -= visits
        if tree.links[VISITS, 0] == done + due:
            queries[ROUNDS] += 1
            if is_root_due(walk, tree, queries) == 1:
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
                    walk.root,
                    answer,
                )
                if answer[WINNER] != 0:
                    if lacks_moves(tree, answer) == 1:
                        clear_tree(tree)
                        simulate(moves, play, play, walk, tree, way, layout, batches, 1)
                    apply_to_root(play, walk, tree, way, answer)
            query_nodes(
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
        left = visits_left(tree, choice)
    return left


@kernel()
def query_nodes(
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
    """Query knowledge about nodes with enough visits, and apply the answers to the tree.

    ``answers`` keeps those of all positions by their keys.
    """
    for _ in range(MOST_QUERIES):
        depth = find_query(play, walk, tree, way, queries, QUERY_VISITS)
        if depth < 0:
            return 0
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
            return 0
    return 1


@kernel()
def end(walk: Walk, tree: Tree, children: Children, ranked: I8, choice: Choice) -> Int:
    """Return the move that is played."""
    count = list_children(tree, children)
    side = walk.root[SEAT] % tree.settings[SIDES]
    count = rank_children(children, count, side, ranked)
    for i in range(count):
        ranked[i] = children.moves[ranked[i]]
    return pick(ranked, count, choice)

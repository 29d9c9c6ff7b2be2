"""An analysis by one search tree with the neural network, for the engine in a visitor's page."""

from __future__ import annotations

from antipodes.games.kernels.registry import F8, I8, Describing, Int, Listing, Playing, kernel
from antipodes.search.kernels import reports
from antipodes.search.kernels.connection_store import Connections
from antipodes.search.kernels.convolution import Activations, Evaluations, Weights
from antipodes.search.kernels.keyed_rows import KeyedRows
from antipodes.search.kernels.network_inputs import Inputs
from antipodes.search.kernels.nodes import VERDICT, VISITS, Children, Tree, Walk, Way
from antipodes.search.kernels.opening_facts import Facts
from antipodes.search.kernels.proof_fill import Graph, Symmetries
from antipodes.search.kernels.proof_nodes import Proofs
from antipodes.search.kernels.proof_patterns import Patterns
from antipodes.search.kernels.puct import NEVER, Leaves, weigh_stones
from antipodes.search.kernels.queried_visits import add_evaluations
from antipodes.search.kernels.reports import Report
from antipodes.search.kernels.tree_analysis import tell_moves


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
    visits: Int,
) -> Int:
    """Add visits, and query knowledge; return their number so far, or 0 if the root is proven."""
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
        visits,
        NEVER,
    )
    return int(tree.links[VISITS, 0]) if tree.marks[VERDICT, 0] == 0 else 0


@kernel()
def tell(
    play: Playing,
    describe: Describing,
    walk: Walk,
    tree: Tree,
    inputs: Inputs,
    network: Weights,
    board: Activations,
    evaluations: Evaluations,
    children: Children,
    ranked: I8,
    weights: F8,
    report: Report,
) -> Int:
    """Write the results so far; return the number of moves."""
    count = tell_moves(play, describe, walk, tree, children, ranked, 1, report)
    weigh_stones(walk, inputs, network, board, evaluations, weights)
    reports.write_heat(weights, report)
    return count

"""An analysis by one search tree of a placement game, for the engine in a visitor's page."""

from __future__ import annotations

from antipodes.games.kernels.header import COLOR, SEAT, WINNER
from antipodes.games.kernels.placement import CELLS
from antipodes.games.kernels.registry import F8, I8, I8_2, Describing, Int, Listing, Playing, kernel
from antipodes.search.kernels import reports
from antipodes.search.kernels.batch import LANES, FloodLayout
from antipodes.search.kernels.cell_sets import has_cell
from antipodes.search.kernels.connection import (
    find_sure_win,
    list_goal_rows,
    list_winning_rows,
)
from antipodes.search.kernels.connection_store import GOALS, STEP_LIMIT, Connections
from antipodes.search.kernels.keyed_rows import KeyedRows
from antipodes.search.kernels.nodes import (
    EVEN,
    SIDES,
    VERDICT,
    VISITS,
    Children,
    Tree,
    Walk,
    Way,
    list_children,
    principal_line,
    rank_children,
)
from antipodes.search.kernels.opening_facts import Facts
from antipodes.search.kernels.proof_fill import Graph, Symmetries
from antipodes.search.kernels.proof_nodes import Proofs
from antipodes.search.kernels.proof_patterns import Patterns
from antipodes.search.kernels.queried_visits import add_batches
from antipodes.search.kernels.rave import (
    OVERALL,
    SAMPLED,
    Batches,
    sample_batches,
    weigh_cells,
)
from antipodes.search.kernels.reports import Report
from antipodes.search.kernels.solver_knowledge import STEPS, is_swap_ahead


@kernel()
def grow(
    moves: Listing,
    play: Playing,
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
    visits: Int,
) -> Int:
    """Add visits, and query knowledge; return their number so far, or 0 if the root is proven."""
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
        visits,
    )
    return int(tree.links[VISITS, 0]) if tree.marks[VERDICT, 0] == 0 else 0


@kernel()
def result_of(verdict: Int, side: Int) -> Int:
    """Return the result that a verdict means for a side."""
    if verdict == 0:
        return reports.UNPROVEN
    if verdict == EVEN:
        return reports.DRAWN
    return reports.WON if verdict == 1 + side else reports.LOST


@kernel()
def tell_moves(
    play: Playing,
    describe: Describing,
    walk: Walk,
    tree: Tree,
    children: Children,
    ranked: I8,
    games: Int,
    report: Report,
) -> Int:
    """Write the moves so far, with so many random games a visit; return their number."""
    side = walk.root[SEAT] % tree.settings[SIDES]
    count = rank_children(children, list_children(tree, children), side, ranked)
    count = min(count, reports.LISTED)
    report.numbers[reports.COUNT] = count
    value = 0.5
    for place in range(count):
        child = ranked[place]
        visits = children.visits[child]
        mean = children.totals[child] / max(visits, 1)
        if place == 0:
            value = mean
        error = reports.standard_error(mean, max(visits, 1) * games)
        result = result_of(children.verdicts[child], side)
        reports.write_move(place, visits, mean, error, result, report)
        report.line[0] = children.moves[child]
        length = 1 + principal_line(tree, children.nodes[child], report.line[1:])
        reports.write_line(play, describe, walk, place, length, report)
    result = result_of(tree.marks[VERDICT, 0], side)
    reports.write_chances(play, walk, tree.links[VISITS, 0], result, value, report)
    return count


@kernel()
def tell(
    play: Playing,
    describe: Describing,
    walk: Walk,
    tree: Tree,
    layout: FloodLayout,
    batches: Batches,
    sampled: Batches,
    sampling: I8,
    children: Children,
    ranked: I8,
    weights: F8,
    report: Report,
) -> Int:
    """Write the results so far; return the number of moves."""
    count = tell_moves(play, describe, walk, tree, children, ranked, LANES, report)
    if batches.records[OVERALL, 0] < SAMPLED:
        state = walk.rng[0]
        walk.rng[0] = sampling[0]
        for row in range(sampled.records.shape[0]):
            for i in range(sampled.records.shape[1]):
                sampled.records[row, i] = batches.records[row, i]
        sample_batches(walk, layout, sampled, SAMPLED)
        walk.rng[0] = state
        weigh_cells(sampled.records, weights)
    else:
        weigh_cells(batches.records, weights)
    reports.write_heat(weights, report)
    return count


@kernel()
def tell_connections(
    walk: Walk,
    store: Connections,
    limits: I8,
    rows: I8,
    carriers: I8_2,
    connected: I8,
    report: Report,
) -> Int:
    """Write the winner by virtual connections, or the moves that may win; return the winner.

    The winner is 1 + the index of its colour, or 0.
    """
    tables = walk.tables
    joins = report.joins
    for i in range(len(joins)):
        joins[i] = 0
    joins[reports.SEARCHED] = 1
    if walk.root[WINNER] != 0 or is_swap_ahead(tables, walk.root) == 1:
        return 0
    store.numbers[STEP_LIMIT] = limits[STEPS]
    winner = find_sure_win(tables, walk.root, store, 1, connected)
    joins[reports.JOINED] = winner
    joins[reports.LIMITED] = 1 if winner != 0 or store.numbers[GOALS] != 0 else 0
    for cell in range(tables[CELLS]):
        # Where the side to move has lost, none may win.
        may_win = has_cell(connected[2:], cell) == 1 and winner != 2 - walk.root[COLOR]
        joins[reports.JOINS + cell] = reports.MAY_WIN if may_win else 0
    if winner != 0:
        # The moves that may win are written: their array is scratch from here on.
        count = list_winning_rows(store, rows, carriers, connected)
    else:
        count = list_goal_rows(store, rows, carriers)
    for i in range(count):
        for cell in range(tables[CELLS]):
            if has_cell(carriers[i], cell) == 1:
                joins[reports.JOINS + cell] |= reports.NEEDED
    return winner

"""An analysis by one search tree of a placement game, for the engine in a visitor's page."""

from __future__ import annotations

from antipodes.games.kernels.header import SEAT
from antipodes.games.kernels.registry import F8, I8, Describing, Int, Listing, Playing, kernel
from antipodes.search.kernels import reports
from antipodes.search.kernels.batch import LANES, FloodLayout
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
from antipodes.search.kernels.rave import (
    OVERALL,
    SAMPLED,
    Batches,
    sample_batches,
    simulate,
    weigh_cells,
)
from antipodes.search.kernels.reports import Report


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
    visits: Int,
) -> Int:
    """Add visits; return their number so far, or 0 if the root is proven."""
    simulate(moves, play, step, walk, tree, way, layout, batches, visits)
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

"""An analysis by one search tree of Antipalos, for the engine in a visitor's page."""

from __future__ import annotations

from antipodes.games.kernels.antipalos import COLORS
from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import COLOR, HEADER, SEAT
from antipodes.games.kernels.registry import F8, F8_2, I8, Describing, Int, Playing, kernel
from antipodes.search.kernels import reports
from antipodes.search.kernels.antipalos_circuit import Circuits, Scratch
from antipodes.search.kernels.antipalos_evaluation import Lists, write_win_chances
from antipodes.search.kernels.antipalos_tree import (
    MOVER,
    PROVEN,
    VISITS,
    Moves,
    Tree,
    Visit,
    add_root_visits,
    child_of,
    is_done,
    list_visited,
    rank_moves,
)
from antipodes.search.kernels.nodes import Walk
from antipodes.search.kernels.reports import Report

_LINE = 30  # moves of a line at most


@kernel()
def grow(
    walk: Walk,
    tree: Tree,
    visit: Visit,
    tuning: F8,
    scratch: Scratch,
    circuits: Circuits,
    lists: Lists,
    visits: Int,
) -> Int:
    """Add visits; return their number so far, or 0 if the search is complete."""
    add_root_visits(walk, tree, visit, tuning, scratch, circuits, lists, visits)
    return tree.links[0, VISITS] if is_done(walk.tables, walk.root, tree) == 0 else 0


@kernel()
def result_of(proven: Int, side: Int) -> Int:
    """Return the result for a side where one has a proven win."""
    if proven == 0:
        return reports.UNPROVEN
    return reports.WON if proven == 1 + side else reports.LOST


@kernel()
def find_line(tree: Tree, node: Int, known: Moves, ranked: I8, line: I8) -> Int:
    """Write the principal variation after a node behind the first move; return its length."""
    length = 1
    while length < _LINE:
        count = list_visited(tree, node, known)
        if count == 0:
            return length
        first = child_of(tree, node, known.moves[0])
        rank_moves(known, count, tree.links[first, MOVER], ranked)
        line[length] = known.moves[ranked[0]]
        node = child_of(tree, node, line[length])
        length += 1
    return length


@kernel()
def weigh_squares(
    walk: Walk,
    tuning: F8,
    scratch: Scratch,
    circuits: Circuits,
    scores: F8_2,
    chances: F8,
    weights: F8,
) -> Int:
    """Write the criticality of each square, 0 for those with rods.

    It is the difference between the win probabilities of the colour to move with its own best rod
    on the square and with the other colour's.
    """
    state = walk.state
    copy(walk.root, state)
    write_win_chances(walk.tables, state, tuning, scratch, circuits, scores, weights)
    state[SEAT] += 1
    state[COLOR] ^= 1
    write_win_chances(walk.tables, state, tuning, scratch, circuits, scores, chances)
    for square in range(len(weights)):
        weight = weights[square] + chances[square] - 1.0
        is_empty = walk.root[HEADER + square] == 0
        weights[square] = min(max(weight, 0.0), 1.0) if is_empty else 0.0
    return 0


@kernel()
def tell(
    play: Playing,
    describe: Describing,
    walk: Walk,
    tree: Tree,
    visit: Visit,
    tuning: F8,
    scratch: Scratch,
    circuits: Circuits,
    known: Moves,
    below: Moves,
    ranked: I8,
    ranked_below: I8,
    chances: F8,
    weights: F8,
    report: Report,
) -> Int:
    """Write the results so far; return the number of moves."""
    side = walk.root[SEAT] % walk.tables[COLORS]
    count = rank_moves(known, list_visited(tree, 0, known), side, ranked)
    count = min(count, reports.LISTED)
    report.numbers[reports.COUNT] = count
    value = 0.5
    for place in range(count):
        child = ranked[place]
        visits = known.visits[child]
        mean = known.totals[child] / visits
        error = reports.standard_error(mean, visits)
        result = result_of(known.verdicts[child], side)
        reports.write_move(place, visits, mean, error, result, report)
        if place == 0:
            value = report.values[0]
        report.line[0] = known.moves[child]
        node = child_of(tree, 0, report.line[0])
        length = find_line(tree, node, below, ranked_below, report.line)
        reports.write_line(play, describe, walk, place, length, report)
    result = result_of(tree.links[0, PROVEN], side)
    reports.write_chances(play, walk, tree.links[0, VISITS], result, value, report)
    if walk.tables[COLORS] == 2:
        weigh_squares(walk, tuning, scratch, circuits, visit.scores, chances, weights)
        reports.write_heat(weights, report)
    return count

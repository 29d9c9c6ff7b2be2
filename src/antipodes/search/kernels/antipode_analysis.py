"""An analysis of Antipode by an alpha-beta search, for the engine in a visitor's page."""

from __future__ import annotations

from antipodes.games.kernels.antipode import CELLS, PAWNS, TOKENS, judge
from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import COLOR, LEGAL, WINNER
from antipodes.games.kernels.registry import (
    F8,
    I8,
    Describing,
    Float,
    Int,
    Listing,
    Playing,
    kernel,
)
from antipodes.search.kernels import reports
from antipodes.search.kernels.antipode_deepening import (
    EXACT_DRAW,
    FOUND,
    RESULT,
    RUNNING,
    TURNS,
    deepen,
    is_done,
    rank_turns,
    set_position,
    value_of_turn,
)
from antipodes.search.kernels.antipode_estimate import UNIT
from antipodes.search.kernels.antipode_search import (
    EFFORT,
    GUESS,
    MASK,
    SURE,
    VISITS,
    AlphaBeta,
)
from antipodes.search.kernels.antipode_table import probe_table, table_slot
from antipodes.search.kernels.choosing import generator_state
from antipodes.search.kernels.exponentials import exp
from antipodes.search.kernels.nodes import Walk
from antipodes.search.kernels.reports import Report

LINE = 12  # turns of a line at most
GAMES = 1_000  # random games for the criticality of cells
LEAST_ERROR = 0.02  # of a value that is not proven


@kernel()
def chance_of(value: Int) -> Float:
    """Return the win probability that a value means for the mover."""
    if abs(value) > SURE:
        return 1.0 if value > 0 else 0.0
    return 1.0 / (1.0 + exp(-value / UNIT))


@kernel()
def error_of(chance: Float, guess: Int) -> Float:
    """Return the error of a chance whose value at depth 1 was a guess.

    The error of an estimate is not known; the change since depth 1 is the best measure.
    """
    return max(LEAST_ERROR, abs(chance - chance_of(guess)) / 2)


@kernel()
def weigh_cells(playout: Listing, walk: Walk, rng: I8, counts: I8, weights: F8) -> Int:
    """Write the criticality of each cell in random games, also of those whose tokens may flip."""
    for cell in range(2 * CELLS):
        counts[cell] = 0
    led = 0
    for _ in range(GAMES):
        copy(walk.root, walk.state)
        winner = playout(walk.tables, walk.state, walk.work, rng)
        lead = 1 if winner == 1 else -1 if winner == 2 else 0
        led += lead
        for cell in range(CELLS):
            held = 2 * ((walk.state[TOKENS] >> cell) & 1) - 1
            counts[cell] += held
            counts[CELLS + cell] += held * lead
    for cell in range(CELLS):
        together = counts[CELLS + cell] / GAMES
        weights[cell] = together - counts[cell] / GAMES * (led / GAMES)
    return 0


@kernel()
def begin(walk: Walk, search: AlphaBeta, progress: I8, seed: Int) -> Int:
    """Prepare the search of the root; return 1 if the game is over, else 0."""
    walk.rng[0] = generator_state(seed)
    set_position(walk.root, search, progress, walk.rng)
    walk.rng[0] = generator_state(seed)  # of the random games
    return 1 if walk.root[WINNER] != 0 else 0


@kernel()
def grow(walk: Walk, search: AlphaBeta, progress: I8, visits: Int) -> Int:
    """Add visits; return their number so far, or 0 if the search is complete."""
    deepen(walk.tables, search, progress, visits)
    return search.settings[VISITS] if is_done(progress) == 0 else 0


@kernel()
def result_of(value: Int) -> Int:
    """Return the result that a value proves for the mover."""
    if abs(value) <= SURE:
        return reports.UNPROVEN
    return reports.WON if value > 0 else reports.LOST


@kernel()
def find_line(play: Playing, walk: Walk, search: AlphaBeta, line: I8) -> Int:
    """Write the best answers to the first turn of a line from the table; return its length."""
    state = walk.state
    copy(walk.root, state)
    length = 0
    turn = line[0]
    while True:
        line[length] = turn
        length += 1
        play(walk.tables, state, walk.work, turn)
        if length == LINE or state[WINNER] != 0:
            return length
        mover = state[COLOR]
        own = state[TOKENS + mover]
        other = state[TOKENS + 1 - mover]
        pawns = 64 * state[PAWNS + mover] + state[PAWNS + 1 - mover]
        place = table_slot(own, other, pawns, search.settings[MASK])
        turn = (probe_table(search.table, place, own, other, pawns) & 4095) - 1
        if turn < 0 or judge(walk.tables, state, walk.work, turn) != LEGAL:
            return length


@kernel()
def tell(
    moves: Listing,
    play: Playing,
    describe: Describing,
    playout: Listing,
    walk: Walk,
    search: AlphaBeta,
    progress: I8,
    efforts: I8,
    ranked: I8,
    rng: I8,
    counts: I8,
    weights: F8,
    report: Report,
) -> Int:
    """Write the results so far; return the number of turns."""
    for turn in range(TURNS):
        efforts[turn] = search.roots[EFFORT, turn]
    count = rank_turns(search.roots, progress, efforts, ranked)
    if count == 0 and walk.root[WINNER] == 0:
        # Every turn may lose at once, or none has been searched yet.
        count = min(moves(walk.tables, walk.root, walk.work, ranked), 1)
    count = min(count, reports.LISTED)
    report.numbers[reports.COUNT] = count
    for place in range(count):
        turn = ranked[place]
        value = value_of_turn(search.roots, progress, turn)
        result = result_of(value)
        if result == reports.UNPROVEN and turn == progress[FOUND] and progress[EXACT_DRAW] == 1:
            result = reports.DRAWN
        chance = chance_of(value)
        error = error_of(chance, search.roots[GUESS, turn])
        reports.write_move(place, efforts[turn], chance, error, result, report)
        report.values[place] = chance
        report.line[0] = turn
        length = find_line(play, walk, search, report.line)
        reports.write_line(play, describe, walk, place, length, report)
    result = result_of(progress[RESULT])
    if result == reports.UNPROVEN and progress[EXACT_DRAW] == 1:
        result = reports.DRAWN
    if result == reports.LOST and progress[RUNNING] == 1:
        result = reports.UNPROVEN  # turns that are not searched yet may be better
    chance = chance_of(progress[RESULT])
    reports.write_chances(play, walk, search.settings[VISITS], result, chance, report)
    rng[0] = walk.rng[0]
    weigh_cells(playout, walk, rng, counts, weights)
    reports.write_heat(weights, report)
    return count

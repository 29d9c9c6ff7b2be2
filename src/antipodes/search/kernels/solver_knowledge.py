"""Knowledge of a position: solved openings, fill-in and virtual connections, a short proof search.

Positions are filled in first. Results for the filled position hold for the original as well, and a
fuller board has more connections. :mod:`.opening_facts` says what an answer is.
"""

from __future__ import annotations

from antipodes.games.kernels.bits import copy, popcount
from antipodes.games.kernels.header import COLOR, HEADER, KEY, LAST, PLY, SWAP_OPEN
from antipodes.games.kernels.header import WINNER as STATE_WINNER
from antipodes.games.kernels.placement import CELLS, KEYS, NO_SWAPS, SWAP
from antipodes.games.kernels.registry import I8, Int, kernel
from antipodes.search.kernels.cell_sets import add_cell, has_cell
from antipodes.search.kernels.connection import find_sure_win
from antipodes.search.kernels.connection_store import GOALS, STEP_LIMIT, Connections
from antipodes.search.kernels.keyed_rows import KeyedRows, find_row, row_to_write
from antipodes.search.kernels.opening_facts import (
    LIMITED,
    MOVES,
    WINNER,
    Facts,
    clear_answer,
    has_moves,
    query_facts,
)
from antipodes.search.kernels.proof_fill import Graph, Symmetries, fill, find_undominated
from antipodes.search.kernels.proof_nodes import (
    ANSWER,
    EVALUATED,
    MARKS,
    NODE_WINNER,
    Proofs,
    mover_of,
    unpin,
)
from antipodes.search.kernels.proof_nodes import LAST as LAST_EVALUATED
from antipodes.search.kernels.proof_nodes import MOVES as MOVE_COUNT
from antipodes.search.kernels.proof_patterns import Patterns
from antipodes.search.kernels.proof_search import begin_search, go_on
from antipodes.search.kernels.proof_table import INFINITY

# Limits of knowledge. The sufficient moves of positions are keyed rows: a set after each key.
STEPS = 0  # of a search for connections
EFFORT = 1  # positions searched for one query
MOST_MOVES = 2  # beyond which no proof is tried
LIMITS = 3


@kernel()
def is_swap_ahead(tables: I8, state: I8) -> Int:
    """Return 1 if the rules may allow a swap now or after the next move, else 0.

    It may turn a win of a colour over to the opponent.
    """
    may_come = state[PLY] == 0 and tables[SWAP] != NO_SWAPS
    return 1 if may_come or state[SWAP_OPEN] != 0 else 0


@kernel()
def was_broken(tables: I8, sufficient: KeyedRows, state: I8) -> Int:
    """Return 1 if the last move is known to have broken all winning connections, else 0.

    Moves that were returned as sufficient lie in all semi connections of the opponent's goal, and a
    stone makes no new ones for the opponent.
    """
    last = state[LAST]
    if last < 0:
        return 0
    keys = tables[KEYS]
    before = state[KEY] ^ tables[keys + 2 * last + 1 - state[COLOR]]
    row = find_row(sufficient, before ^ tables[keys + 2 * tables[CELLS]])
    return has_cell(sufficient.rows[row][1:], last) if row >= 0 else 0


@kernel()
def query_decided(tables: I8, store: Connections, proofs: Proofs, state: I8, answer: I8) -> Int:
    """Write the answer of a position that fill-in decides, with a move that makes progress."""
    winner = proofs.boards[1][STATE_WINNER]
    clear_answer(answer, winner)
    if winner != 1 + state[COLOR]:
        return 1
    connected = proofs.lists[ANSWER]
    find_sure_win(tables, state, store, 1, connected)
    if connected[0] == winner:
        add_cell(answer[MOVES:], connected[1])
        return 1
    cell = 0
    while state[HEADER + cell] != 0:
        cell += 1
    add_cell(answer[MOVES:], cell)
    return 1


@kernel()
def query_connections(
    tables: I8,
    graph: Graph,
    store: Connections,
    sufficient: KeyedRows,
    limits: I8,
    proofs: Proofs,
    state: I8,
    answer: I8,
) -> Int:
    """Write the answer of fill-in and virtual connections; return whether there is one."""
    clear_answer(answer, 0)
    if is_swap_ahead(tables, state) == 1:
        return 0
    filled = proofs.boards[1]
    copy(state, filled)
    fill(tables, filled, graph)
    store.numbers[STEP_LIMIT] = limits[STEPS]
    if filled[STATE_WINNER] != 0:
        return query_decided(tables, store, proofs, state, answer)
    color = state[COLOR]
    marks = proofs.lists[MARKS]
    find_undominated(tables, filled, graph.rows, graph.killers, color, marks)
    both = 1 - was_broken(tables, sufficient, state)
    connected = proofs.lists[ANSWER]
    find_sure_win(tables, filled, store, both, connected)
    answer[LIMITED] = 1
    if connected[0] == 1 + color:
        answer[WINNER] = connected[0]
        add_cell(answer[MOVES:], connected[1])
        return 1
    for cell in range(tables[CELLS]):
        may_win = connected[0] == 0 and (
            store.numbers[GOALS] == 0 or has_cell(connected[2:], cell) == 1
        )
        if may_win and marks[cell] & 1 == 1:
            add_cell(answer[MOVES:], cell)
    row = row_to_write(sufficient, state[KEY])
    copy(answer[MOVES:], sufficient.rows[row][1:])
    if has_moves(answer) == 0:
        answer[WINNER] = 2 - color
    return 1


@kernel()
def search_proof(
    tables: I8,
    graph: Graph,
    symmetries: Symmetries,
    store: Connections,
    table: KeyedRows,
    patterns: Patterns,
    proofs: Proofs,
    effort: Int,
    state: I8,
    answer: I8,
) -> Int:
    """Improve an answer without a winner by a search of so many positions."""
    if answer[WINNER] != 0:
        return 1
    proofs.numbers[LAST_EVALUATED] = proofs.numbers[EVALUATED] + effort
    root = begin_search(tables, graph, symmetries, store, table, patterns, proofs, state)
    go_on(tables, graph, symmetries, store, table, patterns, proofs, INFINITY)
    winner = proofs.nodes[root, NODE_WINNER]
    count = proofs.nodes[root, MOVE_COUNT]
    is_won = winner == mover_of(proofs, root)
    # Fill-in may have won without naming a move: then the answer stays.
    if not is_won or count > 0:
        clear_answer(answer, winner)
        answer[LIMITED] = 1
        if winner == 0 or is_won:
            for i in range(count):
                add_cell(answer[MOVES:], proofs.moves[root, i])
    unpin(proofs, root)
    return 1


@kernel()
def query(
    tables: I8,
    graph: Graph,
    symmetries: Symmetries,
    store: Connections,
    table: KeyedRows,
    patterns: Patterns,
    proofs: Proofs,
    facts: Facts,
    sufficient: KeyedRows,
    limits: I8,
    state: I8,
    answer: I8,
) -> Int:
    """Write the answer of a state; return whether there is one. The game must not be over."""
    if query_facts(facts, state, answer) == 1:
        return 1
    query_connections(tables, graph, store, sufficient, limits, proofs, state, answer)
    count = 0
    for i in range(MOVES, len(answer)):
        count += popcount(answer[i])
    if count == 0 or count > limits[MOST_MOVES]:
        return answer[LIMITED]
    effort = limits[EFFORT]
    return search_proof(
        tables, graph, symmetries, store, table, patterns, proofs, effort, state, answer
    )


@kernel()
def prove(
    tables: I8,
    graph: Graph,
    symmetries: Symmetries,
    store: Connections,
    table: KeyedRows,
    patterns: Patterns,
    proofs: Proofs,
    facts: Facts,
    sufficient: KeyedRows,
    limits: I8,
    state: I8,
    answer: I8,
    effort: Int,
) -> Int:
    """Write the answer of a state after a search of so many positions, as :func:`query` does."""
    if query_facts(facts, state, answer) == 1:
        return 1
    if query_connections(tables, graph, store, sufficient, limits, proofs, state, answer) == 0:
        return 0
    return search_proof(
        tables, graph, symmetries, store, table, patterns, proofs, effort, state, answer
    )

"""Depth-first proof-number search on reduced positions: see :mod:`antipodes.search.proof.dfpn`."""

from __future__ import annotations

from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import COLOR, SWAP_OPEN, WINNER
from antipodes.games.kernels.placement import play
from antipodes.games.kernels.registry import I8, Int, kernel
from antipodes.search.kernels.cell_sets import add_cell, move_set
from antipodes.search.kernels.connection import (
    find_sure_win,
    list_goal_rows,
    list_winning_rows,
)
from antipodes.search.kernels.connection_store import STEP_LIMIT, Connections
from antipodes.search.kernels.convolution import evaluate_position
from antipodes.search.kernels.exponentials import exp
from antipodes.search.kernels.keyed_rows import KeyedRows, find_row
from antipodes.search.kernels.network_inputs import write_inputs
from antipodes.search.kernels.proof_currents import find_currents
from antipodes.search.kernels.proof_fill import (
    AHEAD,
    AHEAD_KEY,
    AHEAD_SYMMETRY,
    AHEAD_WINNER,
    Graph,
    Symmetries,
    fill,
    find_undominated,
    graph_key,
    key_of_turn,
    look_ahead,
)
from antipodes.search.kernels.proof_nodes import (
    ANSWER,
    BEGAN,
    BEST,
    CARRIER,
    COUNTED,
    DEPTH,
    DISPROOF,
    DISPROOF_BOUND,
    EVALUATED,
    FOUND,
    INFOS,
    KEY,
    LAST,
    MARKS,
    MATCHED,
    MOVE,
    MOVES,
    NODE_WINNER,
    PINS,
    PROOF,
    PROOF_BOUND,
    REDUCED,
    ROWS,
    SECOND,
    SLOT,
    STEPS,
    STOPPED,
    SYMMETRY,
    WORKED,
    Proofs,
    add_refutation,
    find_kept,
    keep,
    keep_moves,
    link,
    mover_of,
    new_slot,
    order_moves,
    take_moves,
    unlink,
    unpin,
)
from antipodes.search.kernels.proof_patterns import Patterns, add_pattern, find_patterns
from antipodes.search.kernels.proof_table import CARRIER as TABLE_CARRIER
from antipodes.search.kernels.proof_table import DISPROOF as TABLE_DISPROOF
from antipodes.search.kernels.proof_table import INFINITY, WORK, put_entry
from antipodes.search.kernels.proof_table import PROOF as TABLE_PROOF

WIDTH = 2  # moves that are searched at least
SHARED = 4  # one in so many of the remaining moves is searched in addition
SHARED_GUIDED = 7  # where the network's policy helps to order them
REST = 2  # disproof number of each further move
SLACK = 0.25  # above the second-best child's number

PAUSED = 1  # results of a run
ENDED = 0


@kernel()
def searched_of(proofs: Proofs, count: Int) -> Int:
    """Return how many of so many moves are searched at first."""
    shared = SHARED if len(proofs.network.policy) == 0 else SHARED_GUIDED
    return min(WIDTH + count // shared, count)


@kernel()
def match_patterns(
    tables: I8, symmetries: Symmetries, patterns: Patterns, proofs: Proofs, slot: Int
) -> Int:
    """Apply the patterns of the opponent that were not compared with a node yet."""
    node = proofs.nodes[slot]
    state = proofs.states[slot]
    added = patterns.counts[1 - state[COLOR]]
    if added == node[MATCHED] or node[NODE_WINNER] != 0:
        return 0
    moves = patterns.moves
    for w in range(len(moves)):
        moves[w] = 0
    for i in range(node[MOVES]):
        add_cell(moves, proofs.moves[slot, i])
    count = find_patterns(tables, state, symmetries.images, patterns, node[MATCHED])
    node[MATCHED] = added
    for i in range(count):
        add_refutation(proofs, slot, patterns.carriers[i])
    if count > 0:
        keep_moves(proofs, slot, moves, -1)
    return count


@kernel()
def connect(tables: I8, store: Connections, proofs: Proofs, slot: Int, both: Int) -> Int:
    """Apply virtual connections to a node: a winner, or fewer moves."""
    state = proofs.states[slot]
    if state[SWAP_OPEN] != 0:
        return 0
    answer = proofs.lists[ANSWER]
    rows = proofs.lists[ROWS]
    carriers = proofs.carriers
    store.numbers[STEP_LIMIT] = proofs.numbers[STEPS]
    find_sure_win(tables, state, store, both, answer)
    if answer[0] == 0:
        count = list_goal_rows(store, rows, carriers)
        for i in range(count):
            add_refutation(proofs, slot, carriers[i])
        keep_moves(proofs, slot, answer[2:], -1)
        return 0
    count = list_winning_rows(store, rows, carriers, proofs.lists[MARKS])
    proofs.nodes[slot, NODE_WINNER] = answer[0]
    for i in range(count):
        for w in range(carriers.shape[1]):
            proofs.sets[slot, CARRIER, w] |= carriers[i, w]
    proofs.nodes[slot, MOVES] = 0
    if answer[1] >= 0:
        proofs.nodes[slot, MOVES] = 1
        proofs.moves[slot, 0] = answer[1]
    return answer[0]


@kernel()
def apply_move(
    table: KeyedRows, symmetries: Symmetries, proofs: Proofs, slot: Int, move: Int
) -> Int:
    """Apply the result of a move to its node: a win, or a refutation."""
    node = proofs.nodes[slot]
    moves = proofs.moves[slot]
    info = proofs.infos[slot, proofs.places[slot, move] - 1]
    carrier = proofs.cells[FOUND]
    words = len(carrier)
    mover = mover_of(proofs, slot)
    winner = info[REDUCED + AHEAD_WINNER]
    for w in range(words):
        carrier[w] = 0
    if winner == 0:
        is_open = 1
        for i in range(node[MOVES]):
            if moves[i] == move:
                is_open = 0
        row = find_row(table, info[REDUCED + AHEAD_KEY])
        if is_open == 1 or row < 0:
            return 0
        entry = table.rows[row]
        if entry[TABLE_PROOF] != 0 and entry[TABLE_DISPROOF] != 0:
            return 0
        winner = 3 - mover if entry[TABLE_PROOF] == 0 else mover
        images = symmetries.images
        move_set(entry[TABLE_CARRIER:], images, info[REDUCED + AHEAD_SYMMETRY], 1, carrier)
    # The cells that fill-in gave to the winner are empty on the board, and its win uses them.
    for w in range(words):
        carrier[w] |= info[REDUCED + AHEAD + (winner - 1) * words + w]
    if winner == mover:
        add_cell(carrier, move)
        copy(carrier, proofs.sets[slot, CARRIER])
        node[NODE_WINNER] = winner
        node[MOVES] = 1
        moves[0] = move
    elif node[NODE_WINNER] == 0:
        # Must-play reduction: in the carrier the opponent wins whatever stands elsewhere, so moves
        # outside it lose too.
        add_refutation(proofs, slot, carrier)
        keep_moves(proofs, slot, carrier, move)
    return winner


@kernel()
def update(
    tables: I8,
    graph: Graph,
    symmetries: Symmetries,
    table: KeyedRows,
    proofs: Proofs,
    slot: Int,
) -> Int:
    """Apply the results of the searched moves; further moves replace refuted ones."""
    node = proofs.nodes[slot]
    counted = proofs.lists[COUNTED]
    before = 0
    while node[NODE_WINNER] == 0 and before != node[MOVES]:
        before = node[MOVES]
        count = searched_of(proofs, before)
        for i in range(count):
            move = proofs.moves[slot, i]
            counted[i] = move
            if proofs.places[slot, move] == 0:
                info = proofs.infos[slot, node[INFOS]]
                node[INFOS] += 1
                proofs.places[slot, move] = node[INFOS]
                info[MOVE] = move
                state = proofs.states[slot]
                look_ahead(tables, state, graph, symmetries, move, proofs.boards[1], info[REDUCED:])
        for i in range(count):
            apply_move(table, symmetries, proofs, slot, counted[i])
    return node[NODE_WINNER]


@kernel()
def store_proven(table: KeyedRows, symmetries: Symmetries, proofs: Proofs, slot: Int) -> Int:
    """Store a proven node in the table."""
    node = proofs.nodes[slot]
    key = node[KEY]
    if key == 0:
        return 0
    before = find_row(table, key)
    work = table.rows[before, WORK] if before >= 0 else 1
    is_won = node[NODE_WINNER] == mover_of(proofs, slot)
    row = put_entry(table, key, 0 if is_won else INFINITY, INFINITY if is_won else 0, work)
    entry = table.rows[row]
    carrier = proofs.sets[slot, CARRIER]
    move_set(carrier, symmetries.images, node[SYMMETRY], 0, entry[TABLE_CARRIER:])
    return 0


@kernel()
def sum_up(table: KeyedRows, proofs: Proofs, slot: Int) -> Int:
    """Write proof and disproof number, the move to search next, and the second-lowest disproof."""
    numbers = proofs.numbers
    moves = proofs.moves[slot]
    count = searched_of(proofs, proofs.nodes[slot, MOVES])
    lowest = INFINITY
    second = INFINITY
    best = -1
    # Moves that are not searched yet count a little, or a node with many of them would seem almost
    # lost.
    total = REST * (proofs.nodes[slot, MOVES] - count)
    for i in range(count):
        key = key_of_move(proofs, slot, moves[i])
        is_new = 1
        for j in range(i):
            if key_of_move(proofs, slot, moves[j]) == key:
                is_new = 0  # symmetric to another move
                break
        if is_new == 0:
            continue
        row = find_row(table, key)
        proof = table.rows[row, TABLE_PROOF] if row >= 0 else 1
        disproof = table.rows[row, TABLE_DISPROOF] if row >= 0 else 1
        # Only a proof makes a number infinite.
        total = min(total + proof, INFINITY - 1)
        if disproof < lowest:
            second = lowest
            lowest = disproof
            best = moves[i]
        elif disproof < second:
            second = disproof
    numbers[PROOF] = lowest
    numbers[DISPROOF] = total
    numbers[BEST] = best
    numbers[SECOND] = second
    return best


@kernel()
def key_of_move(proofs: Proofs, slot: Int, move: Int) -> Int:
    """Return the key of the reduced position after a searched move."""
    return proofs.infos[slot, proofs.places[slot, move] - 1, REDUCED + AHEAD_KEY]


@kernel()
def weigh_by_policy(tables: I8, proofs: Proofs, slot: Int) -> Int:
    """Multiply the currents by the chances that the network's policy gives the moves."""
    if len(proofs.network.policy) == 0 or proofs.nodes[slot, MOVES] < 2:
        return 0
    state = proofs.states[slot]
    frame = proofs.inputs.frames[state[COLOR]]
    planes = proofs.inputs.planes[0]
    write_inputs(tables, state, proofs.inputs.scratch, proofs.inputs.goals, frame, planes)
    evaluate_position(proofs.network, proofs.activations, planes, proofs.policy)
    currents = proofs.currents[1]
    for i in range(proofs.nodes[slot, MOVES]):
        move = proofs.moves[slot, i]
        currents[move] *= exp(float(proofs.policy[frame[move]]))
    return 0


@kernel()
def evaluate(
    tables: I8,
    graph: Graph,
    symmetries: Symmetries,
    store: Connections,
    table: KeyedRows,
    patterns: Patterns,
    proofs: Proofs,
    key: Int,
    symmetry: Int,
    both: Int,
) -> Int:
    """Return the evaluated node of the position that was just filled in, ``boards[0]``, pinned.

    Unless ``both`` is 1, virtual connections of the side to move are not looked for: the last move
    has broken those of its goal.
    """
    state = proofs.boards[0]
    known = find_kept(proofs, key)
    if known >= 0 and is_same(proofs.states[known], state) == 1:
        unlink(proofs, known)
        link(proofs, known)
        proofs.nodes[known, PINS] += 1
        return known
    proofs.numbers[EVALUATED] += 1
    slot = new_slot(proofs)
    node = proofs.nodes[slot]
    copy(state, proofs.states[slot])
    node[KEY] = key
    node[SYMMETRY] = symmetry
    marks = proofs.lists[MARKS]
    find_undominated(tables, state, graph.rows, graph.killers, state[COLOR], marks)
    take_moves(proofs, slot, marks)
    match_patterns(tables, symmetries, patterns, proofs, slot)
    if node[NODE_WINNER] == 0:
        currents = proofs.currents
        inner = proofs.lists[ROWS]
        find_currents(graph.rows, inner, proofs.circuit, currents[0], currents[1])
        connect(tables, store, proofs, slot, both)
        weigh_by_policy(tables, proofs, slot)
        order_moves(proofs, slot)
        update(tables, graph, symmetries, table, proofs, slot)
    if node[NODE_WINNER] != 0:
        store_proven(table, symmetries, proofs, slot)
    keep(proofs, slot, known)
    return slot


@kernel("i8(i8[::1], i8[::1])")
def is_same(one, other):
    """Return 1 if two arrays have the same numbers, else 0."""
    for i in range(len(one)):
        if one[i] != other[i]:
            return 0
    return 1


@kernel()
def node_of(
    tables: I8,
    graph: Graph,
    symmetries: Symmetries,
    store: Connections,
    table: KeyedRows,
    patterns: Patterns,
    proofs: Proofs,
    state: I8,
) -> Int:
    """Return the evaluated node of a position, pinned; it need not be filled in."""
    filled = proofs.boards[0]
    copy(state, filled)
    fill(tables, filled, graph)
    if filled[WINNER] != 0:
        slot = new_slot(proofs)
        copy(filled, proofs.states[slot])
        proofs.nodes[slot, NODE_WINNER] = filled[WINNER]
        return slot
    key = key_of_turn(graph_key(graph.rows, symmetries), filled[COLOR])
    symmetry = symmetries.edges[0]
    return evaluate(tables, graph, symmetries, store, table, patterns, proofs, key, symmetry, 1)


@kernel()
def child_of(
    tables: I8,
    graph: Graph,
    symmetries: Symmetries,
    store: Connections,
    table: KeyedRows,
    patterns: Patterns,
    proofs: Proofs,
    slot: Int,
    move: Int,
) -> Int:
    """Return the evaluated node after a searched move of another one, pinned."""
    state = proofs.boards[0]
    copy(proofs.states[slot], state)
    play(tables, state, proofs.work, move)
    state[SWAP_OPEN] = 0
    fill(tables, state, graph)
    info = proofs.infos[slot, proofs.places[slot, move] - 1]
    key = info[REDUCED + AHEAD_KEY]
    symmetry = info[REDUCED + AHEAD_SYMMETRY]
    # A node's moves break all connections of the opponent's goal, so there are none now.
    return evaluate(tables, graph, symmetries, store, table, patterns, proofs, key, symmetry, 0)


@kernel()
def enter(
    tables: I8,
    symmetries: Symmetries,
    table: KeyedRows,
    patterns: Patterns,
    proofs: Proofs,
    slot: Int,
    proof_bound: Int,
    disproof_bound: Int,
) -> Int:
    """Go down to a node, to search below it until one of its numbers reaches its bound."""
    frame = proofs.frames[proofs.numbers[DEPTH]]
    proofs.numbers[DEPTH] += 1
    row = find_row(table, proofs.nodes[slot, KEY])
    frame[SLOT] = slot
    frame[PROOF_BOUND] = proof_bound
    frame[DISPROOF_BOUND] = disproof_bound
    frame[BEGAN] = proofs.numbers[EVALUATED]
    frame[WORKED] = table.rows[row, WORK] if row >= 0 else 0
    return match_patterns(tables, symmetries, patterns, proofs, slot)


@kernel()
def leave(proofs: Proofs) -> Int:
    """Go up from a node; return the depth."""
    proofs.numbers[DEPTH] -= 1
    unpin(proofs, proofs.frames[proofs.numbers[DEPTH], SLOT])
    return proofs.numbers[DEPTH]


@kernel()
def begin_search(
    tables: I8,
    graph: Graph,
    symmetries: Symmetries,
    store: Connections,
    table: KeyedRows,
    patterns: Patterns,
    proofs: Proofs,
    state: I8,
) -> Int:
    """Prepare to search a position; return its node, pinned."""
    proofs.numbers[STOPPED] = 0
    root = node_of(tables, graph, symmetries, store, table, patterns, proofs, state)
    if proofs.nodes[root, NODE_WINNER] == 0:
        proofs.nodes[root, PINS] += 1
        enter(tables, symmetries, table, patterns, proofs, root, INFINITY, INFINITY)
    return root


@kernel()
def is_bounded(
    tables: I8,
    graph: Graph,
    symmetries: Symmetries,
    table: KeyedRows,
    patterns: Patterns,
    proofs: Proofs,
) -> Int:
    """Update the last node on the way down; return 1 if its search ends."""
    numbers = proofs.numbers
    frame = proofs.frames[numbers[DEPTH] - 1]
    slot = frame[SLOT]
    winner = update(tables, graph, symmetries, table, proofs, slot)
    if winner != 0:
        store_proven(table, symmetries, proofs, slot)
        if winner == mover_of(proofs, slot):
            state = proofs.states[slot]
            add_pattern(tables, state, proofs.sets[slot, CARRIER], patterns)
        return 1
    sum_up(table, proofs, slot)
    work = numbers[EVALUATED] - frame[BEGAN] + frame[WORKED]
    proof = numbers[PROOF]
    disproof = numbers[DISPROOF]
    put_entry(table, proofs.nodes[slot, KEY], proof, disproof, work + 1)
    if proof >= frame[PROOF_BOUND] or disproof >= frame[DISPROOF_BOUND]:
        return 1
    return numbers[STOPPED]


@kernel()
def go_on(
    tables: I8,
    graph: Graph,
    symmetries: Symmetries,
    store: Connections,
    table: KeyedRows,
    patterns: Patterns,
    proofs: Proofs,
    most: Int,
) -> Int:
    """Continue a search for so many steps; return ``ENDED``, or ``PAUSED`` before another step."""
    numbers = proofs.numbers
    while numbers[DEPTH] > 0:
        frame = proofs.frames[numbers[DEPTH] - 1]
        if is_bounded(tables, graph, symmetries, table, patterns, proofs) == 1:
            leave(proofs)
            continue
        if most <= 0:
            return PAUSED
        most -= 1
        if numbers[EVALUATED] >= numbers[LAST]:
            numbers[STOPPED] = 1
            leave(proofs)
            continue
        slot = frame[SLOT]
        best = numbers[BEST]
        # The child's proof number is a summand of this disproof number, and its disproof number is
        # this proof number. It is searched until this node reaches a bound or the second-best move
        # is clearly better: without that slack df-pn would jump between equal moves. Stones stay,
        # so no line of moves repeats a position, and cycles need no care.
        row = find_row(table, key_of_move(proofs, slot, best))
        proof = table.rows[row, TABLE_PROOF] if row >= 0 else 1
        second = numbers[SECOND]
        proof_bound = min(frame[DISPROOF_BOUND] - numbers[DISPROOF] + proof, INFINITY)
        disproof_bound = min(frame[PROOF_BOUND], second + 1 + int(second * SLACK))
        child = child_of(tables, graph, symmetries, store, table, patterns, proofs, slot, best)
        if proofs.nodes[child, NODE_WINNER] != 0:
            unpin(proofs, child)
            continue
        enter(tables, symmetries, table, patterns, proofs, child, proof_bound, disproof_bound)
    return ENDED


@kernel()
def abandon(proofs: Proofs) -> Int:
    """End a run where it is."""
    while proofs.numbers[DEPTH] > 0:
        leave(proofs)
    return 0


@kernel()
def revise(
    tables: I8,
    graph: Graph,
    symmetries: Symmetries,
    store: Connections,
    table: KeyedRows,
    patterns: Patterns,
    proofs: Proofs,
    slot: Int,
    work: Int,
) -> Int:
    """Apply the table to a node after so many positions below; return whether it is proven."""
    node = proofs.nodes[slot]
    row = find_row(table, node[KEY])
    before = 0
    if row >= 0:
        entry = table.rows[row]
        before = entry[WORK]
        if entry[TABLE_PROOF] == 0 or entry[TABLE_DISPROOF] == 0:
            mover = mover_of(proofs, slot)
            node[NODE_WINNER] = mover if entry[TABLE_PROOF] == 0 else 3 - mover
            carrier = proofs.sets[slot, CARRIER]
            move_set(entry[TABLE_CARRIER:], symmetries.images, node[SYMMETRY], 1, carrier)
            return 1
    if update(tables, graph, symmetries, table, proofs, slot) != 0:
        store_proven(table, symmetries, proofs, slot)
        return 1
    sum_up(table, proofs, slot)
    put_entry(table, node[KEY], proofs.numbers[PROOF], proofs.numbers[DISPROOF], work + before)
    return 0

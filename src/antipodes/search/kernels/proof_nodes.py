"""Nodes of a proof search: evaluated positions, of which those that were used last are kept.

A node is a *slot* of the arrays. It stays while it is kept or pinned: a pin is a place on the way
down from the root, or a reference of Python. A kept node is found by the key of its reduced graph.
"""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np
import numpy.typing as npt

from antipodes.games.kernels.bits import copy
from antipodes.games.kernels.header import COLOR
from antipodes.games.kernels.registry import F4, F8_2, I4_2, I8, I8_2, Int, kernel
from antipodes.search.kernels.cell_sets import (
    LEFT_OUT,
    UNTRIED,
    add_cell,
    empty_cells,
    has_cell,
    leave_out,
)
from antipodes.search.kernels.convolution import Activations, Weights
from antipodes.search.kernels.network_inputs import Inputs

I8_3 = Annotated[npt.NDArray[np.int64], "i8[:,:,::1]"]

# Numbers of a search. Slots are counted from 1 in links, so that 0 is none.
EVALUATED = 0  # positions
LAST = 1  # count of positions at which a run ends
STOPPED = 2  # 1 while a run ends early
DEPTH = 3  # nodes on the way down
USED = 4  # slots that have been used
FREE = 5  # first one that is free again
NEWEST = 6  # kept node
OLDEST = 7
KEPT = 8  # nodes
MOST_KEPT = 9
STEPS = 10  # of a search for connections
PROOF = 11  # of the node that was looked at last
DISPROOF = 12
BEST = 13  # move to search next
SECOND = 14  # second-lowest disproof number of a move
NUMBERS = 15

# Columns of nodes.
KEY = 0
SYMMETRY = 1  # maps the position to the frame of the key
NODE_WINNER = 2  # 1 Black, 2 White, 0 unknown
MATCHED = 3  # patterns of the opponent that were compared with the position
MOVES = 4  # how many there are
INFOS = 5
REFUTATIONS = 6
PINS = 7
IS_KEPT = 8
NEWER = 9  # kept node
OLDER = 10
FOLLOWING = 11  # node in the same bucket, or free slot
NODE_COLUMNS = 12

# Sets of a node.
CARRIER = 0  # of the winner, once it is known
SUBSTITUTES = 1  # cells that dominate moves left out; refutations of these may need them
NODE_SETS = 2

# Columns of the position after a move.
MOVE = 0
REDUCED = 1  # the columns of a look ahead begin here

# Columns of the way down.
SLOT = 0
PROOF_BOUND = 1
DISPROOF_BOUND = 2
BEGAN = 3  # positions evaluated before
WORKED = 4  # before
FRAME = 5

# Scratch: lists of numbers, and sets of cells.
COUNTED = 0  # moves
MARKS = 1  # of cells, or of sets
ROWS = 2  # of connections, or cells of a circuit
ANSWER = 3  # of a search for connections
STACK = 4  # of cells
LISTS = 5
FOUND = 0
MASK = 1
BASE = 2
SETS = 3


class Proofs(NamedTuple):
    """The arrays of a proof search but its table and the reduced graph.

    Attributes:
        numbers: of the search.
        frames: nodes on the way down from the root.
        nodes: columns of each slot.
        states: of each slot, filled in.
        sets: of each slot.
        moves: of each slot: those that may win, the most urgent first.
        infos: of each slot: reduced positions after moves, in the order in which they were needed.
        places: of each slot: 1 + the info of a move, or 0.
        refutations: of each slot: sets of cells with which the opponent refutes all moves outside.
        buckets: nodes by their keys; a power of two.
        boards: scratch for two positions.
        work: scratch of the rules.
        lists: scratch.
        cells: scratch for sets of cells.
        carriers: scratch for more of them.
        circuit: scratch for currents.
        currents: scratch, and how urgent each cell is.
        network: whose policy helps to order moves; without channels if the board has none.
        activations: scratch for it.
        inputs: scratch for its inputs, those of one position.
        policy: scratch for the logits of the cells.
    """

    numbers: I8
    frames: I8_2
    nodes: I8_2
    states: I8_2
    sets: I8_3
    moves: I8_2
    infos: I8_3
    places: I4_2
    refutations: I8_3
    buckets: I8
    boards: I8_2
    work: I8
    lists: I8_2
    cells: I8_2
    carriers: I8_2
    circuit: F8_2
    currents: F8_2
    network: Weights
    activations: Activations
    inputs: Inputs
    policy: F4


@kernel()
def new_slot(proofs: Proofs) -> Int:
    """Return an empty slot with one pin, of the owner that asked for it."""
    numbers = proofs.numbers
    slot = numbers[FREE] - 1
    if slot >= 0:
        numbers[FREE] = proofs.nodes[slot, FOLLOWING]
    else:
        slot = numbers[USED]
        numbers[USED] += 1
    for column in range(NODE_COLUMNS):
        proofs.nodes[slot, column] = 0
    for cell in range(proofs.places.shape[1]):
        proofs.places[slot, cell] = 0
    for w in range(proofs.sets.shape[2]):
        proofs.sets[slot, CARRIER, w] = 0
        proofs.sets[slot, SUBSTITUTES, w] = 0
    proofs.nodes[slot, PINS] = 1
    return slot


@kernel()
def free_unless_used(proofs: Proofs, slot: Int) -> Int:
    """Free a slot if it is neither kept nor pinned."""
    if proofs.nodes[slot, IS_KEPT] == 0 and proofs.nodes[slot, PINS] == 0:
        proofs.nodes[slot, FOLLOWING] = proofs.numbers[FREE]
        proofs.numbers[FREE] = 1 + slot
    return 0


@kernel()
def unpin(proofs: Proofs, slot: Int) -> Int:
    """Remove a pin."""
    proofs.nodes[slot, PINS] -= 1
    return free_unless_used(proofs, slot)


@kernel("i8(i8, i8)")
def bucket_of(key, count):
    """Return the bucket of a key."""
    return (key ^ (key >> 32)) & (count - 1)


@kernel()
def find_kept(proofs: Proofs, key: Int) -> Int:
    """Return the kept node with a key, or -1."""
    slot = proofs.buckets[bucket_of(key, len(proofs.buckets))] - 1
    while slot >= 0 and proofs.nodes[slot, KEY] != key:
        slot = proofs.nodes[slot, FOLLOWING] - 1
    return slot


@kernel()
def link(proofs: Proofs, slot: Int) -> Int:
    """Make a node the newest one."""
    nodes = proofs.nodes
    numbers = proofs.numbers
    newest = numbers[NEWEST]
    nodes[slot, OLDER] = newest
    nodes[slot, NEWER] = 0
    if newest > 0:
        nodes[newest - 1, NEWER] = 1 + slot
    else:
        numbers[OLDEST] = 1 + slot
    numbers[NEWEST] = 1 + slot
    return 0


@kernel()
def unlink(proofs: Proofs, slot: Int) -> Int:
    """Take a node out of the order of use."""
    nodes = proofs.nodes
    newer = nodes[slot, NEWER]
    older = nodes[slot, OLDER]
    if newer > 0:
        nodes[newer - 1, OLDER] = older
    else:
        proofs.numbers[NEWEST] = older
    if older > 0:
        nodes[older - 1, NEWER] = newer
    else:
        proofs.numbers[OLDEST] = newer
    return 0


@kernel()
def replace_in_bucket(proofs: Proofs, slot: Int, other: Int) -> Int:
    """Put another link in the place of a kept node in its bucket."""
    nodes = proofs.nodes
    bucket = bucket_of(nodes[slot, KEY], len(proofs.buckets))
    before = proofs.buckets[bucket] - 1
    if before == slot:
        proofs.buckets[bucket] = other
        return 0
    while nodes[before, FOLLOWING] - 1 != slot:
        before = nodes[before, FOLLOWING] - 1
    nodes[before, FOLLOWING] = other
    return 0


@kernel()
def replace_kept(proofs: Proofs, slot: Int, old: Int) -> Int:
    """Keep a node in place of another one with its key."""
    nodes = proofs.nodes
    replace_in_bucket(proofs, old, 1 + slot)
    nodes[slot, FOLLOWING] = nodes[old, FOLLOWING]
    nodes[slot, NEWER] = nodes[old, NEWER]
    nodes[slot, OLDER] = nodes[old, OLDER]
    if nodes[slot, NEWER] > 0:
        nodes[nodes[slot, NEWER] - 1, OLDER] = 1 + slot
    else:
        proofs.numbers[NEWEST] = 1 + slot
    if nodes[slot, OLDER] > 0:
        nodes[nodes[slot, OLDER] - 1, NEWER] = 1 + slot
    else:
        proofs.numbers[OLDEST] = 1 + slot
    nodes[slot, IS_KEPT] = 1
    nodes[old, IS_KEPT] = 0
    return free_unless_used(proofs, old)


@kernel()
def keep(proofs: Proofs, slot: Int, old: Int) -> Int:
    """Keep a node, in place of an old one with its key unless that is -1; forget the oldest."""
    nodes = proofs.nodes
    numbers = proofs.numbers
    if old >= 0:
        return replace_kept(proofs, slot, old)
    bucket = bucket_of(nodes[slot, KEY], len(proofs.buckets))
    nodes[slot, FOLLOWING] = proofs.buckets[bucket]
    proofs.buckets[bucket] = 1 + slot
    nodes[slot, IS_KEPT] = 1
    link(proofs, slot)
    numbers[KEPT] += 1
    if numbers[KEPT] > numbers[MOST_KEPT]:
        oldest = numbers[OLDEST] - 1
        unlink(proofs, oldest)
        replace_in_bucket(proofs, oldest, nodes[oldest, FOLLOWING])
        nodes[oldest, IS_KEPT] = 0
        numbers[KEPT] -= 1
        free_unless_used(proofs, oldest)
    return 0


@kernel()
def mover_of(proofs: Proofs, slot: Int) -> Int:
    """Return 1 if Black is to move, 2 if White is."""
    return proofs.states[slot, COLOR] + 1


@kernel()
def add_refutation(proofs: Proofs, slot: Int, cells: I8) -> Int:
    """Add a set of cells with which the opponent refutes all moves outside."""
    count = proofs.nodes[slot, REFUTATIONS]
    copy(cells, proofs.refutations[slot, count])
    proofs.nodes[slot, REFUTATIONS] = count + 1
    return 0


@kernel()
def keep_moves(proofs: Proofs, slot: Int, inside: I8, without: Int) -> Int:
    """Keep the moves of a node inside a set, without one; without any the opponent wins."""
    moves = proofs.moves[slot]
    count = 0
    for i in range(proofs.nodes[slot, MOVES]):
        if moves[i] != without and has_cell(inside, moves[i]) == 1:
            moves[count] = moves[i]
            count += 1
    proofs.nodes[slot, MOVES] = count
    if count == 0:
        proofs.nodes[slot, NODE_WINNER] = 3 - mover_of(proofs, slot)
        unite_refutations(proofs, slot)
    return count


@kernel()
def unite_refutations(proofs: Proofs, slot: Int) -> Int:
    """Make the union of few refutations without a common move the carrier of a node."""
    refutations = proofs.refutations[slot]
    carrier = proofs.sets[slot, CARRIER]
    marks = proofs.lists[MARKS]
    count = proofs.nodes[slot, REFUTATIONS]
    empty = proofs.cells[MASK]
    empty_cells(proofs.states[slot], proofs.places.shape[1], empty)
    for i in range(count):
        marks[i] = UNTRIED
        for j in range(i):
            equal = 1
            for w in range(len(carrier)):
                if refutations[i, w] != refutations[j, w]:
                    equal = 0
            if equal == 1:
                marks[i] = LEFT_OUT
                break
    leave_out(refutations, count, empty, 1, marks)
    shared = 0
    for w in range(len(carrier)):
        carrier[w] = 0
        common = empty[w]
        for i in range(count):
            common &= refutations[i, w]
            if marks[i] != LEFT_OUT:
                carrier[w] |= refutations[i, w]
        shared |= common
    # A move in all carriers is refuted by none of them: it was left out for another that dominates
    # it, and is refuted with the cells of that one.
    if shared != 0:
        for w in range(len(carrier)):
            carrier[w] |= proofs.sets[slot, SUBSTITUTES, w]
    return 0


@kernel()
def take_moves(proofs: Proofs, slot: Int, marks: I8) -> Int:
    """Take the moves that no other one dominates, and those that dominate others, from marks."""
    count = 0
    for cell in range(proofs.places.shape[1]):
        if marks[cell] & 1 == 1:
            proofs.moves[slot, count] = cell
            count += 1
        if marks[cell] & 2 == 2:
            add_cell(proofs.sets[slot, SUBSTITUTES], cell)
    proofs.nodes[slot, MOVES] = count
    return count


@kernel()
def order_moves(proofs: Proofs, slot: Int) -> Int:
    """Order the moves, the most urgent first; equal ones stay in their order."""
    moves = proofs.moves[slot]
    currents = proofs.currents[1]
    for i in range(1, proofs.nodes[slot, MOVES]):
        move = moves[i]
        place = i
        while place > 0 and currents[moves[place - 1]] < currents[move]:
            moves[place] = moves[place - 1]
            place -= 1
        moves[place] = move
    return 0

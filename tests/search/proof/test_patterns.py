"""Carriers of proven positions, and the patterns that they become, compared with brute force."""

import random

import numpy as np
import pytest

from antipodes.games.kernels import edition, header, native
from antipodes.search.kernels import cell_sets, proof_currents, proof_patterns
from antipodes.search.proof.dfpn import DfpnSearch, common, few_with_common, new_patterns
from antipodes.search.proof.reduction import Reducer, joined, split
from antipodes.search.proof.table import ProofTable
from tests.search.proof.brute_force import BOARDS, after, endings, game_of, winner_of
from tests.thorough import repetitions, sample


def empty_cells(game, state):
    owners = state[header.HEADER : header.HEADER + game.topology.cell_count]
    return np.flatnonzero(owners == 0).tolist()


def set_of(cells):
    return sum(1 << cell for cell in cells)


class Store:
    """The patterns of both colours."""

    def __init__(self, game, capacity=64):
        reducer = Reducer(game)
        self.tables, self.images = game.tables, reducer.symmetries.images
        self.patterns = new_patterns(game, reducer, capacity)

    def add(self, state, carrier):
        """Add the pattern of a position that the side to move wins."""
        words = np.array(split(carrier, len(self.patterns.moves)), np.int64)
        edition(proof_patterns, "add_pattern")(self.tables, state, words, self.patterns)

    def find(self, state, moves, first=0):
        """Return the carriers of patterns that refute moves of the side to move."""
        self.patterns.moves[:] = split(moves, len(self.patterns.moves))
        find = edition(proof_patterns, "find_patterns")
        count = find(self.tables, state, self.images, self.patterns, first)
        return [joined(words) for words in self.patterns.carriers[:count].tolist()]


def currents_of(rows):
    """Return the currents in a reduced graph."""
    cells = len(rows) - 2
    inner, out = np.zeros(cells, np.int64), np.zeros((2, cells))
    edition(proof_currents, "find_currents")(rows, inner, np.zeros((cells, cells)), *out)
    return out[1]


def searched(game, empty, count, seed):
    """Yield states of endings, filled in, with their proven nodes."""
    search = DfpnSearch(game, ProofTable(16))
    for state in endings(game, empty, count, seed=seed):
        node = search.run(state)
        if node.key:
            yield node


@pytest.mark.parametrize(("game_id", "options", "empty"), sample(BOARDS, 4))
def test_a_winner_needs_only_the_carrier(game_id, options, empty):
    game = game_of(game_id, options)
    known: dict[object, int] = {}
    for node in searched(game, empty, repetitions(8, 40), seed=11):
        state = node.state.copy()
        for cell in empty_cells(game, state):
            if not node.carrier >> cell & 1:
                state[header.HEADER + cell] = 3 - node.winner
        game.rules.rebuild(game.tables, state, game.work())
        assert winner_of(game, state, known) == node.winner


@pytest.mark.parametrize(("game_id", "options", "empty"), sample(BOARDS, 4))
def test_patterns_of_some_positions_refute_moves_in_others(game_id, options, empty):
    game = game_of(game_id, options)
    store = Store(game)
    nodes = list(searched(game, empty, repetitions(30, 100), seed=12))
    for node in nodes:
        if node.winner == node.mover:
            store.add(node.state, node.carrier)
    known: dict[object, int] = {}
    refuted = 0
    others = list(endings(game, empty - 1, repetitions(10, 60), seed=13))
    for node in nodes[:10]:
        others.append(node.state.copy())
        others[-1][header.COLOR] = 2 - node.mover  # as if a move had been left out
    for state in others:
        color = int(state[header.COLOR])
        moves = empty_cells(game, state)
        carriers = store.find(state, set_of(moves))
        for move in moves:
            if not common(carriers) >> move & 1:
                assert winner_of(game, after(game, state, move), known) == 2 - color
                refuted += 1
    assert refuted


def test_full_patterns_forget_the_older_ones():
    game = game_of("hex", {"size": 4, "swap": "off"})
    store = Store(game, capacity=4)
    state = game.initial().kernel_state.copy()
    for cell in range(7):
        store.add(state, 1 << cell)
    store.add(state, 1 << 6)
    assert store.patterns.counts.tolist() == [7, 0, 4, 0]
    state[header.COLOR] = 1
    assert store.find(state, (1 << 16) - 1, 7) == []
    assert store.find(state, (1 << 16) - 1)[0] == 1 << 6


def test_patterns_and_currents_are_the_same_in_both_editions():
    game = game_of("antipod", {"side": 3})
    reducer = Reducer(game)
    states = [node.state for node in searched(game, 12, 4, seed=14)]
    results = []
    for is_plain in (False, True):
        store = Store(game)
        with native.plainly(is_plain):
            for state in states:
                store.add(state, set_of(empty_cells(game, state)[::2]))
            for state in states:
                reducer.fill_in(state)
                currents = currents_of(reducer.graph.rows)
                results.append((store.find(state, (1 << 26) - 1), currents))
    for one, other in zip(results[: len(states)], results[len(states) :], strict=True):
        assert one[0] == other[0]
        assert np.allclose(one[1], other[1])


def test_few_sets_have_the_intersection_of_all():
    lots = random.Random(15)
    for _ in range(200):
        sets = [lots.getrandbits(10) | lots.getrandbits(10) for _ in range(lots.randrange(1, 6))]
        chosen = few_with_common(sets, 1023)
        assert set(chosen) <= set(sets)
        assert common(chosen) & 1023 == common(sets) & 1023
        assert all(
            common(other for other in chosen if other != one) & 1023 != common(sets) & 1023
            for one in chosen
        )


def left_by_the_kernel(sets, inside):
    """Return which sets the search for few of them leaves, of such that differ."""
    rows = np.array([[one] for one in sets], np.int64)
    marks = np.zeros(len(sets), np.int64)
    edition(cell_sets, "leave_out")(rows, len(sets), np.array([inside], np.int64), 1, marks)
    return {one for one, mark in zip(sets, marks, strict=True) if mark != cell_sets.LEFT_OUT}


def test_the_search_leaves_out_the_same_sets_as_the_extraction_of_a_proof():
    lots = random.Random(16)
    for _ in range(200):
        sets = list({lots.getrandbits(10) | lots.getrandbits(10) for _ in range(5)})
        assert left_by_the_kernel(sets, 1023) == set(few_with_common(sets, 1023))

"""Carriers of proven positions, and the patterns that they become, compared with brute force."""

import random

import numpy as np
import pytest

from antipodes.games.kernels import header, native
from antipodes.search.proof.currents import Currents
from antipodes.search.proof.dfpn import DfpnSearch, common, few_with_common
from antipodes.search.proof.patterns import PatternStore
from antipodes.search.proof.reduction import Reducer, set_of
from antipodes.search.proof.table import ProofTable
from tests.search.proof.brute_force import BOARDS, after, endings, game_of, winner_of
from tests.thorough import repetitions, sample


def empty_cells(game, state):
    owners = state[header.HEADER : header.HEADER + game.topology.cell_count]
    return np.flatnonzero(owners == 0).tolist()


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
    images = Reducer(game).images
    stores = [PatternStore(game, images, color) for color in range(2)]
    nodes = list(searched(game, empty, repetitions(30, 100), seed=12))
    for node in nodes:
        if node.winner == node.mover:
            stores[node.mover - 1].add(node.state, node.carrier)
    known: dict[object, int] = {}
    refuted = 0
    others = list(endings(game, empty - 1, repetitions(10, 60), seed=13))
    for node in nodes[:10]:
        others.append(node.state.copy())
        others[-1][header.COLOR] = 2 - node.mover  # as if a move had been left out
    for state in others:
        color = int(state[header.COLOR])
        moves = empty_cells(game, state)
        carriers = stores[1 - color].find(state, set_of(moves))
        for move in moves:
            if not common(carriers) >> move & 1:
                assert winner_of(game, after(game, state, move), known) == 2 - color
                refuted += 1
    assert refuted


def test_a_full_store_forgets_its_older_patterns(monkeypatch):
    monkeypatch.setattr("antipodes.search.proof.patterns._CAPACITY", 4)
    game = game_of("hex", {"size": 4, "swap": "off"})
    store = PatternStore(game, Reducer(game).images, 0)
    state = game.initial().kernel_state
    for cell in range(7):
        store.add(state, 1 << cell)
    assert store.count == 7
    assert store.find(state, (1 << 16) - 1, store.count) == []
    found = store.find(state, (1 << 16) - 1)
    assert found[0] == 1 << 6
    store.add(state, 1 << 6)
    assert store.count == 7


def test_patterns_and_currents_are_the_same_in_both_editions():
    game = game_of("antipod", {"side": 3})
    reducer = Reducer(game)
    states = [node.state for node in searched(game, 12, 4, seed=14)]
    results = []
    for is_plain in (False, True):
        with native.plainly(is_plain):
            store, currents = PatternStore(game, reducer.images, 1), Currents(26)
        for state in states:
            store.add(state, set_of(empty_cells(game, state)[::2]))
        for state in states:
            reducer.fill_in(state)
            results.append((store.find(state, (1 << 26) - 1), currents.of(reducer.rows)))
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

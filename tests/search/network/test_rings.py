"""Distances of rings in the inputs of the network."""

import heapq
import itertools

import numpy as np
import pytest

from antipodes.games.kernels import edition, header, placement
from antipodes.games.registry import make_game
from antipodes.search.kernels import network_inputs
from antipodes.search.network.evaluator import goals_of
from tests.cases import for_each
from tests.search.network.test_inputs import DISTANCES, inputs_of

FAR, DETOUR = network_inputs.FAR, network_inputs.DETOUR


def after_random_moves(name, options, moves, seed):
    position = make_game(name, options).initial()
    rng = np.random.default_rng(seed)
    for _ in range(moves):
        played = position.play(int(rng.choice(position.legal_moves)))
        if played.outcome:
            break
        position = played
    return position


def steps_of(game):
    """Return neighbour and winding of each step, by cell."""
    tables, degree = game.tables, int(game.tables[placement.DEGREE])
    cells = game.topology.cell_count
    shape = (cells, degree)
    first = int(tables[placement.NEIGHBOURS]), int(tables[placement.WINDINGS])
    nodes, windings = (tables[at : at + cells * degree].reshape(shape).tolist() for at in first)
    return [
        [(node, by) for node, by in zip(*rows, strict=True) if 0 <= node < cells]
        for rows in zip(nodes, windings, strict=True)
    ]


def shortest_ring(price, steps, cell):
    """Return the price of the cheapest closed way through a cell once round the axis."""
    queue = [(0, cell, 0)]
    found = {}
    while queue:
        cost, here, turns = heapq.heappop(queue)
        if (here, turns) in found:
            continue
        found[here, turns] = cost
        for there, by in steps[here]:
            if there in price and abs(turns + by) <= 2:
                heapq.heappush(queue, (cost + price[there], there, turns + by))
    return min(found.get((cell, turns), FAR) for turns in (-1, 1))


CASES = [
    ("antipod", {"side": 3}, 4, 1),
    ("antipod", {"side": 3, "handicap": "none"}, 11, 2),
    ("antipod", {"side": 4}, 0, 3),
    ("antipod", {"side": 4}, 17, 4),
    ("antipod", {"side": 5, "handicap": "two"}, 34, 5),
    ("cylindrical-hex", {"columns": 6, "rows": 5}, 9, 6),
    ("cylindrical-hex", {"columns": 4, "rows": 8}, 12, 7),
]


@for_each("name, options, moves, seed", CASES)
def test_rings_are_the_shortest_through_each_cell(name, options, moves, seed):
    position = after_random_moves(name, options, moves, seed)
    game = position.game
    cells = game.topology.cell_count
    owners = position.searchable_state(0)[header.HEADER : header.HEADER + cells].tolist()
    price = {cell: 1 if owner == 0 else 0 for cell, owner in enumerate(owners) if owner != 1}
    steps = steps_of(game)
    rings = [shortest_ring(price, steps, cell) if cell in price else FAR for cell in range(cells)]
    longest = min(rings) + DETOUR
    halves = [
        (ring + price[cell]) / 2 if ring <= longest and cell in price else FAR
        for cell, ring in enumerate(rings)
    ]
    planes = inputs_of(position) / network_inputs.UNIT
    is_black = position.searchable_state(0)[header.COLOR] == 0
    seen = planes[DISTANCES + 2 * is_black : DISTANCES + 2 * is_black + 2]
    assert seen.tolist() == [halves, halves]


@pytest.mark.parametrize("side", [3, 4])
def test_each_ring_crosses_the_shortest_way_of_black(side):
    game = make_game("antipod", {"side": side})
    cells = game.topology.cell_count
    goals, steps = goals_of(game), steps_of(game)
    work = np.zeros(network_inputs.ROOM * cells, np.int64)
    for moves, seed in itertools.product((0, 6, 12), (1, 2)):
        state = after_random_moves("antipod", {"side": side}, moves, seed).searchable_state(0)
        count = edition(network_inputs, "write_crossings")(game.tables, state, work, goals)
        crossings = work[3 * cells : 3 * cells + count].tolist()
        owners = state[header.HEADER : header.HEADER + cells].tolist()
        assert all(owners[cell] == 0 for cell in crossings)
        price = {
            cell: 1 - owner // 2
            for cell, owner in enumerate(owners)
            if owner != 1 and cell not in crossings
        }
        assert all(shortest_ring(price, steps, cell) == FAR for cell in price)

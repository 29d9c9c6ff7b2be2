"""Inputs of the network."""

import heapq

import numpy as np
import pytest

from antipodes.core import Color
from antipodes.games.kernels import edition, header
from antipodes.games.registry import make_game
from antipodes.search.kernels import network_inputs
from antipodes.search.network.evaluator import frames_of
from tests.cases import for_each

STONES, BORDERS, DISTANCES = (
    network_inputs.STONES,
    network_inputs.BORDERS,
    network_inputs.DISTANCES,
)


def hex_after(size, moves):
    position = make_game("hex", {"size": size, "swap": "off"}).initial()
    for move in moves:
        position = position.play(move)
    return position


def random_moves(size, stones, seed):
    return np.random.default_rng(seed).permutation(size * size)[:stones].tolist()


def inputs_of(position, frame=None):
    game = position.game
    cells = game.topology.cell_count
    goals = np.zeros((network_inputs.GOALS, cells), np.int64)
    edition(network_inputs, "write_goals")(game.tables, goals)
    planes = np.full((network_inputs.PLANES, cells), np.nan, np.float32)
    state = position.searchable_state(0)
    if frame is None:
        frame = frames_of(game)[state[header.COLOR]]
    work = np.zeros(network_inputs.ROOM * cells, np.int64)
    edition(network_inputs, "write_inputs")(game.tables, state, work, goals, frame, planes)
    return planes


def distances(position, color, border):
    """Return the stones that a colour needs from a border of Hex to each cell, by Dijkstra."""
    size = position.game.topology.size[0]
    stones = position.scene().stones
    price = {
        cell: 0 if stones.get(cell) is color else 1
        for cell in range(size * size)
        if stones.get(cell) in (None, color)
    }
    found = {}
    queue = [(price[cell], cell) for cell in border if cell in price]
    heapq.heapify(queue)
    while queue:
        distance, cell = heapq.heappop(queue)
        if cell in found:
            continue
        found[cell] = distance
        row, column = divmod(cell, size)
        steps = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
        for down, right in steps:
            there = (row + down) * size + column + right
            if 0 <= row + down < size and 0 <= column + right < size and there in price:
                heapq.heappush(queue, (distance + price[there], there))
    return [found.get(cell, network_inputs.FAR) for cell in range(size * size)]


@for_each("size, stones, seed", [(3, 2, 1), (5, 9, 2), (5, 14, 3), (9, 30, 4), (11, 41, 5)])
def test_distances_are_those_of_shortest_paths(size, stones, seed):
    position = hex_after(size, random_moves(size, stones, seed))
    planes = inputs_of(position, np.arange(size * size)) / network_inputs.UNIT
    cells = np.arange(size * size).reshape(size, size)
    borders = {
        Color.BLACK: (cells[0], cells[-1]),
        Color.WHITE: (cells[:, 0], cells[:, -1]),
    }
    mover = position.to_move
    other = mover.opponent
    for side, color in enumerate((mover, other)):
        seen = planes[DISTANCES + 2 * side : DISTANCES + 2 * side + 2].tolist()
        expected = [distances(position, color, border.tolist()) for border in borders[color]]
        assert sorted(seen) == sorted(expected)


@pytest.mark.parametrize("size", [4, 7])
def test_both_colours_see_the_same_of_mirrored_positions(size):
    moves = random_moves(size, size * 2, size)
    mirrored = [move % size * size + move // size for move in moves]
    # White sees the mirrored position as Black does this one: one stone more changes the turn.
    here = make_game("hex", {"size": size, "swap": "off"}).initial()
    state, other = here.searchable_state(0), here.searchable_state(0)
    for number, (cell, image) in enumerate(zip(moves, mirrored, strict=True)):
        state[header.HEADER + cell] = 1 + number % 2
        other[header.HEADER + image] = 2 - number % 2
    other[header.COLOR] = 1
    first, second = (inputs_of(FakePosition(here.game, one)) for one in (state, other))
    assert np.array_equal(first[:DISTANCES], second[:DISTANCES])
    for plane in (DISTANCES, DISTANCES + 2):
        assert np.array_equal(first[plane : plane + 2], second[plane : plane + 2])


class FakePosition:
    """A state without its history."""

    def __init__(self, game, state):
        self.game = game
        self._state = state

    def searchable_state(self, _plies):
        return self._state


def test_stones_and_borders_are_those_of_the_board():
    position = hex_after(3, [4, 2, 0])
    planes = inputs_of(position)
    # White is to move, and sees the board turned over.
    assert planes[STONES].tolist() == [0, 0, 0, 0, 0, 0, 1, 0, 0]
    assert planes[STONES + 1].tolist() == [1, 0, 0, 0, 1, 0, 0, 0, 0]
    assert planes[BORDERS].tolist() == [1, 1, 1, 0, 0, 0, 1, 1, 1]
    assert planes[BORDERS + 1].tolist() == [1, 0, 1, 1, 0, 1, 1, 0, 1]


def test_samples_are_seen_as_their_positions():
    size = 5
    position = hex_after(size, random_moves(size, 8, 1))
    color = position.searchable_state(0)[header.COLOR]
    frame = frames_of(position.game)[color]
    owners = position.searchable_state(0)[header.HEADER : header.HEADER + size * size]
    cells = np.zeros((1, size * size), np.int8)
    cells[0, frame] = np.where(owners == 0, 0, np.where(owners == 1 + color, 1, 2))
    goals = np.zeros((network_inputs.GOALS, size * size), np.int64)
    tables = position.game.tables
    edition(network_inputs, "write_goals")(tables, goals)
    planes = np.zeros((1, network_inputs.PLANES, size * size), np.float32)
    edition(network_inputs, "write_samples")(
        cells,
        np.zeros(1, np.int64),
        tables,
        np.zeros(header.HEADER + size * size, np.int64),
        np.zeros(network_inputs.ROOM * size * size, np.int64),
        goals,
        np.arange(size * size),
        planes,
    )
    assert np.array_equal(planes[0], inputs_of(position))

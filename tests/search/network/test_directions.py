"""The neighbours of cells by direction."""

import pytest

from antipodes.boards import cylinder, rhombus, sphere
from antipodes.search.network.directions import AROUND, HERE, TAPS, directed_neighbours
from tests.cases import for_each

ROUND = [TAPS.index(step) for step in AROUND]


@for_each(
    "topology",
    [rhombus(2), rhombus(7), cylinder(5, 6), cylinder(7, 4), *(sphere(n) for n in range(2, 8))],
)
def test_each_neighbour_has_one_direction(topology):
    table = directed_neighbours(topology).tolist()
    for cell, there in enumerate(table):
        assert there[HERE] == cell
        around = [one for tap, one in enumerate(there) if tap != HERE and one < len(table)]
        assert sorted(around) == list(topology.neighbours[cell])


@for_each("topology", [rhombus(5), cylinder(5, 6), sphere(3), sphere(6)])
def test_neighbours_in_adjacent_directions_are_neighbours(topology):
    table = directed_neighbours(topology).tolist()
    for there in table:
        around = [there[tap] for tap in ROUND]
        for one, other in zip(around, around[1:] + around[:1], strict=True):
            if one < len(table) and other < len(table):
                assert other in topology.neighbours[one]


@pytest.mark.parametrize("side", [3, 6])
def test_the_order_of_directions_turns_the_same_way_on_both_boards(side):
    topology = sphere(side)
    table = directed_neighbours(topology).tolist()
    round_cells = [[there[tap] for tap in ROUND if there[tap] < len(table)] for there in table]
    for cell, around in enumerate(round_cells):
        for one, other in zip(around, around[1:] + around[:1], strict=True):
            # The triangle of the three cells is passed in the same order from each of them.
            near = round_cells[one]
            assert near[(near.index(other) + 1) % len(near)] == cell

"""Laws of where Antipod's points lie on a sphere."""

import math

import pytest

from antipodes.boards import sphere
from antipodes.boards.sphere import directions

SIDES = range(2, 11)


def angle(one, other):
    """Return the angle between two directions in radians."""
    return math.acos(max(-1.0, min(1.0, sum(a * b for a, b in zip(one, other, strict=True)))))


@pytest.mark.parametrize("side", SIDES)
def test_all_points_lie_on_the_unit_sphere_and_apart(side):
    found = directions(side)
    assert len(found) == sphere(side).cell_count
    assert all(math.isclose(math.hypot(*one), 1) for one in found)
    assert len({tuple(round(length, 4) for length in one) for one in found}) == len(found)


@pytest.mark.parametrize("side", SIDES)
def test_poles_are_opposite_and_the_rim_lies_midway(side):
    board = sphere(side)
    left, right = (directions(side)[pole] for pole in board.rims["poles"])
    assert left == pytest.approx((0, 0, 1))
    assert right == pytest.approx((0, 0, -1))
    assert all(abs(directions(side)[cell][2]) < 1e-9 for cell in board.rims["equator"])


@pytest.mark.parametrize("side", [2, 3, 6, 10])
def test_each_step_is_short_and_no_two_points_without_one_are_much_nearer(side):
    board, found = sphere(side), directions(side)
    longest = 0.0
    for cell, near in enumerate(board.neighbours):
        steps = [angle(found[cell], found[other]) for other in near]
        longest = max(longest, *steps)
        others = set(range(board.cell_count)) - {cell, *near}
        assert min(angle(found[cell], found[other]) for other in others) > 1.2 * min(steps)
    assert longest < math.pi / 2 / (side - 1) * 1.5


@pytest.mark.parametrize("side", SIDES)
def test_symmetries_of_the_board_keep_angles(side):
    board, found = sphere(side), directions(side)
    pairs = [(cell, other) for cell, near in enumerate(board.neighbours) for other in near]
    for image in board.symmetries:
        for cell, other in pairs[:: max(1, len(pairs) // 40)]:
            before = angle(found[cell], found[other])
            assert angle(found[image[cell]], found[image[other]]) == pytest.approx(before)

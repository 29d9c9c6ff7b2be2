"""Layouts: every place can be seen, hit and reached."""

import pytest

from antipodes import boards
from antipodes.notation.sphere_pictures import draw_sphere
from antipodes.tui.layout import DIRECTIONS, lay_out
from tests.thorough import repetitions

BOARDS = [
    boards.sphere(2),
    boards.sphere(6),
    boards.sphere(repetitions(7, 10)),
    boards.hexhex(5),
    boards.square_grid(12),
    boards.rhombus(11),
    boards.cylinder(4, 7),
]


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_every_character_of_a_cell_hits_it(board, large):
    layout = lay_out(board, large=large)
    assert len(layout.spots) == len(board.places)
    for index, spot in enumerate(layout.spots):
        for x in range(spot.x, spot.x + layout.pitch.width):
            for y in range(spot.y, spot.y + layout.pitch.height):
                assert layout.at(x, y) == index
                assert 0 <= x < layout.width
                assert 0 <= y < layout.height


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_arrow_keys_reach_every_place(board, large):
    layout = lay_out(board, large=large)
    reached, todo = {layout.middle()}, [layout.middle()]
    while todo:
        index = todo.pop()
        for direction in ("left", "right", "up", "down"):
            following = layout.step(index, direction)
            if following not in reached:
                reached.add(following)
                todo.append(following)
    assert len(reached) == len(layout.spots)


@pytest.mark.parametrize("board", BOARDS, ids=repr)
def test_coordinates_and_cells_do_not_overlap(board):
    for large in (False, True):
        layout = lay_out(board, large=large)
        cells = {
            (x, y)
            for spot in layout.spots
            for x in range(spot.x, spot.x + layout.pitch.width)
            for y in range(spot.y, spot.y + layout.pitch.height)
        }
        letters = [(x + i, y) for x, y, text in layout.texts for i in range(len(text))]
        assert len(letters) == len(set(letters))
        assert not cells & set(letters)


@pytest.mark.parametrize("direction", sorted(DIRECTIONS))
def test_a_step_goes_to_a_neighbour_inside_a_hexagonal_board(direction):
    board = boards.rhombus(7)
    layout = lay_out(board)
    middle = layout.middle()
    there = layout.step(middle, direction)
    assert layout.spots[there].cell in board.neighbours[layout.spots[middle].cell]


def test_diagonal_steps_reach_the_four_slanted_neighbours():
    board = boards.sphere(6)
    layout = lay_out(board)
    middle = layout.middle()
    steps = {layout.step(middle, d) for d in DIRECTIONS if "-" in d}
    assert len(steps) == 4
    cell = layout.spots[middle].cell
    assert {layout.spots[i].cell for i in steps} <= set(board.neighbours[cell])


def test_antipod_looks_like_its_plain_picture():
    board = boards.sphere(6)
    layout = lay_out(board)
    lines = draw_sphere(board, {})
    left = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    assert all(lines[spot.y][spot.x + left] == "." for spot in layout.spots)
    assert layout.width <= 56  # with the panel of 24 columns it fits the classic 80
    names = {spot.name for spot in layout.spots}
    assert names == {name for names in board.names for name in names}


def test_walking_up_does_not_drift():
    layout = lay_out(boards.rhombus(11))
    index = layout.middle()
    aim = layout.spots[index].x, layout.spots[index].y
    for _ in range(4):
        index = layout.step(index, "up", aim)
    assert abs(layout.spots[index].x - aim[0]) <= 1


def test_walking_right_from_the_left_board_comes_to_the_right_board():
    layout = lay_out(boards.sphere(4))
    index = layout.middle()
    for _ in range(4):
        index = layout.step(index, "right")
    assert layout.spots[index].board == 1
    assert layout.spots[index].y == layout.spots[layout.middle()].y


def test_rows_of_a_cylinder_go_round():
    layout = lay_out(boards.cylinder(3, 5))
    first = layout.spots_of(5)[0]
    assert layout.spots[layout.step(first, "left")].cell == 9
    assert layout.spots[layout.step(layout.spots_of(9)[0], "right")].cell == 5


def test_a_seat_sees_its_own_corner_at_the_lower_left():
    board = boards.square_grid(12)
    layout = lay_out(board, quarter_turns=2)
    corner = next(spot for spot in layout.spots if spot.name == "A1")
    assert board.name(corner.cell) == "L12"


def test_grid_points_are_named_in_the_mail_ruleset():
    layout = lay_out(boards.square_grid(5), points_named=True)
    assert [text for _, _, text in layout.texts][:6] == list("abcdef")
    assert {"1-2", "5-6"} <= {text for _, _, text in layout.texts}

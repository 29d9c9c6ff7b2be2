"""Tests of the JSON of boards for pages."""

import itertools
import math
import operator

import pytest

from antipodes.games.registry import game_ids, make_game
from antipodes.web.matches.presenters import board_view, legal_moves

SQRT3 = 3**0.5


def view(game_id, **options):
    return board_view(make_game(game_id, options).initial())


@pytest.mark.parametrize("game_id", game_ids())
def test_every_cell_has_a_place_with_its_name(game_id):
    board = view(game_id)
    assert {place[0] for place in board["places"]} == set(range(len(board["names"])))
    assert all(name in board["names"][cell] for cell, _, _, _, name in board["places"])


def test_borders_are_along_the_sides_that_colours_join():
    board = view("hex", size=5)
    assert [color for color, _ in board["borders"]] == ["black", "black", "white", "white"]
    top, bottom = (points for color, points in board["borders"] if color == "black")
    assert max(y for _, y in top) < 0
    assert min(y for _, y in bottom) > 4 * SQRT3 / 2


@pytest.mark.parametrize(
    ("game_id", "options", "width"),
    [("hex", {"size": 5}, 0.3), ("antipalos", {"ruleset": "mail", "size": 6}, 0.2)],
)
def test_borders_meet_in_all_four_corners_of_the_board(game_id, options, width):
    """Two bands share the cut from the cells to the outside."""
    bands = [band for _, band in view(game_id, **options)["borders"]]
    cuts = [
        frozenset({band[first], band[last]})
        for band in bands
        for first, last in ((0, -1), (len(band) // 2 - 1, len(band) // 2))
    ]
    assert len(cuts) == 8
    assert all(cuts.count(cut) == 2 for cut in cuts)
    for band in bands:
        outside = band[len(band) // 2 :]
        for a, b in itertools.pairwise(band[: len(band) // 2]):
            length = math.dist(a, b)
            gaps = [
                abs((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])) / length
                for x, y in outside
            ]
            assert min(abs(gap - width) for gap in gaps) == pytest.approx(0, abs=1e-5)


def test_borders_of_a_cylinder_end_at_right_angles():
    (_, top), (_, bottom) = view("cylindrical-hex", rows=4, columns=6)["borders"]
    for band in (top, bottom):
        half = len(band) // 2
        for end, outer in ((band[0], band[-1]), (band[half - 1], band[half])):
            assert math.dist(end, outer) == pytest.approx(0.3, abs=1e-5)


def test_borders_have_no_colour_where_any_two_do():
    assert view("antipalos")["borders"] == []
    mail = view("antipalos", ruleset="mail", size=6)
    assert [color for color, _ in mail["borders"]] == ["vert", "vert", "horz", "horz"]


def test_a_cylinder_repeats_the_columns_at_its_seam():
    board = view("cylindrical-hex", rows=4, columns=6)
    assert len(board["seams"]) == 2
    assert sorted(place[0] for place in board["repeated"]) == [0, 5, 6, 11, 12, 17, 18, 23]
    assert view("hex")["seams"] == view("hex")["repeated"] == []


@pytest.mark.parametrize(
    ("options", "turns"),
    [
        ({}, [0, 2]),
        ({"seats": "team"}, [0, 1, 2, 3]),
        ({"seats": "cutthroat3"}, [0, 1, 2]),
        ({"ruleset": "mail"}, [0, 0]),
    ],
)
def test_seats_of_antipalos_sit_round_the_board(options, turns):
    assert view("antipalos", **options)["turns"] == turns


def test_the_opponent_in_antipode_sits_opposite():
    assert view("antipode")["turns"] == [0, 2]


def test_the_supply_of_rods_is_shown_where_it_is_limited():
    assert view("antipalos", size=12)["supply"] == {"white": 18, "black": 18}
    assert view("antipalos", ruleset="mail")["supply"] == view("hex")["supply"] == {}


def test_a_corner_of_antipode_is_locked_by_its_three_neighbours():
    game = make_game("antipode", {})
    board = board_view(game.initial())
    assert len(board["locks"]) == 6
    for corner, full in board["locks"].items():
        assert len(full) == 3
        assert set(full) == set(game.topology.neighbours[corner])


def test_cells_of_a_sphere_have_directions():
    board = view("antipod", side=4)
    assert len(board["directions"]) == len(board["names"])
    assert [board["directions"][pole] for pole in board["poles"]] == [(0, 0, 1), (0, 0, -1)]
    assert view("hex")["directions"] == []


def expanded(legal):
    """Return the moves of a list with products, each with its steps."""
    moves = {}
    for one in legal:
        if isinstance(one, list):
            moves[one[0]] = tuple(one[1:])
            continue
        for steps in itertools.product(*one["steps"]):
            number = one["base"] + sum(map(operator.mul, one["strides"], steps))
            moves[number] = steps
    return moves


def test_legal_moves_of_phase_two_are_products():
    game = make_game("antipalos", {"size": 12, "rods": 2})
    position = game.initial()
    for text in ("A1*", "*C5", "L12*", "H7*"):
        position = position.play(position.parse_move(text))
    assert position.phase == 2
    listed = legal_moves(position)
    assert len(listed) == 3  # all moves to other squares, and one for each rod that stays
    assert expanded(listed) == {move: position.steps(move) for move in position.legal_moves}


@pytest.mark.parametrize("game_id", game_ids())
def test_other_legal_moves_are_listed_with_their_steps(game_id):
    position = make_game(game_id, {}).initial()
    assert expanded(legal_moves(position)) == {
        move: position.steps(move) for move in position.legal_moves
    }

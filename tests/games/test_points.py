"""Laws of errors about points that a board does not have."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.errors import InvalidMoveError, InvalidPositionError
from antipodes.games.registry import make_game
from tests.thorough import sample

BOARDS = [
    *(("antipod", {"side": side}) for side in range(2, 11)),
    ("hex", {"size": 5}),
    ("hex", {"size": 26}),
    ("cylindrical-hex", {"rows": 3, "columns": 8}),
    ("antipode", {}),
    ("antipalos", {"size": 20}),
    ("antipalos", {"ruleset": "mail", "size": 26}),
]


def told(game_id, options, text):
    with pytest.raises(InvalidMoveError) as caught:
        make_game(game_id, options).initial().read_move(text)
    return str(caught.value)


@pytest.mark.parametrize(
    ("game_id", "options", "text", "points"),
    [
        ("antipod", {}, "z9", "points run from a1 to k22"),
        ("antipod", {}, "k12", "the points with k are k6..k11, k17..k22"),
        ("antipod", {}, "f23+", "the points with f are f1..f22"),
        ("antipod", {"side": 10}, "t3", "points run from a1 to s38"),
        ("hex", {"size": 11}, "l4", "points run from a1 to k11"),
        ("cylindrical-hex", {"rows": 3, "columns": 8}, "h4", "the points with h are h1..h3"),
        ("antipode", {}, "e10-e1", "the points with e are e1..e9"),
        ("antipode", {}, "e2-a6", "the points with a are a1..a5"),
        ("antipalos", {}, "Q1*", "points run from A1 to P16"),
        ("antipalos", {}, "*b17", "the points with b are B1..B16"),
        ("antipalos", {"ruleset": "mail"}, "q17-r18", "points run from a1 to q17"),
        ("antipalos", {"ruleset": "mail"}, "q18-p17", "the points with q are q1..q17"),
    ],
)
def test_an_error_about_a_move_outside_the_board_names_the_points_of_that_board(
    game_id, options, text, points
):
    assert points in told(game_id, options, text)


@pytest.mark.parametrize(("game_id", "options"), sample(BOARDS, 8), ids=str)
@given(letters=st.from_regex(r"[a-z]{1,2}", fullmatch=True), number=st.integers(0, 60))
def test_a_point_is_refused_with_points_that_are_on_the_board(game_id, options, letters, number):
    names = make_game(game_id, options).point_names
    phrase = names.outside(f"{letters}{number}")
    if phrase is not None:
        named = re.findall(r"\b[a-zA-Z]{1,2}\d+\b", str(phrase))
        assert len(named) >= 2
        assert all(names.outside(name) is None for name in named)


@pytest.mark.parametrize(("game_id", "options"), BOARDS, ids=str)
def test_no_point_of_a_board_is_outside(game_id, options):
    game = make_game(game_id, options)
    position = game.initial()
    for move in position.legal_moves:
        assert game.point_names.outside(position.format_move(move)) is None


@pytest.mark.parametrize(
    ("game_id", "stone", "points"),
    [
        ("antipod", ("z9", "black"), "points run from a1 to k22"),
        ("antipode", ("a6", "blue"), "the points with a are a1..a5"),
        ("antipalos", ("Q1*", "white"), "points run from A1 to P16"),
    ],
)
def test_a_setup_with_a_point_outside_is_told_the_points_of_the_board(game_id, stone, points):
    game = make_game(game_id)
    setup = game.initial().to_setup()
    with pytest.raises(InvalidPositionError, match=re.escape(points)):
        game.position(type(setup)(stones=(*setup.stones, stone)))

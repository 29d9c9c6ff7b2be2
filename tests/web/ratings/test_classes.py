"""Speed and board classes."""

import pytest

from antipodes.clocks import read_control
from antipodes.games.registry import game_ids, make_game
from antipodes.web.ratings.classes import BoardClass, Speed, board_class_of, board_classes, speed_of


@pytest.mark.parametrize(
    ("control", "speed"),
    [
        ("3m+2s", Speed.BLITZ),
        ("5m+5s", Speed.BLITZ),
        ("10s/move", Speed.BLITZ),
        ("10m", Speed.RAPID),
        ("30s/move", Speed.RAPID),
        ("20m+10s", Speed.RAPID),
        ("1d/move", Speed.CORRESPONDENCE),
        ("7d/move+21d", Speed.CORRESPONDENCE),
        ("unlimited", Speed.CORRESPONDENCE),
    ],
)
def test_the_speed_follows_from_the_estimated_length_of_a_game(control, speed):
    assert speed_of(read_control(control)) is speed


@pytest.mark.parametrize("game_id", game_ids())
def test_the_default_board_of_every_game_is_standard(game_id):
    assert board_class_of(make_game(game_id)) is BoardClass.STANDARD
    assert BoardClass.STANDARD in board_classes(game_id)


@pytest.mark.parametrize(
    ("game_id", "options", "board_class"),
    [
        ("hex", {"size": 9}, BoardClass.SMALL),
        ("hex", {"size": 10}, BoardClass.STANDARD),
        ("hex", {"size": 12}, BoardClass.STANDARD),
        ("hex", {"size": 13}, BoardClass.LARGE),
        ("antipod", {"side": 5}, BoardClass.SMALL),
        ("antipod", {"side": 7}, BoardClass.LARGE),
        ("antipalos", {"size": 12}, BoardClass.SMALL),
        ("antipalos", {"size": 14}, BoardClass.STANDARD),
        ("antipalos", {"size": 20}, BoardClass.LARGE),
        ("cylindrical-hex", {"rows": 5, "columns": 24}, BoardClass.STANDARD),
    ],
)
def test_the_class_of_a_board_follows_from_its_number_of_cells(game_id, options, board_class):
    assert board_class_of(make_game(game_id, options)) is board_class


def test_a_game_with_one_board_has_one_class():
    assert board_classes("antipode") == (BoardClass.STANDARD,)

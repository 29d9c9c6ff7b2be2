"""Laws of pieces and moves of a position: they agree with its picture and with the moves played."""

import pickle

import pytest
from hypothesis import given

from antipodes.core import Color
from antipodes.errors import UnknownPointError
from antipodes.games.antipalos import Antipalos
from antipodes.games.hex import Hex
from antipodes.games.registry import game_ids, make_game
from antipodes.notation.scene import Rod
from tests.games.test_position_texts import positions


@given(positions())
def test_the_pieces_of_a_position_are_those_of_its_picture(position):
    scene = position.scene()
    shown = {cell: color.value for cell, color in scene.stones.items()}
    shown |= {cell: rod.color.value + rod.diagonal for cell, rod in scene.rods.items()}
    shown |= {cell: f"{color.value}*" for cell, color in scene.pawns.items()}
    names = position.game.pieces
    assert [names[piece] for piece in position.pieces.tolist()] == [
        shown.get(cell, "") for cell in range(position.game.topology.cell_count)
    ]


@given(positions())
def test_a_point_has_the_piece_of_the_picture(position):
    scene = position.scene()
    board = position.game.topology
    if scene.points_named:  # squares without names
        return
    shown = {**scene.stones, **scene.rods}
    for cell in range(board.cell_count):
        for name in board.names[cell]:
            assert position[name] == shown.get(cell)


def test_a_rod_between_grid_points_is_found_by_them():
    position = Antipalos(ruleset="mail", size=6).initial().play("e4-f3")
    assert position["f3-e4"] == position["e3-f4"] == Rod(Color.VERT, "\\")
    assert position["a1-b2"] is None


@pytest.mark.parametrize("point", ["l1", "", "swap"])
def test_a_point_outside_the_board_is_told(point):
    with pytest.raises(UnknownPointError, match="points run from a1 to k11"):
        Hex().initial()[point]


@pytest.mark.parametrize("point", [0, None, 3.5])
def test_a_point_is_a_text(point):
    with pytest.raises(TypeError, match=repr(point)):
        Hex().initial()[point]


@pytest.mark.parametrize("game_id", game_ids())
def test_a_position_knows_the_moves_that_led_to_it(game_id):
    position = make_game(game_id).initial()
    assert (position.moves, position.last_move) == ((), None)
    played = []
    for _ in range(4):
        played.append(position.legal_moves[0])
        position = position.play(played[-1])
        assert position.moves == tuple(played)
        assert position.last_move == played[-1]
    assert pickle.loads(pickle.dumps(position)).moves == position.moves
    again = position.game.position(position.to_setup())
    assert again == position
    assert again.moves == ()


def test_each_colour_has_an_opponent():
    for color in Color:
        assert color.opponent is not color
        assert color.opponent.opponent is color
    for game_id in game_ids():
        game = make_game(game_id)
        assert all(game.opponent_of(color) is color.opponent for color in game.colors)


@pytest.mark.parametrize("game_id", game_ids())
def test_completion_lists_names_for_programs(game_id):
    game = make_game(game_id)
    for value, most in ((game, 40), (game.initial(), 40)):
        public = [name for name in dir(value) if not name.startswith("_")]
        assert len(public) <= most
        assert all(hasattr(value, name) for name in public)
    assert {"initial", "options", "position", "topology"} <= set(dir(game))
    assert {"play", "legal_moves", "outcome", "moves"} <= set(dir(game.initial()))

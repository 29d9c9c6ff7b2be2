"""Legal moves as data for boards."""

import itertools
import json

import numpy as np

from antipodes.core import Move
from antipodes.games.registry import make_game
from antipodes.web.analysis.editor_views import judge, read_edited
from antipodes.web.matches import presenters


def test_legal_moves_are_told_with_their_steps_and_without_the_swap():
    position = make_game("hex", {"size": 2}).initial()
    assert presenters.legal_moves(position) == [[cell, cell] for cell in range(4)]
    assert presenters.open_swap(position) is None
    after = position.play(Move(1))
    assert presenters.legal_moves(after) == [[cell, cell] for cell in (0, 2, 3)]
    assert presenters.open_swap(after) == after.game.swap_move
    without = make_game("hex", {"size": 2, "swap": "off"}).initial().play(Move(1))
    assert presenters.open_swap(without) is None


def test_a_move_is_told_with_all_points_that_it_changes():
    position = make_game("hex", {"size": 2, "swap": "pieces"}).initial()
    swap = position.game.swap_move
    assert swap is not None
    played = presenters.play_through(position, [1, swap])
    first, second = played.moves
    assert (played.start, first["changed"]) == ({}, {1: (None, "black")})
    assert second["changed"] == {1: ("black", None), 2: (None, "white")}
    assert presenters.move_view(position, 1, position.play(Move(1))) == first


def test_directions_of_a_sphere_have_five_digits():
    board = presenters.board_view(make_game("antipod").initial())
    lengths = [length for one in board["directions"] for length in one]
    assert all(round(length, 5) == length for length in lengths)
    assert any(round(length, 4) != length for length in lengths)
    assert len(board["directions"]) == len(board["neighbours"])
    assert presenters.board_view(make_game("hex").initial())["directions"] == []
    assert json.dumps(board)


def test_moves_that_are_no_product_are_told_one_by_one():
    query = {"game": "antipalos", "size": "12", "phase": "2", "pieces": "0:white/,5:black/"}
    line = judge(*read_edited(query)).line
    assert line is not None
    position = line.position
    moves = position.legal_moves.array()
    product, rest = presenters._product(position, moves)
    assert product is not None
    told = {
        product["base"] + sum(step * by for step, by in zip(steps, product["strides"], strict=True))
        for steps in itertools.product(*product["steps"])
    }
    assert sorted(told | set(rest.tolist())) == sorted(moves.tolist())
    one = np.flatnonzero(~np.isin(moves, rest))[0]
    fewer = np.delete(moves, one)
    product, rest = presenters._product(position, fewer)
    assert product is None
    assert rest.tolist() == fewer.tolist()

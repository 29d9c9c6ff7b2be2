"""The ids of positions: the same for symmetric ones, and no others."""

import random

import pytest

from antipodes.games.registry import make_game
from antipodes.puzzles.symmetry import puzzle_id

GAMES = [
    ("hex", {"size": 5, "swap": "off"}),
    ("antipod", {"side": 3}),
    ("cylindrical-hex", {"rows": 4, "columns": 5}),
    ("antipalos", {"ruleset": "mail", "size": 5, "swap": "off"}),
    ("antipalos", {"size": 12}),
    ("antipode", {}),
]


def play(game, moves, symmetry=0):
    position = game.initial()
    for move in moves:
        position = position.play(game.transform(move, symmetry))
    return position


def line(game, seed, plies):
    chance = random.Random(seed)
    moves: list[int] = []
    position = game.initial()
    while len(moves) < plies and position.outcome is None:
        moves.append(chance.choice(position.legal_moves))
        position = position.play(moves[-1])
    return moves


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_symmetric_positions_have_the_same_id(game_id, options):
    game = make_game(game_id, options)
    moves = line(game, 1, 8)
    wanted = puzzle_id(play(game, moves))
    assert {puzzle_id(play(game, moves, symmetry)) for symmetry in game.symmetries} == {wanted}


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_other_positions_have_other_ids(game_id, options):
    game = make_game(game_id, options)
    found = [puzzle_id(play(game, line(game, seed, 9))) for seed in range(20)]
    assert len(set(found)) == 20


def test_the_options_and_the_side_to_move_matter():
    one = make_game("antipode").initial()
    other = make_game("antipode", {"full_board": "loss"}).initial()
    assert puzzle_id(one) != puzzle_id(other)
    black = make_game("antipod", {"side": 3, "first": "black"}).initial()
    white = make_game("antipod", {"side": 3, "first": "white"}).initial()
    assert puzzle_id(black) != puzzle_id(white)


def test_an_id_is_stable():
    assert puzzle_id(make_game("hex", {"size": 3, "swap": "off"}).initial()) == "270ca6cfce"


def test_options_with_their_default_values_have_no_part_in_an_id(monkeypatch):
    """So a new option of a game changes no id."""
    position = make_game("antipod", {"side": 3}).initial()
    before = puzzle_id(position)
    later = {**position.game.options.as_dict(), "new": 0}
    monkeypatch.setattr(type(position.game.options), "as_dict", lambda _: later)
    assert puzzle_id(position) == before

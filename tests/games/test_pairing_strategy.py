"""Black, answering every move half way round, never loses as the second player."""

import random

import pytest

from antipodes.core import Color
from antipodes.errors import InvalidOptionsError, InvalidPositionError
from antipodes.games.pairing_strategy import opposites, pairing_reply
from antipodes.games.registry import make_game
from tests.thorough import repetitions

BOARDS = [
    *(("antipod", {"side": side, "handicap": "none"}) for side in range(2, 11)),
    *(
        ("cylindrical-hex", {"rows": rows, "columns": columns, "first": "white"})
        for rows, columns in ((2, 4), (3, 4), (2, 6), (5, 6), (9, 4), (4, 12), (11, 10), (26, 26))
    ),
]


def board_id(board):
    return "-".join([board[0], *map(str, board[1].values())])


@pytest.mark.parametrize("board", BOARDS, ids=board_id)
def test_the_pairing_never_loses_to_random_moves(board):
    game = make_game(*board)
    cells = repetitions(800, 20_000)
    games = max(2, min(300, cells // game.topology.cell_count))
    for seed in range(games):
        rng = random.Random(seed)
        position = game.initial()
        while position.outcome is None:
            if position.to_move is Color.BLACK:
                position = position.play(pairing_reply(position))
            else:
                position = position.play(rng.choice(position.legal_moves))
                assert position.outcome is None, f"White has won\n{position}"
        assert position.outcome.winner is Color.BLACK


@pytest.mark.parametrize("columns", [4])
@pytest.mark.parametrize("rows", [2, 3])
def test_the_pairing_wins_against_every_line_of_play_on_small_cylinders(rows, columns):
    game = make_game("cylindrical-hex", {"rows": rows, "columns": columns, "first": "white"})
    edge, seen = [game.initial()], set()
    while edge:
        position = edge.pop()
        for move in position.legal_moves:
            after = position.play(move)
            assert after.outcome is None
            after = after.play(pairing_reply(after))
            if after.outcome is None and after not in seen:
                seen.add(after)
                edge.append(after)
    assert seen


@pytest.mark.parametrize("side", [2])
def test_the_pairing_wins_against_every_line_of_play_on_the_smallest_sphere(side):
    edge, seen = [make_game("antipod", {"side": side, "handicap": "none"}).initial()], set()
    while edge:
        position = edge.pop()
        for move in position.legal_moves:
            after = position.play(move)
            assert after.outcome is None
            after = after.play(pairing_reply(after))
            if after.outcome is None and after not in seen:
                seen.add(after)
                edge.append(after)


@pytest.mark.parametrize("board", BOARDS, ids=board_id)
def test_opposite_points_are_pairs_that_do_not_touch(board):
    game = make_game(*board)
    opposite = opposites(game)
    poles = game.topology.rims.get("poles", ())
    for cell, other in enumerate(opposite):
        assert opposite[other] == cell
        assert (other == cell) == (cell in poles)
        assert {opposite[near] for near in game.topology.neighbours[cell]} == set(
            game.topology.neighbours[other]
        )
        # The first ring round a pole and the smallest circumference are where pairs come nearest.
        assert other not in game.topology.neighbours[cell]


@pytest.mark.parametrize("side", range(2, 11))
def test_opposite_points_of_the_sphere_lie_on_the_same_board(side):
    game = make_game("antipod", {"side": side, "handicap": "none"})
    for cell, other in enumerate(opposites(game)):
        boards = [{place.board for place in game.topology.places_of[c]} for c in (cell, other)]
        assert boards[0] == boards[1]


@pytest.mark.parametrize(
    ("game_id", "options", "codes"),
    [
        ("antipod", {}, {"pairing/handicap"}),
        ("antipod", {"handicap": "two", "first": "black"}, {"pairing/first", "pairing/handicap"}),
        ("antipod", {"handicap": "none", "swap": "on"}, {"pairing/swap"}),
        ("cylindrical-hex", {}, {"pairing/first", "pairing/odd"}),
        ("cylindrical-hex", {"columns": 6}, {"pairing/first"}),
        ("hex", {}, {"pairing/no-such-game"}),
        ("antipalos", {}, {"pairing/no-such-game"}),
        ("antipode", {}, {"pairing/no-such-game"}),
    ],
)
def test_the_pairing_says_where_it_does_not_apply(game_id, options, codes):
    with pytest.raises(InvalidOptionsError) as caught:
        opposites(make_game(game_id, options))
    assert {fault.code for fault in caught.value.faults} == codes


def test_the_pairing_answers_whites_moves_alone():
    position = make_game("antipod", {"side": 3, "handicap": "none"}).initial()
    with pytest.raises(InvalidPositionError, match="not Black's turn"):
        pairing_reply(position)


def test_the_pairing_must_have_been_followed_from_the_start():
    position = make_game("antipod", {"side": 3, "handicap": "none"}).initial()
    for text in ("a1", "a2", "a3"):
        position = position.play(position.parse_move(text))
    with pytest.raises(InvalidPositionError, match="a1"):
        pairing_reply(position)

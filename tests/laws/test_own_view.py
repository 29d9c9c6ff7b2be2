"""Each seat may read the board from its own side, with A1 at its own lower left."""

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.games.registry import game_ids, make_game
from antipodes.notation.words import point_name
from tests.thorough import sample

BOXED = [
    {"size": size, "rods": rods, "seats": seats}
    for seats in ("two", "team", "cutthroat3", "cutthroat4")
    for size in (12, 14, 16, 18, 20)
    for rods in (2, size * 3 // 2)
]
MAIL = [{"ruleset": "mail", "size": size} for size in (3, 16, 26)]
GAMES = [("antipalos", options) for options in (*sample(BOXED, 6), *MAIL)]
GAMES += [(game_id, {}) for game_id in game_ids() if game_id != "antipalos"]


@cache
def after(game_id, options, plies, seed):
    game = make_game(game_id, dict(options))
    choose = random.Random(seed)
    position = game.initial()
    for _ in range(plies):
        if position.outcome is not None:
            break
        moves = position.legal_moves.array()
        position = position.play(int(moves[choose.randrange(len(moves))]))
    return position


def some_position(data, game_id, options):
    plies = data.draw(st.integers(0, 12), "plies")
    return after(game_id, tuple(options.items()), plies, data.draw(st.integers(0, 3), "seed"))


@pytest.mark.parametrize(("game_id", "options"), GAMES, ids=str)
@given(data=st.data())
def test_what_is_written_for_a_seat_is_read_back_for_that_seat(game_id, options, data):
    position = some_position(data, game_id, options)
    moves = position.legal_moves.array().tolist()
    if not moves:
        return
    move = data.draw(st.sampled_from(moves), "move")
    for seat in range(position.game.seats):
        text = position.format_move(move, seat)
        assert position.parse_move(text, seat) == move
        assert position.read_move(f" {text.lower()} ", seat) == move
    assert position.format_move(move, 0) == position.format_move(move)


@pytest.mark.parametrize(("game_id", "options"), GAMES, ids=str)
@given(data=st.data())
def test_a_picture_for_a_seat_names_pieces_as_its_moves_do(game_id, options, data):
    position = some_position(data, game_id, options)
    before, seat = position, data.draw(st.integers(0, position.game.seats - 1), "seat")
    moves = before.legal_moves.array().tolist()
    if not moves:
        return
    move = data.draw(st.sampled_from(moves), "move")
    scene = before.play(move).seen_from(seat)
    if scene.rods and scene.last is not None and move != before.game.swap_move:
        assert before.format_move(move, seat).rpartition("-")[2] in {
            point_name(scene, scene.last),
            point_name(scene, scene.last).rpartition("-")[2],
        }
    names = before.game.names_from(seat)
    plain = before.play(move).scene()
    for cell in plain.rods:
        here = plain.topology.cell(names[cell])
        assert scene.rods[here].color is plain.rods[cell].color


@pytest.mark.parametrize(
    ("seats", "seat", "text", "first"),
    [
        ("two", 1, "A1*", "P16*"),
        ("two", 1, "*B4", "*O13"),
        ("team", 1, "A1*", "*A16"),  # the seat at the left has its lower left at the upper left
        ("team", 2, "A1*", "P16*"),
        ("team", 3, "A1*", "*P1"),
    ],
)
def test_a1_is_at_the_lower_left_of_each_seat(seats, seat, text, first):
    position = make_game("antipalos", {"seats": seats}).initial()
    move = position.parse_move(text, seat)
    assert position.format_move(move) == first
    picture = position.play(move).picture(seat).splitlines()
    row = next(line for line in picture if line.lstrip().startswith(text.strip("*")[1:] + " "))
    column = 4 + 3 * "ABCDEFGHIJKLMNOP".index(text.strip("*")[0])
    assert row[column + 1] == ("/" if text.endswith("*") else "\\")


def test_records_and_programs_have_the_first_seats_view():
    position = make_game("antipalos").initial()
    after_move = position.play(position.parse_move("B4*", 1))
    assert [point for point, _ in after_move.to_setup().stones] == ["O13*"]
    assert after_move.last_cell == after_move.game.topology.cell("O13")


@pytest.mark.parametrize("game_id", game_ids())
def test_antipalos_alone_has_sides(game_id):
    assert make_game(game_id).has_sides == (game_id == "antipalos")
    assert not make_game("antipalos", {"ruleset": "mail"}).has_sides

"""Laws of swaps: seats exchange their colours, or the first stone changes sides."""

import random

import pytest

from antipodes.core import Color
from antipodes.errors import IllegalMoveError
from antipodes.games.registry import make_game

SEAT_SWAPS = [
    ("antipod", {"side": 3, "swap": "on"}),
    ("antipod", {"side": 4, "first": "black", "handicap": "none", "swap": "on"}),
    ("hex", {"size": 4, "swap": "sides"}),
    ("antipalos", {"ruleset": "mail", "size": 4}),
]
ALL_SWAPS = [*SEAT_SWAPS, ("hex", {"size": 4})]
NO_SWAPS = [
    ("antipod", {"side": 3}),
    ("hex", {"size": 4, "swap": "off"}),
    ("cylindrical-hex", {}),
    ("antipalos", {"ruleset": "mail", "size": 4, "swap": "off"}),
    ("antipalos", {}),
    ("antipode", {}),
]


def games(cases):
    return pytest.mark.parametrize("game", [make_game(*case) for case in cases], ids=repr)


def swap(position):
    return position.play(position.parse_move("swap"))


@games(SEAT_SWAPS)
def test_a_swap_of_seats_changes_who_sits_where_and_nothing_on_the_board(game):
    for move in game.initial().legal_moves:
        first = game.initial().play(move)
        swapped = swap(first)
        assert swapped.to_setup().stones == first.to_setup().stones
        assert swapped.to_move is first.to_move
        assert (first.seat_to_move, swapped.seat_to_move) == (1, 0)
        for color in game.colors:
            assert first.seat_of(color) == tuple(1 - seat for seat in swapped.seat_of(color))
        assert swapped != first
        assert swapped.key != first.key


@games(SEAT_SWAPS)
def test_after_a_swap_of_seats_the_same_moves_give_the_same_winner(game):
    rng = random.Random(1)
    for _ in range(20):
        plain = game.initial().play(rng.choice(list(game.initial().legal_moves)))
        swapped = swap(plain)
        while plain.outcome is None:
            move = rng.choice(swapped.legal_moves)
            plain, swapped = plain.play(move), swapped.play(move)
            assert swapped.outcome == plain.outcome
            assert swapped.seat_to_move == 1 - plain.seat_to_move


@pytest.mark.parametrize("size", [2, 3, 5, 11])
def test_a_swap_of_pieces_mirrors_the_first_stone_and_its_color(size):
    game = make_game("hex", {"size": size})
    for move in list(game.initial().legal_moves):
        swapped = swap(game.initial().play(move))
        mirrored = move % size * size + move // size
        assert swapped.stones() == {mirrored: Color.WHITE}
        assert (swapped.to_move, swapped.seat_to_move) == (Color.BLACK, 0)
        assert swapped.seat_of(Color.BLACK) == (0,)
        assert swapped.last_cell == mirrored


def test_a_swap_of_pieces_is_a_swap_of_sides_seen_in_the_mirror():
    """Play on after each kind of swap, mirrored and with colours exchanged: the same seats win."""
    size = 4
    pieces = make_game("hex", {"size": size})
    sides = make_game("hex", {"size": size, "swap": "sides"})
    rng = random.Random(2)
    for _ in range(50):
        first = rng.choice(list(pieces.initial().legal_moves))
        one, other = swap(pieces.initial().play(first)), swap(sides.initial().play(first))
        while one.outcome is None:
            assert one.seat_to_move == other.seat_to_move
            move = rng.choice(one.legal_moves)
            one, other = one.play(move), other.play(move % size * size + move // size)
            assert (one.outcome is None) == (other.outcome is None)
        assert one.outcome.winner is not None
        assert other.outcome.winner is not None
        assert one.seat_of(one.outcome.winner) == other.seat_of(other.outcome.winner)


@games(ALL_SWAPS)
def test_a_swap_is_legal_as_the_second_ply_and_never_again(game):
    rng = random.Random(3)
    position = game.initial()
    while position.outcome is None:
        texts = {position.format_move(move) for move in position.legal_moves}
        assert ("swap" in texts) == (position.ply == 1)
        position = position.play(
            rng.choice([m for m in position.legal_moves if position.format_move(m) != "swap"])
        )
    with pytest.raises(IllegalMoveError):
        swap(game.initial())
    swapped = swap(game.initial().play(next(iter(game.initial().legal_moves))))
    with pytest.raises(IllegalMoveError) as caught:
        swap(swapped)
    assert caught.value.code == "move/no-swap"


@games(NO_SWAPS)
def test_without_the_option_no_player_can_swap(game):
    position = game.initial()
    for _ in range(4):
        assert "swap" not in {position.format_move(move) for move in position.legal_moves}
        assert not position.swapped
        position = position.play(next(iter(position.legal_moves)))


@games(ALL_SWAPS)
def test_a_setup_keeps_a_swap_and_the_right_to_it(game):
    for move in game.initial().legal_moves:
        first = game.initial().play(move)
        assert "swap" in {first.format_move(m) for m in game.position(first.to_setup()).legal_moves}
        swapped = game.position(swap(first).to_setup())
        assert swapped == swap(first)
        assert "swap" not in {first.format_move(m) for m in swapped.legal_moves}

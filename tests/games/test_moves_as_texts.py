"""Laws of the ways in which programs name moves: numbers, texts and places in a sequence."""

import random

import pytest

import antipodes as ap
from antipodes.errors import IllegalMoveError, InvalidMoveError

HEX = ap.Hex(size=5).initial()


def test_moves_are_played_by_their_texts():
    assert HEX.play("c3") == HEX.play(HEX.parse_move("c3"))
    assert HEX.play("c3").play("swap").swapped
    turned = ap.Antipalos(size=12).initial()
    assert turned.play("a1*") == turned.play(turned.parse_move("a1*"))


def test_texts_that_are_no_legal_moves_are_refused_with_a_reason():
    after = HEX.play("c3")
    with pytest.raises(IllegalMoveError, match="c3 is not legal: the point is not empty"):
        after.play("c3")
    with pytest.raises(InvalidMoveError, match="'tea' is not a move of Hex"):
        after.play("tea")
    assert after.why_illegal("c3") is ap.Illegality.OCCUPIED
    assert after.why_illegal("c4") is None
    with pytest.raises(InvalidMoveError):
        after.why_illegal("tea")
    among = [text for text in ("c4", "c3", "tea") if after.legal_moves.__contains__(text)]
    assert among == ["c4"]


def test_the_legal_moves_are_a_sequence():
    moves = HEX.legal_moves
    assert moves[0] == HEX.parse_move("a1")
    assert moves[-1] == HEX.parse_move("e5")
    assert moves[1:3] == (HEX.parse_move("b1"), HEX.parse_move("c1"))
    assert next(reversed(moves)) == moves[-1]
    assert moves.index(moves[7]) == 7
    assert moves.count(moves[7]) == 1
    assert all(moves[index] for index in range(len(moves)))  # moves are true, also number 0
    with pytest.raises(IndexError):
        moves[len(moves)]


def test_a_random_move_is_chosen_from_the_legal_moves():
    chosen = random.Random(1).choice(HEX.legal_moves)
    assert chosen in HEX.legal_moves
    assert len(random.Random(1).sample(HEX.legal_moves, 3)) == 3

"""Laws of the ways in which programs name moves: numbers, texts and places in a sequence."""

import random

import numpy as np
import pytest

import antipodes as ap
from antipodes.errors import IllegalMoveError, InvalidMoveError
from antipodes.learn.move_words import move_in_words

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


@pytest.mark.parametrize("move", [3.7, 3.0, True, None, b"c3", [3], np.float64(3), np.True_])
def test_a_move_that_is_no_number_and_no_text_is_refused(move):
    root = ap.Record(HEX.game).root
    plays = [HEX.play, HEX.why_illegal, root.play, root.add]
    for take in [*plays, lambda given: move_in_words(HEX, given)]:
        with pytest.raises(TypeError, match="a move is a number or a text"):
            take(move)
    assert root.children == ()


def test_whole_numbers_of_all_kinds_are_moves():
    for move in (7, np.int64(7), np.uint8(7), ap.Move(7)):
        assert HEX.play(move) == HEX.play("c2")

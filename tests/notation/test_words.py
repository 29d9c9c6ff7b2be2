"""Positions in words, for people who do not see the picture."""

import pytest

from antipodes.notation.rods import rod_by_points, rod_by_square
from antipodes.notation.text import clean, plain_lines, shorten
from antipodes.notation.words import describe
from tests.notation.scenes import GAMES, after, played


def test_stones_are_told_by_color_with_last_move_and_winning_chain():
    position = after("hex", {"size": 3, "swap": "off"}, "b2 a2 c1 b1 a3")
    assert describe(position.scene()) == (
        "Hex: Black wins by connection. Black (3): c1, b2, a3. White (2): b1, a2. "
        "Last move: a3. Winning chain: a3, b2, c1."
    )


def test_pawns_are_told():
    assert describe(played("antipode", 0)[0].scene()) == (
        "Antipode, move 1: Blue to move. Red (3): a1, e9, i1. Blue (3): a5, e1, i5. "
        "Blue pawn: e1. Red pawn: e9."
    )


def test_rods_are_told_as_moves_write_them():
    boxed = after("antipalos", {"size": 12}, "A1* *B1")
    assert "Black (1): *B1. White (1): A1*. Last move: *B1." in describe(boxed.scene())
    mail = after("antipalos", {"ruleset": "mail", "size": 3}, "b1-c2 a3-b2")
    assert "Vert (1): b1-c2. Horz (1): a3-b2. Last move: a3-b2." in describe(mail.scene())


def test_rim_points_of_antipod_are_told_with_the_plus_that_moves_write():
    position = after("antipod", {"side": 4, "handicap": "none"}, "b1+ d3")
    told = describe(position.scene())
    assert "White (1): b1+." in told
    assert "Last move: d3." in told
    assert "Last move: b1+." in describe(after("antipod", {"side": 4}, "b1").scene())


def test_an_empty_board_and_hints_are_told():
    scene = played("hex-2", 0)[0].scene().with_hints((0, 3))
    assert describe(scene) == "Hex, move 1: Black to move. The board is empty. Pointed out: a1, b2."


@pytest.mark.parametrize("name", GAMES)
def test_every_piece_is_told_once(name):
    scene = played(name, 25)[0].scene()
    told = sum(int(part.split(")")[0]) for part in describe(scene).split(" (")[1:])
    assert told == len(scene.stones) + len(scene.rods)


def test_rods_are_named_by_square_and_by_grid_points():
    assert (rod_by_square("B4", "/"), rod_by_square("B4", "\\")) == ("B4*", "*B4")
    assert (rod_by_points(3, 1, "/"), rod_by_points(3, 1, "\\")) == ("b4-c5", "b5-c4")
    assert rod_by_points(25, 25, "/") == "z26-aa27"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("  f4 ", "f4"),
        ("B2\\* \u2013 B3\\*", "B2* - B3*"),
        ("\u2217F7", "*F7"),
        ("d3\u2011e4", "d3-e4"),
        ("f1\\+", "f1+"),
        ("f\u200b4\ufeff", "f4"),
        ("a\xa0\u3000b", "a b"),
    ],
)
def test_moves_are_cleaned_of_what_word_processors_do_to_them(written, read):
    assert clean(written) == read
    assert clean(clean(written)) == read


def test_lines_of_pictures_keep_their_columns():
    assert plain_lines("a\xa0\xa0b\r\nc\td\re\u200bf  ") == ["a  b", "c       d", "ef"]


def test_long_values_are_cut_in_messages():
    assert shorten("ab") == "'ab'"
    assert len(shorten("x" * 500)) == 60

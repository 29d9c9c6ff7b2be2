"""Pictures in plain text: the layouts that people and programs rely on."""

import pytest

from antipodes.notation.ascii_pictures import draw, legend
from tests.notation.scenes import GAMES, after, played


def lines(text):
    """Return the lines of a picture written in a test, without the line break before it."""
    return text.strip("\n").split("\n")


def test_hex_rows_lean_to_the_right():
    picture = """
   a b c
 1 . o x 1
  2 o x . 2
   3 x . . 3
      a b c"""
    position = after("hex", {"size": 3, "swap": "off"}, "b2 a2 c1 b1 a3")
    assert draw(position.scene()).split("\n") == lines(picture)


def test_the_cylinder_is_drawn_like_hex():
    picture = """
   a b c d
 1 . x . . 1
  2 . . o . 2
     a b c d"""
    position = after("cylindrical-hex", {"rows": 2, "columns": 4}, "b1 c2")
    assert draw(position.scene()).split("\n") == lines(picture)


def test_antipode_names_files_below_and_their_last_ranks_above():
    picture = """
                 9
             8   R   8
         7   .       .   7
     6   .       .       .   6
 5   .       .       .       .   5
 b       .       .       .       b
     .       .       .       .
 .       .       .       .       .
     .       .       .       .
 .       .       .       .       .
     .       .       .       .
 .       .       .       .       .
     .       .       .       .
 r       .       .       .       r
     .       .       .       .
         .       .       .
             .       .
                 B

 a   b   c   d   e   f   g   h   i"""
    assert draw(played("antipode", 0)[0].scene()).split("\n") == lines(picture)


def test_antipalos_shows_color_and_diagonal_in_squares():
    position = after("antipalos", {"size": 12}, "A1* *B1 C2*")
    last = draw(position.scene()).split("\n")[-3:]
    assert last == [
        " 2  .  .  o/ .  .  .  .  .  .  .  .  .  2",
        " 1  o/ x\\ .  .  .  .  .  .  .  .  .  .  1",
        "    A  B  C  D  E  F  G  H  I  J  K  L",
    ]


def test_the_mail_ruleset_shows_the_grid_points_that_moves_name():
    picture = r"""
    a   b   c   d
 4  +   +   +   +  4

 3  +   +   +   +  3
     h\      v/
 2  +   +   +   +  2
     h/  v/
 1  +   +   +   +  1
    a   b   c   d"""
    moves = "b1-c2 a1-b2 c2-d3 a3-b2"
    position = after("antipalos", {"ruleset": "mail", "size": 3}, moves)
    assert draw(position.scene()).split("\n") == lines(picture)


@pytest.mark.parametrize("name", GAMES)
def test_pictures_have_no_spaces_at_the_ends_of_lines_and_no_empty_last_line(name):
    for plies in (0, 7, 400):
        picture = played(name, plies)[0].picture()
        assert all(line == line.rstrip() for line in picture.split("\n"))
        assert picture.split("\n")[-1]


@pytest.mark.parametrize("name", GAMES)
def test_a_picture_shows_every_piece_once_at_each_of_its_places(name):
    position, _ = played(name, 30)
    scene = position.scene()
    if scene.rods:
        assert sum(position.picture().count(diagonal) for diagonal in "/\\") == len(scene.rods)
    elif scene.topology.kind == "hexhex":
        body = position.picture().rsplit("\n", 1)[0].lower()
        assert body.count("r") + body.count("b") == len(scene.stones)
    elif scene.topology.kind == "sphere":
        rows = [line[6:] for line in position.picture().split("\n")[4:]]
        shown = sum(len(scene.topology.places_of[cell]) for cell in scene.stones)
        assert sum(row.count("x") + row.count("o") for row in rows) >= shown - 4
    else:
        rows = position.picture().split("\n")[1:-1]
        assert sum(row.count("x") + row.count("o") for row in rows) == len(scene.stones)


def test_the_legend_explains_characters_and_names_what_the_picture_cannot_show():
    position = after("hex", {"size": 3, "swap": "off"}, "b2 a2 c1 b1 a3")
    assert legend(position.scene()) == (
        "x Black, o White. Last move: a3. Winning chain: a3, b2, c1."
    )
    assert legend(played("antipode", 0)[0].scene()) == (
        "r Red, b Blue, a capital has the pawn on it."
    )
    assert legend(played("hex", 0)[0].scene()) == ""

"""Pictures in text of every game: recognised in mails, read, and refused with all faults."""

import random
from pathlib import Path

import pytest

from antipodes.errors import InvalidPictureError
from antipodes.games.registry import make_game
from antipodes.records.pictures import picture_text, read_picture
from tests.cases import for_each

MAILS = sorted((Path(__file__).parents[1] / "golden/mail").glob("*.txt"))
GAMES = {
    "hex": {"size": 5},
    "cylindrical-hex": {"rows": 4, "columns": 6},
    "antipode": {},
    "antipalos": {"size": 12},
    "antipod": {"side": 4},
}


def picture_of(mail):
    """Return the lines of the picture in a mail."""
    lines = mail.split("\n")
    at = next(i for i, line in enumerate(lines) if line.startswith("Picture: "))
    return lines[at + 1 : at + 1 + int(lines[at].split()[1])]


def positions(game_id):
    rng = random.Random(game_id)
    position = make_game(game_id, GAMES[game_id]).initial()
    for ply in range(30):
        if position.outcome is not None:
            return
        if ply % 6 == 0:
            yield position
        position = position.play(rng.choice(position.legal_moves))


@pytest.mark.parametrize("game_id", GAMES)
def test_a_drawn_position_is_read_as_the_same_picture(game_id):
    for position in positions(game_id):
        picture = position.picture()
        for text in (picture, "> " + picture.replace("\n", "\n> "), f"Hello\n\n{picture}\n\nBye"):
            found = read_picture(text)
            assert found.picture() == picture
            assert (found.game.id, found.to_move) == (game_id, position.to_move)


def test_a_whole_mail_tells_the_options_the_turn_and_the_side():
    seen = set()
    for path in MAILS:
        mail = path.read_text(encoding="utf-8")
        if mail.count("\nPicture: ") != 1:  # none, or a digest
            continue
        picture = picture_of(mail)
        found = read_picture(mail)
        seen.add(found.game.id)
        views = [found.picture(seat).split("\n") for seat in range(found.game.seats)]
        assert picture in views, path.name
        assert f"Game: {found.game.id}\n" in mail, path.name
        if "\nTurn: " in mail:
            turn = mail.split("\nTurn: ")[1].split("\n")[0]
            assert f"; {found.to_move.title} (" in turn, path.name
    assert seen == set(GAMES)


def drawn(*moves, game="hex", **options):
    """Return a picture of a board after some moves."""
    position = make_game(game, options).initial()
    for move in moves:
        position = position.play(move)
    return position.picture()


def test_options_that_are_given_precede_those_of_the_mail():
    mail = f"Game: hex\nOptions: size=9 swap=off first\n\n{drawn('b2', size=3)}"
    assert read_picture(mail).game == make_game("hex", {"size": 3, "swap": "off"})
    found = read_picture(mail, {"swap": "sides"})
    assert found.game == make_game("hex", {"size": 3, "swap": "sides"})
    assert read_picture(drawn("b2", size=3)).game == make_game("hex", {"size": 3})


def test_the_first_field_of_a_name_counts_and_continues_in_indented_lines():
    picture = drawn("b2", size=3)
    for mail in (
        f"Options: swap=off\nOptions: swap=sides\n{picture}",
        f"Options: size=3\n    swap=off\n{picture}",
        f"> Options: size=3\n>     swap=off\n> {picture.replace(chr(10), chr(10) + '> ')}",
        f"Options: swap=off\nOptions: size=4\n    swap=sides\n{picture}",
        f"Options: swap=off\nwords\n    swap=sides\n{picture}",
    ):
        assert read_picture(mail).game.options.swap == "off", mail


@pytest.mark.parametrize(
    ("turn", "to_move"),
    [
        ("Turn: move 2; seat 2; White (o); bob", "white"),
        ("Turn: move 2; seat 1; Black (x)", "black"),
        ("Turn: move 2", "white"),
    ],
)
def test_the_turn_of_a_mail_precedes_the_number_of_stones(turn, to_move):
    found = read_picture(f"{turn}\n\n{drawn('b2', size=3)}")
    assert found.to_move.value == to_move
    assert found.picture() == drawn("b2", size=3)


@pytest.mark.parametrize(("view", "seat"), [(0, 0), (1, 0), (2, 1), (3, 0)])
def test_a_board_is_seen_from_a_seat_that_there_is(view, seat):
    position = make_game("antipalos", {"size": 12}).initial().play("A1*").play("*B2")
    shown = position.picture(seat)
    found = read_picture(f"View: seat {view}; White (o)\n\n{shown}")
    assert found.picture(seat) == shown
    assert found.picture() == position.picture()


def test_a_mail_names_the_game_of_a_board_that_several_games_have():
    picture = drawn(game="cylindrical-hex", rows=4, columns=4)
    assert read_picture(f"Game: cylindrical-hex\n\n{picture}").game.id == "cylindrical-hex"


def test_stones_that_no_game_has_are_refused():
    picture = drawn("a1", size=3).replace("x", ".")
    rows = picture.replace(" .", " x")
    with pytest.raises(InvalidPictureError) as caught:
        read_picture(rows)
    assert caught.value.faults
    with pytest.raises(InvalidPictureError):
        read_picture(f"Turn: move 9; seat 1; Red (r)\n\n{picture}")


FAULTS = [
    ("hex", " 2 ", None, ("picture/missing-row", "row 2")),
    ("hex", "2 . ", "2 ", ("picture/row-length", "line 3")),
    ("hex", "2 . ", "2 q ", ("picture/unknown-character", "line 3")),
    ("hex", "2 . ", "2 v ", ("position/no-such-color", "a2")),
    ("antipalos", "2  .  ", "2  o   ", ("picture/unknown-character", "line 2")),
]


@for_each("game_id, old, new, expected", FAULTS)
def test_faults_are_named_with_their_place(game_id, old, new, expected):
    lines = make_game(game_id, GAMES[game_id]).initial().picture().split("\n")
    at = next(i for i, line in enumerate(lines) if old in line)
    lines[at : at + 1] = [] if new is None else [lines[at].replace(old, new, 1)]
    with pytest.raises(InvalidPictureError) as caught:
        read_picture("\n".join(lines))
    assert expected in [(fault.code, fault.where) for fault in caught.value.faults]


def test_a_rod_beside_the_squares_of_a_mail_board_is_refused():
    game = make_game("antipalos", {"ruleset": "mail", "size": 3})
    picture = game.initial().play("a1-b2").picture().replace("v/", "  v/")
    with pytest.raises(InvalidPictureError) as caught:
        read_picture(picture)
    assert [fault.code for fault in caught.value.faults] == ["picture/misplaced"]


def test_a_board_that_no_game_has_is_refused():
    rows = [f" {number}  .  .  .  {number}" for number in (2, 1)]
    with pytest.raises(InvalidPictureError, match="3x2, but boards here are square"):
        read_picture("\n".join(rows))


@for_each("game_id", GAMES)
def test_the_text_of_a_picture_is_given_as_it_is(game_id):
    picture = make_game(game_id, GAMES[game_id]).initial().picture()
    text = f"Zoë,\n\n{picture}\n"
    assert picture_text(text) == text
    assert picture_text(text.encode()) == text
    assert picture_text(text.encode("latin-1")) == text.replace("ë", "\ufffd")
    assert picture_text("(;GM[11])") is None


@for_each("text", ["1 plus 1\n2 of 2\n", "1 7 1\n2 8 2", ""])
def test_other_texts_are_no_pictures(text):
    assert picture_text(text) is None

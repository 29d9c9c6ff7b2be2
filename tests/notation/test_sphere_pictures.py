"""Antipod's pictures: the mail server's layout is drawn exactly, and read with all its faults."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from antipodes.core import Color
from antipodes.errors import InvalidPictureError, InvalidPositionError
from antipodes.games.antipod import Antipod
from antipodes.notation.sphere_reading import side_of_picture

DATA = Path(__file__).resolve().parents[1] / "data"
START = (DATA / "antipod_picture_start.txt").read_text(encoding="utf-8")
FINISHED = (DATA / "antipod_picture_finished.txt").read_text(encoding="utf-8")
GAME = Antipod()


def random_position(side, plies, seed, **options):
    position = Antipod(side=side, **options).initial()
    chance = random.Random(seed)
    for _ in range(plies):
        if position.outcome is not None:
            break
        position = position.play(chance.choice(list(position.legal_moves)))
    return position


def faults_of(text, game=GAME, read=None):
    with pytest.raises(InvalidPictureError) as caught:
        (read or game.position_from_picture)(text)
    return [(fault.code, fault.where) for fault in caught.value.faults]


# --- the printed boards ---------------------------------------------------------------------


def test_the_start_position_is_drawn_as_the_mail_server_draws_it():
    printed = [line.rstrip() for line in START.replace("\xa0", " ").splitlines()]
    assert GAME.initial().picture().split("\n") == printed


def test_the_printed_start_is_the_start_position():
    assert "\xa0" in START
    assert GAME.position(GAME.read_picture(START)) == GAME.initial()


def test_the_printed_finished_game_is_a_black_win_with_44_moves_a_side():
    position = GAME.position(GAME.read_picture(FINISHED))
    assert str(position.outcome) == "Black wins by connection"
    assert position.ply == 88
    placed = [c for cell, c in position.stones().items() if cell not in GAME.start_stones()]
    assert (placed.count(Color.BLACK), placed.count(Color.WHITE)) == (44, 44)
    printed = [line.rstrip() for line in FINISHED.replace("\xa0", " ").splitlines()]
    assert position.picture().split("\n") == printed


# --- drawing and reading ----------------------------------------------------------------------


@given(side=st.integers(2, 10), plies=st.integers(0, 120), seed=st.integers(0, 10**6))
def test_a_drawn_position_is_read_as_the_same_position(side, plies, seed):
    position = random_position(side, plies, seed)
    game, picture = position.game, position.picture()
    assert game.position_from_picture(picture) == position
    assert side_of_picture(picture) == side


@pytest.mark.parametrize("handicap", ["six", "two", "none"])
@pytest.mark.parametrize("first", ["white", "black"])
def test_options_do_not_change_that_a_drawn_position_is_read(handicap, first):
    position = random_position(4, 15, 1, handicap=handicap, first=first)
    assert position.game.position_from_picture(position.picture()) == position


DISGUISES = {
    "quoted": lambda text: "\n".join("> " + line for line in text.split("\n")),
    "quoted twice": lambda text: "\n".join("> > " + line for line in text.split("\n")),
    "quoted with bars": lambda text: "\n".join("| " + line for line in text.split("\n")),
    "non-breaking spaces": lambda text: text.replace(" ", "\xa0"),
    "ideographic spaces": lambda text: text.replace(" ", "\u3000"),
    "Windows lines": lambda text: text.replace("\n", "\r\n"),
    "old Mac lines": lambda text: text.replace("\n", "\r"),
    "tabs": lambda text: text.replace("    ", "\t"),
    "capitals": str.upper,
    "zero-width spaces": lambda text: text.replace(" ", " \u200b"),
    "byte order mark": lambda text: "\ufeff" + text,
    "no spaces between points": lambda text: text.replace(". ", ".").replace("o ", "o"),
    "captions": lambda text: f"Dear friend,\na fine game!\n\n{text}\n\nI wait for your move.\n",
    "no header": lambda text: "\n".join(text.split("\n")[4:]),
    "no slashes": lambda text: text.replace("/", " "),
}


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES.keys())
def test_mail_programs_do_not_spoil_a_picture(disguise):
    for position in (GAME.initial(), GAME.position_from_picture(FINISHED)):
        assert GAME.position_from_picture(disguise(position.picture())) == position


@pytest.mark.parametrize("side", [9, 10])
def test_large_boards_stand_one_above_the_other_and_fit_80_columns(side):
    lines = random_position(side, 40, 1).picture().split("\n")
    assert max(map(len, lines)) <= 78
    assert [line.split()[0] for line in lines if line.strip()[:1].isalpha()] == 2 * [
        chr(ord("a") + row) for row in range(2 * side - 1)
    ]


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES.keys())
def test_mail_programs_do_not_spoil_boards_one_above_the_other(disguise):
    position = random_position(9, 100, 1)
    if disguise is DISGUISES["no header"]:
        disguise = DISGUISES["no slashes"]
    assert position.game.position_from_picture(disguise(position.picture())) == position


def test_faults_of_boards_one_above_the_other_are_in_their_own_lines():
    game = Antipod(side=9)
    picture = game.initial().picture()
    lines = picture.split("\n")
    below = [number for number, line in enumerate(lines) if line.split()[:1] == ["b"]][1]
    spoilt = [*lines]
    spoilt[below] = lines[below].replace(". .", "? .", 1)
    fault = [("picture/unknown-character", f"line {below + 1}")]
    assert faults_of("\n".join(spoilt), game) == fault
    spoilt[below] = lines[below].replace(". .", ".", 1)
    assert faults_of("\n".join(spoilt), game) == [("picture/row-length", f"line {below + 1}")]
    codes = {code for code, _ in faults_of(f"{picture}\n{picture}", game)}
    assert codes == {"picture/row-twice"}
    assert faults_of(picture) == [("picture/side", "")]


# --- faults -------------------------------------------------------------------------------------


def changed(text, row, old, new, count=1):
    """Change what stands in a row of a picture."""
    lines = text.split("\n")
    index = next(i for i, line in enumerate(lines) if line.split()[:1] == [row])
    assert old in lines[index]
    lines[index] = lines[index].replace(old, new, count)
    return "\n".join(lines)


PICTURE = GAME.initial().picture()


def test_boards_that_disagree_on_the_rim_are_refused_point_by_point():
    text = changed(PICTURE, "a", "o . . . . o", "o x o . . o")
    assert faults_of(text) == [("picture/rim-disagrees", "a2"), ("picture/rim-disagrees", "a3")]
    with pytest.raises(InvalidPictureError, match=r"a2: shown as x, but as \. at a13"):
        GAME.position_from_picture(text)


def test_missing_rows_are_all_named():
    lines = [line for line in PICTURE.split("\n") if line.split()[:1] not in (["c"], ["h"])]
    assert faults_of("\n".join(lines)) == [
        ("picture/missing-row", "row c"),
        ("picture/missing-row", "row h"),
    ]


def test_rows_of_a_wrong_length_are_named_with_their_line():
    text = changed(PICTURE, "b", ". . . . . . .", ". . . . . .")
    assert faults_of(text) == [("picture/row-length", "line 6")]


def test_unknown_characters_are_named_one_by_one():
    text = changed(changed(PICTURE, "b", ". .", "? ."), "e", ". . .", ". * qq")
    with pytest.raises(InvalidPictureError) as caught:
        GAME.position_from_picture(text)
    assert [str(fault) for fault in caught.value.faults] == [
        "line 6: b1 shows '?', but points are x, o or .",
        "line 9: e2 shows '*', but points are x, o or .",
        "line 9: e3 shows 'qq', but points are x, o or .",
    ]


def test_two_pictures_in_one_text_are_not_guessed_at():
    codes = {code for code, _ in faults_of(PICTURE + "\n" + PICTURE)}
    assert codes == {"picture/row-twice"}


def test_a_picture_of_another_side_is_one_fault():
    small = Antipod(side=4).initial().picture()
    assert faults_of(small) == [("picture/side", "")]
    assert faults_of(PICTURE, Antipod(side=4)) == [("picture/side", "")]


@pytest.mark.parametrize("text", ["", "\n\n", "no picture at all", "1 2 3", "\x00\x01"])
def test_a_text_without_a_picture_is_one_fault(text):
    assert faults_of(text) == [("picture/no-board", "")]


def test_all_kinds_of_faults_are_reported_at_once():
    text = changed(PICTURE, "a", "o . . . . o", "o x . . . o")
    text = changed(text, "c", ". . . .", ". ! . .")
    text = changed(text, "d", ". . .", ". .")
    text = "\n".join(line for line in text.split("\n") if line.split()[:1] != ["j"])
    text = changed(text, "f", "x", ".")
    assert faults_of(text) == [
        ("picture/unknown-character", "line 7"),
        ("picture/row-length", "line 8"),
        ("picture/missing-row", "row j"),
        ("picture/rim-disagrees", "a2"),
        ("position/start-stone", "f6"),
    ]


def test_impossible_material_is_refused_with_all_reasons():
    text = changed(PICTURE, "f", "x", ".", 2)
    text = changed(text, "g", ". . . . .", ". o o o o")
    codes = faults_of(text)
    assert codes[:2] == [("position/start-stone", "f6"), ("position/start-stone", "f17")]
    assert ("position/material", "") in codes
    with pytest.raises(InvalidPositionError):
        GAME.position(GAME.read_picture(text))


def test_material_is_not_judged_while_the_rim_is_in_dispute():
    # With one stone more or less on the rim the numbers could still come out right.
    text = changed(PICTURE, "g", ". . . .", ". o o .")
    text = changed(text, "a", "o . . . . o", "o x . . . o")
    assert faults_of(text) == [("picture/rim-disagrees", "a2")]


def refusal(read, text):
    """Return why a text is not a picture, or None if it is one."""
    try:
        read(text)
    except InvalidPictureError as error:
        return error.faults
    return None


PIECES = st.lists(
    st.sampled_from([*"abcdefgxo./>|?*\n \t\r\xa0", "a o . . o", "\nb . x .", "f ", "12", "/ 7"])
)


@given(text=st.one_of(st.text(), PIECES.map("".join)), side=st.integers(2, 10))
def test_the_reader_of_any_text_raises_nothing_but_its_own_error(text, side):
    game = Antipod(side=side)
    for read in (game.read_picture, game.position_from_picture):
        assert refusal(read, text) != ()


@given(data=st.data(), seed=st.integers(0, 99))
def test_a_spoilt_picture_is_read_or_refused_with_reasons(data, seed):
    position = random_position(3, 6, seed)
    text = list(position.picture())
    for _ in range(data.draw(st.integers(1, 4))):
        index = data.draw(st.integers(0, len(text) - 1))
        text[index] = data.draw(st.sampled_from("xo. ?\nab1/"))
    faults = refusal(position.game.position_from_picture, "".join(text))
    assert faults is None or all(fault.code and fault.message for fault in faults)

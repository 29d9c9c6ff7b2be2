"""Laws of positions as one line of text."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import antipodes as ap
from antipodes.core import Termination
from antipodes.errors import InputError, InvalidPositionError
from tests.fuzz.texts import ANYTHING, damaged
from tests.records.strategies import games


@st.composite
def positions(draw):
    """Return a position after random moves of any game with any options, perhaps the last one."""
    position = draw(games()).initial()
    chance = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 80))):
        if position.outcome is not None:
            break
        position = position.play(chance.choice(position.legal_moves))
    return position


@given(positions())
def test_a_position_and_its_line_of_text_go_both_ways(position):
    outcome = position.outcome
    if outcome is not None and outcome.termination is Termination.REPETITION:
        return  # a setup holds no history
    text = ap.write_position(position)
    assert "\n" not in text
    again = ap.read_position(text)
    assert again == position
    assert again.game == position.game
    assert again.outcome == outcome
    assert ap.write_position(again) == text


WRITTEN = st.sampled_from(
    [
        "hex size=5; black a2 c3; white b4; to-move white; seat 1; swapped; composed",
        "antipode; pawns blue=a1 red=e9; phase-two-plies 3; rods-left vert=3 horz=4",
    ]
)


@given(ANYTHING | damaged(WRITTEN))
def test_any_text_is_read_or_refused_with_a_reason(text):
    try:
        position = ap.read_position(text)
    except InputError:
        return
    assert ap.read_position(ap.write_position(position)) == position


def test_the_line_is_written_for_people():
    position = ap.Hex(size=5).initial().play("b2").play("swap").play("c3")
    assert ap.write_position(position) == "hex size=5; black c3; white b2; to-move white; swapped"
    assert ap.read_position("hex size=3; white c2; black b2 a3").to_move == ap.Color.WHITE


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "position/unreadable"),
        ("; black b2", "position/unreadable"),
        ("chess", "game/unknown"),
        ("hex size", "position/unreadable"),
        ("hex size=3 size=4", "position/unreadable"),
        ("hex size=99", "option/out-of-range"),
        ("hex; green b2", "position/unreadable"),
        ("hex; red b2", "position/no-such-color"),
        ("hex; black z99", "position/no-such-point"),
        ("hex; to-move", "position/unreadable"),
        ("hex; to-move black white", "position/unreadable"),
        ("hex; seat one", "position/unreadable"),
        ("hex; seat 1; seat 1", "position/unreadable"),
        ("hex; swapped yes", "position/unreadable"),
        ("antipode; pawns blue", "position/unreadable"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(text, code):
    with pytest.raises(InputError) as caught:
        ap.read_position(text)
    assert caught.value.faults[0].code == code


def test_all_that_is_wrong_with_a_line_is_told_at_once():
    with pytest.raises(InvalidPositionError) as caught:
        ap.read_position("hex; seat x; nothing; rods-left black=many")
    assert len(caught.value.faults) == 3

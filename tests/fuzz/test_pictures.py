"""Fuzz pictures: each is a setup, or is refused with its faults."""

import random

from hypothesis import given
from hypothesis import strategies as st

from antipodes.errors import InvalidPictureError
from antipodes.games.antipod import Antipod
from tests.fuzz.tally import attempt
from tests.fuzz.texts import ANYTHING, BITS, damaged

GAMES = [
    Antipod(side=side, handicap=handicap) for side in (2, 3, 6, 10) for handicap in ("six", "none")
]


@st.composite
def pictures(draw):
    """Return a game and the picture of a random position."""
    game = draw(st.sampled_from(GAMES))
    rng = random.Random(draw(st.integers(0, 2**32)))
    position = game.initial()
    for _ in range(draw(st.integers(0, 40))):
        if position.outcome is None:
            position = position.play(rng.choice(list(position.legal_moves)))
    return game, position.picture()


@st.composite
def damaged_pictures(draw):
    """Return a game and a picture that was damaged as by mail programs and people."""
    game, text = draw(pictures())
    lines = text.split("\n")
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(lines) - 1)) if lines else 0
        kind = draw(st.integers(0, 4))
        if kind == 0:
            del lines[at : at + 1]
        elif kind == 1:
            lines[at:at] = [draw(ANYTHING)]
        elif kind == 2 and lines:
            lines[at:at] = [lines[at]]
        elif lines:
            column = draw(st.integers(0, len(lines[at])))
            lines[at] = lines[at][:column] + draw(BITS) + lines[at][column + kind % 2 :]
    prefix = draw(st.sampled_from(["", "> ", "\t", "\u00a0"]))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    return game, end.join(prefix + line for line in lines)


@given(pictures())
def test_a_written_picture_is_read_back(given_):
    game, text = given_
    position = attempt("pictures", game.position_from_picture, text)
    assert position is not None
    assert position.picture() == text


@given(damaged_pictures())
def test_a_damaged_picture_is_read_or_refused(given_):
    game, text = given_
    setup = attempt("pictures", game.read_picture, text, errors=InvalidPictureError)
    position = attempt("pictures", game.position_from_picture, text, errors=InvalidPictureError)
    if position is not None:
        assert setup is not None
        assert game.position_from_picture(position.picture()) == position


@given(st.sampled_from(GAMES), ANYTHING | damaged(st.just("a x o . a x o .\n" * 3), most=10))
def test_any_text_is_read_or_refused(game, text):
    attempt("pictures", game.position_from_picture, text, errors=InvalidPictureError)

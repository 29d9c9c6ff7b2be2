"""Fuzz moves: each text is read as a move, or refused."""

import random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from antipodes.errors import IllegalMoveError, InvalidMoveError, MoveError
from antipodes.games.registry import make_game
from tests.fuzz.tally import attempt
from tests.fuzz.texts import ANYTHING, damaged

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("antipod", {}),
    ("antipod", {"side": 2, "swap": "on", "handicap": "none"}),
    ("antipod", {"side": 10}),
    ("hex", {}),
    ("hex", {"size": 26, "swap": "sides"}),
    ("hex", {"size": 2, "swap": "off"}),
    ("cylindrical-hex", {"rows": 26, "columns": 3}),
    ("antipode", {}),
    ("antipalos", {"size": 20}),
    ("antipalos", {"size": 12, "rods": 2, "seats": "team"}),
    ("antipalos", {"ruleset": "mail", "size": 26}),
    ("antipalos", {"ruleset": "mail", "size": 3}),
]


def positions(game):
    """Return the first positions of a random game, and one in a later phase."""
    rng = random.Random(1)
    found = [game.initial()]
    for _ in range(10):
        if found[-1].outcome is None:
            legal = found[-1].legal_moves.array()
            found.append(found[-1].play(int(legal[rng.randrange(len(legal))])))
    return [found[0], found[min(1, len(found) - 1)], found[len(found) // 2], found[-1]]


POSITIONS = [position for case in GAMES for position in positions(make_game(*case))]


@st.composite
def positions_and_texts(draw):
    """Return a position and a text that may be a move of it."""
    position = draw(st.sampled_from(POSITIONS))
    move = draw(st.integers(0, position.game.move_count - 1))
    legal = position.legal_moves.array()
    if len(legal) and draw(st.booleans()):
        move = int(legal[move % len(legal)])
    written = st.just(position.format_move(move))
    return position, draw(damaged(written) | ANYTHING)


@given(positions_and_texts())
@example((POSITIONS[0], ""))
@example((POSITIONS[0], "a\u00b2"))
@example((POSITIONS[0], "swap+"))
@example((POSITIONS[0], "a1++"))
@example((POSITIONS[-1], "a\u0661-b\u0662"))
def test_a_text_is_read_or_refused(given_):
    position, text = given_
    before = position.kernel_state.tobytes()
    move = attempt("moves", position.parse_move, text, errors=MoveError)
    if move is not None:
        assert move in position.legal_moves
        written = position.format_move(move)
        assert position.parse_move(written) == move
        assert position.format_move(position.parse_move(written)) == written
    assert position.kernel_state.tobytes() == before


@given(positions_and_texts(), st.integers(0, 3))
def test_reading_depends_on_the_position_only_for_legality(given_, seat):
    position, text = given_
    move = attempt("moves", position.read_move, text, errors=InvalidMoveError)
    if move is None:
        with pytest.raises(InvalidMoveError):
            position.parse_move(text)
    elif move not in position.legal_moves:
        with pytest.raises(IllegalMoveError):
            position.parse_move(text)
    else:
        assert position.parse_move(text) == move
    if position.game.id == "antipalos" and seat < position.game.seats:
        seen = attempt("moves", position.parse_move, text, seat, errors=MoveError)
        if seen is not None:
            assert position.parse_move(position.format_move(seen, seat), seat) == seen


@given(st.sampled_from(POSITIONS), st.integers() | st.integers(-5, 700))
def test_any_number_is_a_legal_move_or_refused(position, move):
    following = attempt("moves", position.play, move, errors=IllegalMoveError)
    assert (following is not None) == (move in position.legal_moves)
    assert position.describe_move(move)

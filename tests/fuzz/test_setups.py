"""Fuzz setups: each is a position, or is refused with reasons."""

import random
from dataclasses import fields, replace

from hypothesis import given
from hypothesis import strategies as st

from antipodes.core import Color, Setup
from antipodes.errors import InvalidPositionError
from antipodes.games.registry import make_game
from tests.fuzz.tally import attempt
from tests.fuzz.test_moves import GAMES
from tests.fuzz.texts import JSON, damaged

MADE = [make_game(*case) for case in GAMES]
COLORS = st.sampled_from([color.value for color in Color]) | damaged(st.just("black"))
WILD = st.integers(-3, 40) | JSON


@st.composite
def setups(draw):
    """Return a game and a setup that may be valid, with some fields replaced by anything."""
    game = draw(st.sampled_from(MADE))
    rng = random.Random(draw(st.integers(0, 2**32)))
    position = game.initial()
    for _ in range(draw(st.integers(0, 20))):
        if position.outcome is None:
            legal = position.legal_moves.array()
            position = position.play(int(legal[rng.randrange(len(legal))]))
    setup = position.to_setup()
    stones = list(setup.stones)
    for _ in range(draw(st.integers(0, 3))):
        kind = draw(st.integers(0, 2))
        if kind == 0 and stones:
            stones.pop(rng.randrange(len(stones)))
        else:
            name = st.sampled_from([stone[0] for stone in stones] or ["a1"])
            stones.append((draw(damaged(name)), draw(COLORS)))
    setup = replace(setup, stones=tuple(stones))
    changed = draw(
        st.fixed_dictionaries(
            {},
            optional={
                "to_move": st.none() | COLORS | JSON,
                "pawns": st.dictionaries(COLORS, st.sampled_from(["e1", "e9", "a5", "z9"]) | JSON),
                "rods_left": st.dictionaries(COLORS, WILD),
                "seat": st.none() | WILD,
                "swapped": st.booleans() | JSON,
                "phase_two_plies": WILD,
                "composed": st.booleans() | JSON,
            },
        )
    )
    for name in draw(st.sets(st.sampled_from(sorted(changed)))) if changed else ():
        setup = replace(setup, **{name: changed[name]})
    return game, setup


def check(game, setup):
    position = attempt("setups", game.position, setup, errors=InvalidPositionError)
    if position is not None:
        again = game.position(position.to_setup())
        assert again == position
        assert again.key == position.key
        assert again.outcome == position.outcome
        assert position.picture()
        assert bool(len(position.legal_moves)) == (position.outcome is None)


@given(setups())
def test_a_setup_is_a_position_or_refused(given_):
    check(*given_)


@given(
    st.sampled_from(MADE),
    st.fixed_dictionaries({}, optional={field.name: JSON for field in fields(Setup)}),
)
def test_any_json_is_a_position_or_refused(game, values):
    check(game, Setup(**values))

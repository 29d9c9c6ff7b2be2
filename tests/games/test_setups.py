"""Setups: plain values that describe positions, and refusals that tell everything wrong."""

import json
from dataclasses import asdict, replace

import pytest

from antipodes.core import Setup
from antipodes.errors import InvalidPositionError
from antipodes.games.registry import make_game
from tests.thorough import repetitions

from .oracle_games import random_setup

CASES = [
    ("antipod", {"side": 3}),
    ("hex", {"size": 4}),
    ("cylindrical-hex", {"rows": 3, "columns": 4}),
    ("antipode", {}),
    ("antipalos", {"size": 12, "phase_two_limit": 3}),
    ("antipalos", {"size": 12, "seats": "cutthroat3"}),
    ("antipalos", {"ruleset": "mail", "size": 4}),
]


def faults_of(game_id, options, setup):
    """Return code and place of each fault."""
    with pytest.raises(InvalidPositionError) as caught:
        make_game(game_id, options).position(setup)
    return {(fault.code, fault.where) for fault in caught.value.faults}


@pytest.mark.parametrize(("game_id", "options"), CASES, ids=str)
def test_the_setup_of_a_composed_position_is_json_and_is_read_back(game_id, options):
    for seed in range(repetitions(15, 60)):
        position, _ = random_setup(game_id, options, seed)
        if position is None:
            continue
        setup = position.to_setup()
        data = json.loads(json.dumps(asdict(setup)))
        data["stones"] = tuple(tuple(stone) for stone in data["stones"])
        assert Setup(**data) == setup
        assert position.game.position(Setup(**data)) == position


def test_a_setup_of_the_wrong_form_is_refused_with_every_wrong_field():
    wrong = Setup(
        stones=(("a1", "black"), ("a1",), 7),  # type: ignore[arg-type]
        to_move=1,  # type: ignore[arg-type]
        pawns={"blue": 3},  # type: ignore[dict-item]
        rods_left={"white": 10**30},
        seat=True,
        swapped=1,  # type: ignore[arg-type]
        phase_two_plies=-1,
        composed="yes",  # type: ignore[arg-type]
    )
    places = ("stones[1]", "stones[2]", "to_move", "pawns", "rods_left", "seat", "swapped")
    assert faults_of("hex", {}, wrong) == {
        ("position/malformed", where) for where in (*places, "phase_two_plies", "composed")
    }


def test_unknown_points_and_colors_are_all_named():
    setup = Setup(stones=(("z9", "black"), ("a1", "green"), ("b2", "black"), ("b2", "white")))
    assert faults_of("hex", {"size": 4}, setup) == {
        ("position/no-such-point", "z9"),
        ("position/no-such-color", "a1"),
        ("position/two-stones", "b2"),
    }


def test_a_wrong_color_is_refused_with_the_names_of_all_colors():
    with pytest.raises(InvalidPositionError, match=r"'?green'? is not a .* \(black, white are\)"):
        make_game("hex", {"size": 3}).position(Setup(stones=(("b1", "green"),)))


def test_both_names_of_a_rim_point_are_one_point():
    game = make_game("antipod", {"handicap": "none"})
    poles = (("f6", "black"), ("f17", "black"))
    twice = game.position(Setup(stones=(*poles, ("f1", "white"), ("f12", "white"))))
    once = game.position(Setup(stones=(*poles, ("f12", "white"))))
    assert twice == once
    both = Setup(stones=(*poles, ("f1", "white"), ("f12", "black")))
    assert ("position/two-stones", "f12") in faults_of("antipod", {"handicap": "none"}, both)


def test_the_stones_of_the_start_must_be_there():
    codes = faults_of("antipod", {}, Setup())
    names = {"f6", "f17", "a1", "a6", "f1", "f11", "k6", "k11"}
    assert codes == {("position/start-stone", name) for name in names}


def test_material_that_turns_cannot_have_brought_about_is_refused():
    setup = Setup(stones=(("a1", "black"), ("b2", "black")))
    assert ("position/material", "") in faults_of("hex", {}, setup)
    setup = Setup(stones=(("a1", "black"),), to_move="black")
    assert ("position/turn", "") in faults_of("hex", {}, setup)
    rods = Setup(stones=(("A1*", "white"), ("B1*", "white"), ("C1*", "white")))
    assert {code for code, _ in faults_of("antipalos", {}, rods)} >= {"position/material"}


def test_antipode_needs_pawns_on_own_tokens_and_tokens_on_the_corners():
    start = make_game("antipode").initial().to_setup()
    without = Setup(stones=start.stones)
    assert faults_of("antipode", {}, without) == {
        ("position/no-pawn", "blue"),
        ("position/no-pawn", "red"),
    }
    wrong = Setup(stones=start.stones[1:], pawns={"blue": "e5", "red": "e1", "green": "a1"})
    assert {code for code, _ in faults_of("antipode", {}, wrong)} == {
        "position/no-such-color",
        "position/pawn-token",
        "position/start-token",
    }


def test_the_fault_of_an_unknown_colour_names_the_colours():
    setup = Setup(stones=(("b1", "green"),))
    with pytest.raises(
        InvalidPositionError, match=r"'green' is not a colour .*\(black, white are\)"
    ):
        make_game("hex", {"size": 3}).position(setup)


def test_points_of_the_rim_may_have_their_plus():
    game = make_game("antipod", {"side": 4, "handicap": "none"})
    start = game.initial()
    move = next(one for one in map(start.format_move, start.legal_moves) if one.endswith("+"))
    played = start.play(start.parse_move(move))
    setup = played.to_setup()
    point = move.removesuffix("+")
    marked = tuple((move if name == point else name, color) for name, color in setup.stones)
    assert marked != setup.stones
    assert game.position(replace(setup, stones=marked)) == game.position(setup)


def test_a_plus_after_another_point_is_refused():
    stones = (("d4+", "white"),)
    faults = faults_of("antipod", {"side": 4, "handicap": "none"}, Setup(stones=stones))
    assert ("position/no-such-point", "d4+") in faults
    assert ("position/no-such-point", "a1+") in faults_of(
        "hex", {"size": 4}, Setup(stones=(("a1+", "black"),))
    )

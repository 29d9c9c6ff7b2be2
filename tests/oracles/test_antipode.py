"""Facts of the rules that the oracle of Antipode must show without any help from the library."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.oracles import (
    AntipodeOracle,
)
from tests.oracles import antipode as hexagon
from tests.oracles.playing import result
from tests.thorough import repetitions

DATA = Path(__file__).parent.parent / "data"


def photographs() -> dict[str, Any]:
    """Return the facts read off the designer's photographs."""
    text = (DATA / "antipode_photographs.json").read_text(encoding="utf-8")
    facts: dict[str, Any] = json.loads(text)
    return facts


def test_antipode_board() -> None:
    degrees = [len(hexagon.around(place)) for place in hexagon.NAMES]
    assert [degrees.count(number) for number in (3, 4, 6)] == [6, 18, 37]

    def near(name: str) -> set[str]:
        return {hexagon.NAMES[place] for place in hexagon.around(hexagon.CELLS[name])}

    assert near("e1") == {"d1", "e2", "f1"}
    assert near("a1") == {"a2", "b1", "b2"}
    assert near("i5") == {"i4", "h5", "h6"}
    assert near("d3") == {"d2", "d4", "c2", "c3", "e3", "e4"}
    assert near("e5") == {"e4", "e6", "d4", "d5", "f4", "f5"}
    for one, other in hexagon.OPPOSITE_CORNERS:
        across, up = hexagon.CELLS[one]
        assert hexagon.CELLS[other] == (-across, -up)


def test_antipode_first_turns() -> None:
    oracle = AntipodeOracle()
    straight = ["e2", "e3", "e4", "e5", "e6", "e7", "e8", "d1", "c1", "b1", "f1", "g1", "h1"]
    turned = {"a2-a1", "b1-a1", "b2-a1", "i2-i1", "h1-i1", "h2-i1"}
    assert oracle.legal() == {f"{name}-{name}" for name in straight} | turned
    oracle.play("b1-a1")
    assert oracle.pawns == {"blue": "a1", "red": "e9"}
    assert oracle.stones()["b1"] == "red", "the pawn passed over it"
    assert oracle.stones()["a1"] == "blue", "the new token had turned it"
    assert oracle.stones()["e1"] == "blue", "the cell left does not turn"


def test_antipode_photographs() -> None:
    facts = photographs()
    oracle = AntipodeOracle()

    def shown(name: str) -> bool:
        position = facts["positions"][name]
        return (oracle.stones(), oracle.pawns) == (position["tokens"], position["pawns"])

    assert shown("start")
    for text in facts["turns_1_to_2"]:
        oracle.play(text)
    assert shown("after_2_plies")
    for text in facts["turns_3_to_10"]:
        oracle.play(text)
    assert shown("after_10_plies")
    assert result(oracle) is None
    assert (oracle.to_move, oracle.seat_to_move) == ("blue", 0)


def test_antipode_only_one_line_leads_to_the_second_photograph() -> None:
    position = photographs()["positions"]["after_2_plies"]
    tokens = {hexagon.CELLS[name]: colour for name, colour in position["tokens"].items()}
    pawns = {colour: hexagon.CELLS[name] for colour, name in position["pawns"].items()}
    start = AntipodeOracle()
    lines = [
        [first, second]
        for first, then, walked in hexagon.turns(start.tokens, start.pawn_places, "blue")
        for second, left, stand in hexagon.turns(then, walked, "red")
        if (left, stand) == (tokens, pawns)
    ]
    assert lines == [photographs()["turns_1_to_2"]]


def test_antipode_pawns_protect_and_block() -> None:
    oracle = AntipodeOracle()
    oracle.set_up(
        {"e1": "blue", "e2": "red", "d2": "red", "e4": "red", "e5": "blue", "e6": "blue"},
        {"blue": "e1", "red": "e4"},
        "blue",
    )
    # Not over the red pawn to e5; but the token on e3 turns e2 (and d2) for the pawn to stop.
    assert not any(text.endswith(("-e5", "-e6")) for text in oracle.legal())
    oracle.play("e3-e2")
    assert oracle.stones() == {
        "e1": "blue",
        "e2": "blue",
        "d2": "blue",
        "e3": "blue",
        "e4": "red",
        "e5": "blue",
        "e6": "blue",
    }
    assert oracle.pawns == {"blue": "e2", "red": "e4"}


def test_antipode_wins_are_seen_after_the_whole_turn() -> None:
    line = {f"e{rank}": "blue" for rank in range(1, 10)} | {"e5": "red"}
    oracle = AntipodeOracle()
    oracle.set_up(line, {"blue": "e4", "red": "i1"}, "blue")
    assert result(oracle) is None
    # A token on d4 turns e5 and joins the corners; the pawn on e4 holds that token.
    wins, spoils = oracle.copy(), oracle.copy()
    wins.play("d4-e5")
    assert result(wins) == ("blue", "connection")
    spoils.play("d4-e6")
    assert result(spoils) is None, "the pawn passed e5 and turned it again"
    assert spoils.stones() == line | {"d4": "blue"}


def test_antipode_a_line_wins_for_its_colour() -> None:
    line = {f"e{rank}": "blue" for rank in range(1, 10)} | {"e5": "red", "i1": "red", "i3": "red"}
    oracle = AntipodeOracle()
    oracle.set_up(line, {"blue": "e6", "red": "i1"}, "red")
    oracle.play("d5-i3")
    assert result(oracle) == ("blue", "connection")


def test_antipode_a_player_without_a_turn_loses() -> None:
    lines = {*(f"e{rank}" for rank in range(2, 10)), "a1", "b1", "c1", "d1", "f1", "g1", "h1", "i1"}
    tokens = {name: "red" if name in lines else "blue" for name in hexagon.CELLS}
    del tokens["b4"]
    pawns = {"blue": "e1", "red": "e9"}
    oracle = AntipodeOracle()
    oracle.set_up(tokens, pawns, "blue")
    assert result(oracle) == ("red", "blocked")
    assert oracle.legal() == set()
    oracle.set_up(tokens, pawns, "red")
    assert result(oracle) is None
    oracle.set_up(tokens | {"b4": "blue"}, pawns, "red")
    assert result(oracle) == ("draw", "full-board")
    strict = AntipodeOracle(full_board="loss")
    strict.set_up(tokens | {"b4": "blue"}, pawns, "red")
    assert result(strict) == ("blue", "full-board")
    joined = tokens | {"b4": "blue", "e1": "red"}
    oracle.set_up(joined, {"blue": "a5", "red": "e9"}, "blue")
    assert result(oracle) == ("red", "connection"), "a line counts on a full board too"


def test_antipode_symmetries() -> None:
    names = {place: name for name, place in hexagon.CELLS.items()}

    def mirror(name: str) -> str:
        across, up = hexagon.CELLS[name]
        return names[-across, up]

    def turn(name: str) -> str:
        across, up = hexagon.CELLS[name]
        return names[-across, -up]

    def moved(text: str, by: Callable[[str], str]) -> str:
        return "-".join(by(name) for name in text.split("-"))

    for seed in range(repetitions(2, 4)):
        dice = random.Random(seed)
        here, mirrored, turned = AntipodeOracle(), AntipodeOracle(), AntipodeOracle()
        turned.set_up(turned.stones(), turned.pawns, "red")
        while result(here) is None:
            assert {moved(text, mirror) for text in here.legal()} == mirrored.legal()
            assert {moved(text, turn) for text in here.legal()} == turned.legal()
            text = dice.choice(sorted(here.legal()))
            here.play(text)
            mirrored.play(moved(text, mirror))
            turned.play(moved(text, turn))
        assert result(mirrored) == result(here)
        outcome = result(here)
        assert outcome is not None
        winner, reason = outcome
        assert result(turned) == (hexagon.OTHER.get(winner, winner), reason)

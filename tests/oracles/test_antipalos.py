"""Facts of the rules that the oracle of Antipalos must show without any help from the library."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from tests.oracles import (
    AntipalosOracle,
)
from tests.oracles import antipalos as rods
from tests.oracles.playing import play_random, result
from tests.thorough import repetitions


def boxed(size: int, white: str, black: str = "", to_move: str = "white") -> AntipalosOracle:
    """Return a boxed game of two with the given rods on the board and plenty in hand."""
    oracle = AntipalosOracle(size=size, rods=size * size // 2)
    oracle.set_up(
        dict.fromkeys(white.split(), "white") | dict.fromkeys(black.split(), "black"), to_move
    )
    return oracle


def wins_at_once(oracle: AntipalosOracle, colour: str) -> set[str]:
    """Return the placements that would win for a colour if it were its turn."""
    found = set()
    for text in boxed_placements(oracle):
        probe = oracle.copy()
        probe.set_up(oracle.stones() | {text: colour}, colour)
        if result(probe) is not None:
            found.add(text)
    return found


def boxed_placements(oracle: AntipalosOracle) -> list[str]:
    """Return the rods that fit on empty squares."""
    taken = {text.strip("*") for text in oracle.stones()}
    texts = [rods.boxed_name(rod) for rod in oracle.all_rods()]
    return [text for text in texts if text.strip("*") not in taken]


def test_antipalos_names() -> None:
    assert rods.boxed_name((1, 3, "/")) == "B4*"
    assert rods.ends((1, 3, "/")) == ((1, 3), (2, 4))
    assert rods.boxed_name((3, 1, "\\")) == "*D2"
    assert rods.ends((3, 1, "\\")) == ((3, 2), (4, 1))
    assert rods.mail_name((1, 1, "/")) == "b2-c3"
    assert rods.mail_name((1, 1, "\\")) == "b3-c2"
    assert len(AntipalosOracle().legal()) == 2 * 16 * 16
    assert {"A1*", "*A1", "P16*", "*P16", "I9*"} < AntipalosOracle().legal()
    mail = AntipalosOracle(ruleset="mail").legal()
    assert len(mail) == 2 * 16 * 16
    assert {"a1-b2", "a2-b1", "p16-q17", "p17-q16"} < mail


def test_antipalos_supplies() -> None:
    chart = {12: 18, 14: 21, 16: 24, 18: 27, 20: 30}
    assert {size: AntipalosOracle(size=size).rods for size in chart} == chart


def test_antipalos_six_ways_to_touch() -> None:
    oracle = AntipalosOracle(size=5, rods=12)
    ways = set()
    for rod in oracle.all_rods():
        if rod[:2] != (2, 2):
            oracle.board = {(2, 2, "/"): "white", rod: "white"}
            if rod in oracle.chain((2, 2, "/")):
                ways.add(rod)
    assert len(ways) == 6


CHAIN_TO_TOP = "E4* *E5 E6* *E7 E8*"
"""From the point right of D4 and E4 up to the top border of an 8 x 8 board."""


def test_antipalos_double_option_one_move_from_the_border() -> None:
    """The answers of the rulebook's text, on a board that fits all that it says."""
    white, black = f"D3* *E3 {CHAIN_TO_TOP}", "*C2 *D1 *F1"
    oracle = boxed(8, white, black)
    assert result(oracle) is None
    assert wins_at_once(oracle, "white") == set()
    for tried, answer in [("*F2", "G1*"), ("*D2", "E1*"), ("E2*", "E1*")]:
        line = boxed(8, white, black)
        line.play(tried)
        assert wins_at_once(line, "white") != set()
        line.play(answer)
        assert wins_at_once(line, "white") == set()
    oracle.play("*E1")
    assert wins_at_once(oracle, "white") == {"*D2", "E2*"}
    assert not wins_at_once(oracle, "black")


@pytest.mark.extreme
def test_antipalos_double_option_two_moves_from_the_border() -> None:
    """One move earlier: the V threatens at C2, and the forced answer leads to the win above."""
    white, black = f"*E3 {CHAIN_TO_TOP}", "*D1 *F1"
    for tried, answer in [("E2*", "E1*"), ("*F2", "G1*")]:
        line = boxed(8, white, black)
        line.play(tried)
        line.play(answer)
        assert wins_at_once(line, "white") == set()
    oracle = boxed(8, white, black)
    oracle.play("D3*")
    threat = boxed(8, white + " D3* C2*", black, "black")
    assert len({text.strip("*") for text in wins_at_once(threat, "white")}) > 1
    saved = []
    for reply in sorted(oracle.legal()):
        for follow_up in ("C2*", "*E1"):
            board = oracle.stones() | {reply: "black"}
            if follow_up.strip("*") == reply.strip("*"):
                continue
            after = oracle.copy()
            after.set_up(board | {follow_up: "white"}, "black")
            if len({text.strip("*") for text in wins_at_once(after, "white")}) > 1:
                break
        else:
            saved.append(reply)
    # Only a rod that meets both threats at once could save Black, and there is none.
    assert saved == []


def test_antipalos_effective_block() -> None:
    """The rulebook's five moves of blocking from six squares away."""
    white, black = ["*F7", "F6*", "E5*", "*E4", "*F3"], ["H2*", "D2*", "B2*", "*E2", "*G2"]
    oracle = boxed(16, "", "F2*")
    for pair in zip(white, black, strict=True):
        for text in pair:
            oracle.play(text)
    by_name = {oracle.name(rod): rod for rod in oracle.board}
    assert {oracle.name(rod) for rod in oracle.chain(by_name["*F3"])} == set(white)
    block = {oracle.name(rod) for rod in oracle.chain(by_name["F2*"])}
    assert block == {"D2*", "*E2", "F2*", "*G2", "H2*"}
    # Both squares below the lower end of White's chain belong to the block.
    assert min(rods.ends(rod)[1] for rod in oracle.chain(by_name["*F3"])) == (5, 3)
    lowest = min((up, across) for name in white for across, up in rods.ends(by_name[name]))
    assert lowest == (2, 6)
    assert {"F2*", "*G2"} < oracle.stones().keys()
    assert all(text.strip("*") not in ("F2", "G2") for text in oracle.legal())


def test_antipalos_chains_may_cross() -> None:
    oracle = boxed(4, "A3* B2* *B4", "*B3 C2*")
    assert result(oracle) is None
    white = "A1* B2* C3*"
    crossing = boxed(4, white, "A4* *B3 *C2 *D1")
    assert result(crossing) is None
    crossing.play("D4*")
    assert result(crossing) == ("white", "connection")
    crossing = boxed(4, white, "*B3 *C2 *D1", "black")
    crossing.play("*A4")
    assert result(crossing) == ("black", "connection")


def test_antipalos_either_pair_of_borders_wins() -> None:
    flat = boxed(3, "A2* *B2")
    flat.play("C2*")
    assert result(flat) == ("white", "connection")
    upright = boxed(3, "*B1 B2*", "A1*", "white")
    upright.play("B3*")
    assert result(upright) is None, "the upper rods do not share a grid point"
    upright = boxed(3, "*B1 *A2", "C1*", "white")
    upright.play("A3*")
    assert result(upright) == ("white", "connection")
    corner = boxed(3, "", "B2*")
    corner.play("A1*")
    assert result(corner) is None, "a corner square touches adjacent borders only"


CHART_A = [
    (3, "A1* B2*", "C3*", 5, 5),
    (3, "*A3 *B2", "*C1", 5, 5),
    (3, "A1* *B1", "C1*", 4, 2),
    (4, "A2* *B2 *C1 *D2", "C2*", 4, 2),
    (4, "A2* *B2 *D2 *A4", "C2*", 3, 1),
    (3, "A2* *B2", "C2*", 3, 1),
]
"""Size, white rods, the winning one, points before Phase Two and in it.

The fourth chain has a branch to a third border, the fifth leaves another chain by itself.
"""


@pytest.mark.parametrize(("size", "white", "last", "early", "late"), CHART_A)
def test_antipalos_chart_a(size: int, white: str, last: str, early: int, late: int) -> None:
    oracle = boxed(size, white)
    oracle.play(last)
    assert result(oracle) == ("white", "connection")
    assert oracle.points == early

    # The same win in Phase Two: a spare white rod moves, black ones lie about at random.
    dice = random.Random(0)
    own = white.split()
    oracle = AntipalosOracle(size=size, rods=len(own) + 1)
    square = last.strip("*")
    free = [text for text in boxed_placements(boxed(size, white)) if square not in text]
    while True:
        spare, *others = dice.sample(free, 2 + len(own))
        squares = {text.strip("*") for text in [spare, *others]}
        if len(squares) == 2 + len(own):
            stones = dict.fromkeys([*own, spare], "white") | dict.fromkeys(others, "black")
            oracle.set_up(stones, "white")
            if oracle.phase_two:
                break
    assert result(oracle) is None
    oracle.play(f"{spare}-{last}")
    assert result(oracle) == ("white", "connection")
    assert oracle.points == late


def test_antipalos_the_last_rod_still_wins_before_phase_two() -> None:
    oracle = AntipalosOracle(size=3, rods=3)
    for text in ["A1*", "A2*", "*A3", "*B2", "C1*"]:
        oracle.play(text)
        assert result(oracle) is None
    oracle.play("C2*")
    assert result(oracle) == ("black", "connection")
    assert (oracle.phase_two, oracle.points) == (False, 3)


def test_antipalos_phase_two() -> None:
    oracle = AntipalosOracle(size=3, rods=2)
    for text in ["A1*", "*C1", "B2*"]:
        oracle.play(text)
        assert not oracle.phase_two
        assert all("-" not in move for move in oracle.legal())
    oracle.play("*C3")
    assert oracle.phase_two
    moves = oracle.legal()
    # Two rods, each to five empty squares in two ways, or turned where it lies.
    assert len(moves) == 2 * (5 * 2 + 1)
    assert {"A1*-*A1", "A1*-B1*", "B2*-*B2", "B2*-*A3"} < moves
    assert not {"A1*-A1*", "*C1-C1*", "A1*-B2*", "B1*"} & moves
    oracle.play("A1*-*A1")
    assert oracle.stones() == {"*A1": "white", "B2*": "white", "*C1": "black", "*C3": "black"}
    assert oracle.to_move == "black"


SHUFFLE = ["A1*-*A1", "C1*-*C1", "*A1-A1*", "*C1-C1*"]


def shuffled(plies: int, **options: Any) -> AntipalosOracle:
    """Return a game of one rod each, turned to and fro for some plies of Phase Two."""
    oracle = AntipalosOracle(size=3, rods=1, **options)
    for text in ["A1*", "C1*", *itertools.islice(itertools.cycle(SHUFFLE), plies)]:
        assert result(oracle) is None
        oracle.play(text)
    return oracle


def test_antipalos_repetition_and_limit() -> None:
    assert shuffled(7).outcome is None
    assert shuffled(8).outcome == ("draw", "repetition")
    assert shuffled(8, phase_two_limit=0).outcome == ("draw", "repetition")
    assert shuffled(8, phase_two_limit=4).outcome == ("draw", "repetition"), "both at once"
    assert shuffled(5, phase_two_limit=3).outcome is None
    assert shuffled(6, phase_two_limit=3).outcome == ("draw", "move-limit")
    assert shuffled(8).points is None


def test_antipalos_a_win_on_the_last_ply_is_a_win() -> None:
    oracle = AntipalosOracle(size=3, rods=3, phase_two_limit=1)
    for text in ["B3*", "A2*", "*C1", "*B2", "*A3", "A1*"]:
        oracle.play(text)
    oracle.play("B3*-*B3")
    assert oracle.phase_two
    assert result(oracle) is None
    lost = oracle.copy()
    lost.play("A1*-*A1")
    assert result(lost) == ("draw", "move-limit")
    oracle.play("A1*-C2*")
    assert (result(oracle), oracle.points) == (("black", "connection"), 1)


def test_antipalos_limit_counts_every_colour() -> None:
    for seats, colours in [("two", 2), ("team", 2), ("cutthroat3", 3), ("cutthroat4", 4)]:
        oracle = AntipalosOracle(size=4, rods=1, seats=seats, phase_two_limit=2)
        plies = len(play_random(oracle, 3)[0])
        assert plies == colours + 2 * colours
        assert result(oracle) == ("draw", "move-limit")


def test_antipalos_repetition_looks_at_colours_not_at_seats() -> None:
    oracle = AntipalosOracle(size=4, rods=1, seats="team")
    around = ["A1*-*A1", "D1*-*D1", "*A1-A2*", "*D1-D2*", "A2*-A1*", "D2*-D1*"]
    seats = []
    for text in ["A1*", "D1*", *around, *around]:
        assert result(oracle) is None
        if len(oracle.stones()) == 2 and text == around[0]:
            seats.append(oracle.seat_to_move)
        oracle.play(text)
    assert seats == [2, 0]
    assert result(oracle) == ("draw", "repetition")


@pytest.mark.parametrize(
    ("seats", "turns"),
    [
        ("two", [(0, "white"), (1, "black")]),
        ("team", [(0, "white"), (1, "black"), (2, "white"), (3, "black")]),
        ("cutthroat3", [(0, "white"), (1, "black"), (2, "red")]),
        ("cutthroat4", [(0, "white"), (1, "black"), (2, "red"), (3, "blue")]),
    ],
)
def test_antipalos_turns(seats: str, turns: list[tuple[int, str]]) -> None:
    dice = random.Random(5)
    oracle = AntipalosOracle(size=8, rods=3, seats=seats)
    for seat, colour in itertools.islice(itertools.cycle(turns), 25):
        assert result(oracle) is None
        assert (oracle.seat_to_move, oracle.to_move) == (seat, colour)
        oracle.play(dice.choice(sorted(oracle.legal())))
        assert colour in oracle.stones().values()
    assert oracle.phase_two


def quarter_turn(text: str, size: int) -> str:
    """Return a boxed move as the board shows it after a quarter turn to the left."""
    parts = []
    for part in text.split("-"):
        square = part.strip("*")
        column, row = ord(square[0]) - ord("A"), int(square[1:]) - 1
        slant = "\\" if part.endswith("*") else "/"
        parts.append(rods.boxed_name((size - 1 - row, column, slant)))
    return "-".join(parts)


def test_antipalos_quarter_turns_agree() -> None:
    scored = set()
    for seed in range(repetitions(30, 60)):
        dice = random.Random(seed)
        size = 3 + seed % 2
        here = AntipalosOracle(size=size, phase_two_limit=30)
        there = here.copy()
        while result(here) is None:
            assert {quarter_turn(text, size) for text in here.legal()} == there.legal()
            text = dice.choice(sorted(here.legal()))
            here.play(text)
            there.play(quarter_turn(text, size))
        assert (result(here), here.points) == (result(there), there.points)
        scored.add(here.points)
    assert len(scored) > 3


def test_antipalos_mail() -> None:
    oracle = AntipalosOracle(ruleset="mail", size=3, swap="off")
    for text in ["a2-b3", "a1-b2", "b3-c2", "c1-d2"]:
        oracle.play(text)
    oracle.play("c2-d3")
    assert result(oracle) is None, "Vert must join top and bottom, not the sides"
    oracle.play("b2-c1")
    assert result(oracle) == ("horz", "connection")
    oracle = AntipalosOracle(ruleset="mail", size=3)
    assert oracle.to_move == "vert"
    for text in ["a1-b2", "swap", "a3-b4", "b2-c3", "a2-b3"]:
        oracle.play(text)
    assert (oracle.to_move, oracle.seat_to_move) == ("vert", 1)
    assert result(oracle) is None
    oracle.play("c3-d4")
    assert result(oracle) == ("vert", "connection")
    assert oracle.points is None


def test_antipalos_mail_ends_with_a_full_board_at_the_latest() -> None:
    results = set()
    for seed in range(40):
        oracle = AntipalosOracle(ruleset="mail", size=3 + seed % 3, swap="off")
        played, _ = play_random(oracle, seed)
        outcome = result(oracle)
        assert outcome is not None
        results.add(outcome)
        if outcome[0] == "draw":
            assert len(played) == oracle.size**2
    assert ("draw", "full-board") in results
    assert results - {("draw", "full-board")} <= {("vert", "connection"), ("horz", "connection")}
    assert len(results) > 1

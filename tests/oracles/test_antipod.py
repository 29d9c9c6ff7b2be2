"""Facts of the rules that the oracle of Antipod must show without any help from the library."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable

import pytest

from tests.oracles import (
    AntipodOracle,
)
from tests.oracles import antipod as sphere
from tests.oracles.playing import fill, play_random, result, winds
from tests.thorough import repetitions


@pytest.mark.parametrize("side", range(2, 11))
def test_antipod_board(side: int) -> None:
    graph = sphere.sphere(side)
    assert len(graph) == 2 * (3 * side * (side - 1) + 1) - 6 * (side - 1)
    assert all(len(graph[corner]) == 4 for corner in sphere.corners(side))
    assert sum(len(near) == 4 for near in graph.values()) == 6
    assert all(len(near) in (4, 6) for near in graph.values())
    assert all(point in graph[other] for point, near in graph.items() for other in near)
    # A sphere cut into nothing but triangles has 3V - 6 edges.
    assert sum(map(len, graph.values())) == 2 * (3 * len(graph) - 6)


def test_antipod_start() -> None:
    oracle = AntipodOracle()
    assert len(oracle.graph) == 152
    assert oracle.stones() == {
        "f6": "black",
        "f17": "black",
        **dict.fromkeys(["a1", "a6", "f1", "f11", "k6", "k11"], "white"),
    }
    moves = oracle.legal()
    assert len(moves) == 144
    assert sum(text.endswith("+") for text in moves) == 24
    assert {"a2+", "b7+", "k10+", "b2", "b13", "e20", "f21", "j20"} < moves
    assert not {"a13+", "a13", "b12", "a2", "f12"} & moves
    assert (oracle.to_move, oracle.seat_to_move) == ("white", 0)
    assert AntipodOracle(first="black").to_move == "black"


def test_antipod_handicaps() -> None:
    two = AntipodOracle(handicap="two").stones()
    assert two == dict.fromkeys(["f6", "f17"], "black") | dict.fromkeys(["f1", "f11"], "white")
    assert set(AntipodOracle(handicap="none").stones().values()) == {"black"}
    smallest = AntipodOracle(side=2)
    assert result(smallest) == ("white", "ring"), "six corners are the whole rim"


# The finished game that the mail server's help prints, row by row.
FINISHED_LEFT = """
    oo.x.o x..o... x....oo. oxx...x.o o..xo..... oo.xoxx...o
    .ooxo.xxxx xxxxoooxo o..xoxox ..x.oox o.xxoo
"""
FINISHED_RIGHT = """
    oo.x.o x.ooo.. x..xxx.. ox.xooxoo ooxxoxxo.. o.oxox.ox.o
    .xo.ooooxx xoo...xoo o....xxx ....xox o.xxoo
"""


def finished_game() -> dict[str, str]:
    """Return the stones of the printed game, checking that its boards agree on the rim."""
    halves: list[dict[tuple[int, int], str]] = []
    for rows in (FINISHED_LEFT, FINISHED_RIGHT):
        signs = {}
        for row, line in enumerate(rows.split()):
            diagonals = sorted(place[1] for place in sphere.cells(6) if place[0] == row)
            signs.update({(row, at): sign for at, sign in zip(diagonals, line, strict=True)})
        assert set(signs) == sphere.cells(6)
        halves.append(signs)
    oracle = AntipodOracle()
    stones: dict[str, str] = {}
    for point in oracle.graph:
        row, diagonal, half = point
        shown = {board[row, diagonal] for board in halves}
        if half != "rim":
            shown = {halves[half == "right"][row, diagonal]}
        assert len(shown) == 1, f"the boards disagree at {oracle.name(point)}"
        (sign,) = shown
        if sign != ".":
            stones[oracle.name(point)] = {"x": "black", "o": "white"}[sign]
    return stones


def test_antipod_finished_game() -> None:
    stones = finished_game()
    start = AntipodOracle().stones()
    assert start.items() <= stones.items()
    turns = {
        colour: sorted(name for name in stones.keys() - start if stones[name] == colour)
        for colour in ("white", "black")
    }
    assert {colour: len(names) for colour, names in turns.items()} == {"white": 44, "black": 44}

    oracle = AntipodOracle()
    oracle.set_up(stones, "white")
    assert result(oracle) == ("black", "connection")

    def without(name: str) -> bool:
        oracle.set_up({at: colour for at, colour in stones.items() if at != name}, "black")
        return result(oracle) is None

    # White began, so Black's stone that closed the chain came last: it can be played so.
    last = next(name for name in turns["black"] if without(name))
    turns["black"].remove(last)
    turns["black"].append(last)
    game = AntipodOracle()
    for pair in zip(turns["white"], turns["black"], strict=True):
        for name in pair:
            assert result(game) is None
            game.play(game.move_text(game.point(name)))
    assert result(game) == ("black", "connection")
    assert game.stones() == stones


def test_antipod_shortest_wins() -> None:
    ring = ["e5", "e6", "f5", "f7", "g6", "g7"]
    black = ["f2", "f3", "f4", "f5", "f1", "f13", "f14", "f15", "f16"]
    poles = {"f6": "black", "f17": "black"}
    oracle = AntipodOracle()
    oracle.set_up(poles | dict.fromkeys(ring[:-1], "white"), "white")
    assert result(oracle) is None
    oracle.play(ring[-1])
    assert result(oracle) == ("white", "ring")
    oracle.set_up(poles | dict.fromkeys(set(black) - {"f1"}, "black"), "black")
    assert result(oracle) is None
    oracle.play("f1+")
    assert result(oracle) == ("black", "connection")


def antipod_ring(oracle: AntipodOracle) -> bool:
    """Look for a white ring round the polar axis by adding up angles."""

    def angle(point: sphere.Point) -> float:
        down = point[0] - (oracle.side - 1)
        across = 2 * (point[1] - oracle.side) - down
        return math.atan2(down * math.sqrt(3), across)

    def steps(point: sphere.Point) -> Iterable[tuple[sphere.Point, float]]:
        for other in oracle.graph[point]:
            turn = angle(other) - angle(point)
            yield other, (turn + math.pi) % (2 * math.pi) - math.pi

    return winds({point for point, colour in oracle.board.items() if colour == "white"}, steps)


@pytest.mark.parametrize("side", [2, 3, 4, 5, 6])
def test_antipod_has_exactly_one_winner(side: int) -> None:
    for seed in range(repetitions(3, 12)):
        oracle = AntipodOracle(side=side, handicap=("six", "two", "none")[seed % 3])
        names = {oracle.name(point) for point in oracle.graph}
        play_random(oracle, seed)
        outcome = result(oracle)
        assert outcome is not None
        assert antipod_ring(oracle) == (outcome[0] == "white")
        full = fill(oracle.stones(), names - oracle.stones().keys(), seed)
        oracle.set_up(full, "white")
        assert result(oracle) == outcome
        assert antipod_ring(oracle) == (outcome[0] == "white")

        poles = AntipodOracle(side=side, handicap="none").stones()
        oracle.set_up(fill(poles, names - poles.keys(), seed), "white")
        assert antipod_ring(oracle) == (result(oracle) == ("white", "ring"))


@pytest.mark.parametrize("side", [2, 3, 4, 6])
def test_antipod_pairing_wins_without_handicap(side: int) -> None:
    for seed in range(repetitions(2, 5)):
        dice = random.Random(seed)
        oracle = AntipodOracle(side=side, handicap="none")
        while result(oracle) is None:
            text = dice.choice(sorted(oracle.legal()))
            oracle.play(text)
            assert result(oracle) is None
            row, diagonal, half = oracle.point(text.rstrip("+"))
            twin = (2 * side - 2 - row, 2 * side - diagonal, half)
            oracle.play(oracle.move_text(twin))
        assert result(oracle) == ("black", "connection")

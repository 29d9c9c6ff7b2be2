"""Facts of the rules that the oracles must show without any help from the library."""

from __future__ import annotations

import itertools
import json
import math
import random
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.cases import for_each
from tests.thorough import repetitions

from . import (
    AntipalosOracle,
    AntipodeOracle,
    AntipodOracle,
    CylindricalHexOracle,
    HexOracle,
    Oracle,
    Outcome,
    make_oracle,
)
from . import antipalos as rods
from . import antipod as sphere
from . import antipode as hexagon
from . import cylindrical_hex as cylinder

DATA = Path(__file__).parent.parent / "data"

Node = TypeVar("Node")
Tour = tuple[list[str], Oracle]


def result(oracle: Oracle) -> Outcome | None:
    """Return the outcome, read again, since a type checker assumes that it is unchanged."""
    return oracle.outcome


def play_random(oracle: Oracle, seed: int) -> Tour:
    """Play random moves to the end of the game and return them with the game."""
    dice = random.Random(seed)
    played = []
    while result(oracle) is None:
        moves = sorted(oracle.legal())
        assert moves, "a game that goes on must have a legal move"
        played.append(dice.choice(moves))
        oracle.play(played[-1])
        assert len(played) < 5000
    assert oracle.legal() == set()
    return played, oracle


def fill(board: Mapping[str, str], empty: Iterable[str], seed: int) -> dict[str, str]:
    """Return a board on which every empty place has got a black or a white stone."""
    dice = random.Random(seed)
    return {**board, **{name: dice.choice(["black", "white"]) for name in sorted(empty)}}


# All games

GAMES: list[tuple[str, dict[str, Any]]] = [
    *(("antipod", {"side": side}) for side in (2, 3, 4, 6)),
    *(("antipod", {"side": 3, "handicap": given}) for given in ("two", "none")),
    ("antipod", {"side": 4, "first": "black", "swap": "on"}),
    *(("hex", {"size": size, "swap": swap}) for size in (1, 2, 5) for swap in ("sides", "off")),
    ("hex", {}),
    *(("cylindrical-hex", {"rows": rows, "columns": 5 - rows}) for rows in (1, 2, 3, 4)),
    ("cylindrical-hex", {"rows": 6, "columns": 7, "first": "white"}),
    ("antipode", {}),
    ("antipode", {"full_board": "loss"}),
    *(("antipalos", {"size": size, "phase_two_limit": 12}) for size in (3, 4, 7)),
    ("antipalos", {"size": 4, "rods": 2, "phase_two_limit": 10, "seats": "team"}),
    ("antipalos", {"size": 5, "rods": 5, "phase_two_limit": 10, "seats": "cutthroat3"}),
    ("antipalos", {"size": 6, "phase_two_limit": 10, "seats": "cutthroat4"}),
    ("antipalos", {"size": 4, "ruleset": "mail"}),
    ("antipalos", {"size": 7, "ruleset": "mail", "swap": "off"}),
]


@for_each("game, options", GAMES)
def test_random_games_end_with_a_result(game: str, options: dict[str, Any]) -> None:
    for seed in range(repetitions(2, 8)):
        played, oracle = play_random(make_oracle(game, **options), seed)
        outcome = result(oracle)
        assert outcome is not None
        winner, reason = outcome
        if game in ("antipod", "hex", "cylindrical-hex"):
            assert winner in ("black", "white")
            assert (reason == "ring") == (winner == "white" and game != "hex")
        if winner == "draw":
            assert reason in ("full-board", "repetition", "move-limit")
        boxed = game == "antipalos" and options.get("ruleset") != "mail"
        assert (oracle.points is not None) == (boxed and winner != "draw")

        again = make_oracle(game, **options)
        for text in played:
            again.play(text)
        assert result(again) == result(oracle)
        assert again.stones() == oracle.stones()


@for_each("game, options", GAMES)
def test_copies_go_their_own_way(game: str, options: dict[str, Any]) -> None:
    oracle = make_oracle(game, **options)
    before = oracle.stones(), oracle.to_move, oracle.seat_to_move, result(oracle), oracle.legal()
    play_random(oracle.copy(), 1)
    assert before == (
        oracle.stones(),
        oracle.to_move,
        oracle.seat_to_move,
        result(oracle),
        oracle.legal(),
    )


@pytest.mark.parametrize("game", ["antipod", "hex", "cylindrical-hex", "antipode", "antipalos"])
def test_illegal_moves_are_refused(game: str) -> None:
    oracle = make_oracle(game)
    for text in ("", "swap", "z99", "a1-a1", "f6"):
        if text not in oracle.legal():
            with pytest.raises(AssertionError):
                oracle.play(text)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("antipod", {"side": 1}),
        ("antipod", {"side": 11}),
        ("antipod", {"swap": True}),
        ("hex", {"size": 27}),
        ("hex", {"swap": "on"}),
        ("cylindrical-hex", {"columns": 0}),
        ("antipalos", {"size": 2}),
        ("antipalos", {"rods": 0}),
        ("antipalos", {"size": 3, "rods": 5}),
        ("antipalos", {"swap": "on"}),
        ("antipalos", {"ruleset": "mail", "seats": "team"}),
        ("antipode", {"full_board": "win"}),
    ],
    ids=str,
)
def test_impossible_options_are_refused(game: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"."):
        make_oracle(game, **options)


# Swaps

SEAT_SWAPS: list[tuple[str, dict[str, Any], str]] = [
    ("antipod", {"swap": "on"}, "a2+"),
    ("antipod", {"swap": "on", "first": "black"}, "e14"),
    ("hex", {"swap": "sides"}, "c5"),
    ("antipalos", {"ruleset": "mail"}, "b3-c2"),
]


@pytest.mark.parametrize(("game", "options", "stone"), SEAT_SWAPS, ids=str)
def test_a_swap_exchanges_seats(game: str, options: dict[str, Any], stone: str) -> None:
    oracle = make_oracle(game, **options)
    assert oracle.seat_to_move == 0
    assert "swap" not in oracle.legal()
    oracle.play(stone)
    board, second, moves = oracle.stones(), oracle.to_move, oracle.legal()
    assert oracle.seat_to_move == 1
    assert "swap" in moves
    oracle.play("swap")
    assert (oracle.stones(), oracle.to_move, oracle.seat_to_move) == (board, second, 0)
    assert oracle.legal() == moves - {"swap"}
    oracle.play(min(oracle.legal()))
    assert oracle.to_move != second
    assert oracle.seat_to_move == 1


def test_a_swap_of_pieces_mirrors_the_stone() -> None:
    oracle = make_oracle("hex")
    oracle.play("b5")
    assert oracle.seat_to_move == 1
    oracle.play("swap")
    assert oracle.stones() == {"e2": "white"}
    assert (oracle.to_move, oracle.seat_to_move) == ("black", 0)
    assert "swap" not in oracle.legal()
    assert {"b5", "a1"} < oracle.legal()


def test_the_swap_is_the_second_ply_or_never() -> None:
    for game, options, stone in SEAT_SWAPS:
        oracle = make_oracle(game, **options)
        oracle.play(stone)
        oracle.play(min(oracle.legal() - {"swap"}))
        assert "swap" not in oracle.legal()
        assert oracle.seat_to_move == 0
    off = [("antipod", {}), ("hex", {"swap": "off"}), ("cylindrical-hex", {})]
    for game, options in off:
        oracle = make_oracle(game, **options)
        oracle.play(min(oracle.legal()))
        assert "swap" not in oracle.legal()


# Antipod


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


def winds(stones: set[Node], steps: Callable[[Node], Iterable[tuple[Node, float]]]) -> bool:
    """Whether a walk over the stones can come back to its start after a full turn."""
    turned: dict[Node, float] = {}
    for start in stones:
        if start in turned:
            continue
        turned[start] = 0.0
        todo = [start]
        while todo:
            here = todo.pop()
            for there, turn in steps(here):
                if there not in stones:
                    continue
                if there not in turned:
                    turned[there] = turned[here] + turn
                    todo.append(there)
                elif abs(turned[there] - turned[here] - turn) > 0.1:
                    return True
    return False


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


# Hex and Cylindrical Hex


@pytest.mark.parametrize("size", [1, 2, 3])
def test_hex_full_boards_have_one_winner(size: int) -> None:
    oracle = HexOracle(size, "off")
    names = sorted(oracle.legal())
    for colours in itertools.product(["black", "white"], repeat=size * size):
        board = dict(zip(names, colours, strict=True))
        oracle.set_up(board, "black")
        outcome = result(oracle)
        assert outcome is not None
        # The board with rows and columns, and with them the colours, exchanged.
        turned = {
            f"{'abc'[int(name[1:]) - 1]}{'abc'.index(name[0]) + 1}": sphere.OTHER[colour]
            for name, colour in board.items()
        }
        oracle.set_up(turned, "black")
        assert result(oracle) == (sphere.OTHER[outcome[0]], "connection")


def test_hex_chains() -> None:
    oracle = HexOracle(3, "off")
    oracle.set_up({"c1": "black", "b2": "black"}, "black")
    assert result(oracle) is None
    assert oracle.copy().legal() == {"a1", "b1", "a2", "c2", "a3", "b3", "c3"}
    oracle.play("a3")
    assert result(oracle) == ("black", "connection"), "the short diagonal is a chain"
    oracle.set_up({"a1": "white", "b2": "white", "c3": "white"}, "white")
    assert result(oracle) is None, "the long diagonal is none"
    oracle.play("b1")
    assert result(oracle) is None
    oracle.set_up(oracle.stones() | {"c2": "white"}, "black")
    assert result(oracle) == ("white", "connection")


def cylinder_ring(oracle: CylindricalHexOracle) -> bool:
    """Look for a white ring round the cylinder by counting columns walked."""

    def steps(place: cylinder.Cell) -> Iterable[tuple[cylinder.Cell, float]]:
        for down, right in cylinder.STEPS:
            yield (place[0] + down, (place[1] + right) % oracle.columns), right

    return winds({place for place, colour in oracle.board.items() if colour == "white"}, steps)


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("columns", [1, 2, 3])
def test_cylinder_full_boards_have_one_winner(rows: int, columns: int) -> None:
    oracle = CylindricalHexOracle(rows, columns)
    names = sorted(oracle.legal())
    for colours in itertools.product(["black", "white"], repeat=rows * columns):
        oracle.set_up(dict(zip(names, colours, strict=True)), "black")
        won = ("white", "ring") if cylinder_ring(oracle) else ("black", "connection")
        assert result(oracle) == won


def test_cylinder_games() -> None:
    for seed in range(30):
        oracle = CylindricalHexOracle(4 + seed % 4, 3 + seed % 6)
        play_random(oracle, seed)
        assert cylinder_ring(oracle) == (result(oracle) == ("white", "ring"))


def test_cylinder_wraps() -> None:
    oracle = CylindricalHexOracle(3, 4)
    oracle.set_up({"a1": "black", "d2": "black"}, "black")
    oracle.play("d3")
    assert result(oracle) == ("black", "connection"), "d2 lies below a1, round the back"
    oracle.set_up({"a2": "white", "b2": "white", "c2": "white"}, "white")
    assert result(oracle) is None
    oracle.play("d2")
    assert result(oracle) == ("white", "ring")


@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (3, 4), (5, 6), (6, 8), (11, 10)])
def test_cylinder_pairing_wins_on_even_circumference(rows: int, columns: int) -> None:
    for seed in range(repetitions(2, 5)):
        dice = random.Random(seed)
        oracle = CylindricalHexOracle(rows, columns, first="white")
        assert (oracle.to_move, oracle.seat_to_move) == ("white", 0)
        while result(oracle) is None:
            text = dice.choice(sorted(oracle.legal()))
            oracle.play(text)
            assert result(oracle) is None
            row, column = cylinder.cell(text)
            oracle.play(cylinder.name((row, (column + columns // 2) % columns)))
        assert result(oracle) == ("black", "connection")


# Antipode


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


# Antipalos


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

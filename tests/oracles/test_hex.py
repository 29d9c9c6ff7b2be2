"""Facts of the rules that the oracles of Hex and Cylindrical Hex must show without the library."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import pytest

from tests.oracles import (
    CylindricalHexOracle,
    HexOracle,
)
from tests.oracles import antipod as sphere
from tests.oracles import cylindrical_hex as cylinder
from tests.oracles.playing import play_random, result, winds
from tests.thorough import repetitions


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

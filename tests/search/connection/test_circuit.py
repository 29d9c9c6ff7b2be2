import numpy as np
import pytest

from antipodes.core import Color, Setup
from antipodes.games.kernels import jit
from antipodes.search.connection import Circuits
from antipodes.search.connection.circuit import narrow_order
from tests.search.connection.solver import random_positions, small_game

GAMES = [
    ("hex", {"size": 5, "swap": "off"}),
    ("antipod", {"side": 3}),
    ("antipod", {"side": 4, "handicap": "none"}),
    ("cylindrical-hex", {"rows": 4, "columns": 5}),
]


def by_least_squares(game, state, color):
    """Return a circuit's conductance and potentials from the steps' sum, solved by numpy."""
    tables = game.tables
    board = game.topology
    cells = board.cell_count
    ends = board.rims.get("poles")

    def resistance(cell):
        owner = state[16 + cell]
        return None if owner == 2 - color else 0.01 if owner == 1 + color else 1.0

    rows, right = [], []
    for cell in range(cells):
        steps = [(near, game._winding(cell, near)) for near in board.neighbours[cell]]
        for near, winding in steps + game._borders_of(cell):
            if near < cell or resistance(cell) is None:
                continue
            if near < cells and resistance(near) is None:
                continue
            if near >= cells and (near - cells == 2) != (color == 1):
                continue
            there = resistance(near) if near < cells else 0.0
            weight = (resistance(cell) + there) ** -0.5
            row = np.zeros(cells)
            row[cell] -= weight
            shift = weight * winding * color
            if near < cells:
                row[near] += weight
            elif color == 0 and near == cells:
                shift += weight
            rows.append(row)
            right.append(-shift)
    if ends and color == 0:
        for value, pole in zip((1.0, 0.0), ends, strict=True):
            row = np.zeros(cells)
            row[pole] = 1e4
            rows.append(row)
            right.append(1e4 * value)
    assert tables is game.tables
    if not rows:
        return 0.0
    matrix, vector = np.array(rows), np.array(right)
    potential = np.linalg.lstsq(matrix, vector, rcond=None)[0]
    return float(((matrix @ potential - vector) ** 2).sum())


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_the_conductance_is_the_least_energy(game_id, options):
    game = small_game(game_id, options)
    circuits = Circuits(game)
    for position in random_positions(game, 30, 6, seed=1):
        for color in (0, 1):
            found, energy = circuits.conductance(position, color)
            expected = by_least_squares(game, position.state, color)
            assert found == pytest.approx(expected, rel=1e-3, abs=1e-6)
            assert energy.sum() == pytest.approx(found)


def test_on_an_empty_hex_board_both_sides_conduct_equally():
    value, weight = Circuits(game := small_game("hex", {"size": 6})).potentials(game.initial())
    assert value == pytest.approx(0.5)
    for image in game.topology.symmetries:
        assert weight[list(image)] == pytest.approx(weight)


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_a_stone_of_ones_own_never_conducts_less(game_id, options):
    game = small_game(game_id, options)
    circuits = Circuits(game)
    for position in random_positions(game, 20, 5, seed=7):
        stones = dict(position.to_setup().stones)
        free = next(cell for cell in range(game.move_count) if cell not in position.stones())
        values = []
        for color in (Color.WHITE, None, Color.BLACK):
            more = {} if color is None else {game.topology.name(free): color.value}
            setup = Setup(stones=tuple({**stones, **more}.items()), to_move="black", composed=True)
            values.append(circuits.potentials(game.position(setup))[0])
        assert values == sorted(values)


def test_a_finished_game_is_all_the_winners():
    game = small_game("hex", {"size": 3, "swap": "off"})
    for color, points in (("black", ("b1", "b2", "b3")), ("white", ("a2", "b2", "c2"))):
        setup = Setup(stones=tuple((p, color) for p in points), composed=True)
        value, _ = Circuits(game).potentials(game.position(setup))
        assert value == pytest.approx(1.0 if color == "black" else 0.0, abs=1e-6)


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_neighbours_stand_within_the_band(game_id, options):
    board = small_game(game_id, options).topology
    places, band = narrow_order(board)
    assert sorted(places) == list(range(board.cell_count))
    for cell, cells in enumerate(board.neighbours):
        assert all(abs(places[cell] - places[near]) <= band for near in cells)


def test_both_editions_solve_alike(monkeypatch):
    game = small_game("antipod", {"side": 3})
    fast = Circuits(game)
    monkeypatch.setenv("ANTIPODES_JIT", "0")
    assert not jit.enabled()
    slow = Circuits(game)
    for position in random_positions(game, 12, 3, seed=2):
        one, two = fast.potentials(position), slow.potentials(position)
        assert one[0] == pytest.approx(two[0])
        assert one[1] == pytest.approx(two[1])

"""The circuits that evaluate positions of Antipalos."""

import random
from fractions import Fraction
from typing import Any

import pytest

from antipodes.core import Setup
from antipodes.games.kernels import edition
from antipodes.search.kernels import antipalos_circuit as circuit
from antipodes.search.kernels.banded import LANES
from tests.search.antipalos.positions import a_position


class Measured:
    """A colour's circuits as the kernel measures them."""

    def __init__(self, position, color=0, paired=1.0):
        size = position.game.options.size
        colors = len(position.game.colors)
        circuits = circuit.circuits(size, colors)
        self.conductances, self.drops, self.ties, self.currents, _ = circuits
        edition(circuit, "measure")(
            position.game.tables,
            position.kernel_state.copy(),
            color,
            paired,
            circuit.scratch(size),
            circuits,
        )


def current_by_fractions(position, color, lane):
    """Return a lane's current in exact arithmetic: an oracle that shares nothing with the kernel.

    Grid points that own rods join are one point; the equations are solved by Gauss' elimination.
    """
    size = position.game.options.size
    rods = position.rods()
    name = {(x, y): (x, y) for x in range(size + 1) for y in range(size + 1)}
    edges: list[Any] = []
    for square in range(size * size):
        y, x = divmod(square, size)
        ends = {"/": ((x, y), (x + 1, y + 1)), "\\": ((x, y + 1), (x + 1, y))}
        rod = rods.get(square)
        if rod is None:
            edges += ends.values()
        elif rod.color is position.game.colors[color]:
            low, high = (name[end] for end in ends[rod.diagonal])
            name = {point: high if group == low else group for point, group in name.items()}
    axis = 0 if lane >= circuit.ACROSS else 1
    fixed = {}
    for point, group in name.items():
        if point[axis] in (0, size) and sum(point) % 2 == lane % 2:
            fixed[group] = Fraction(point[axis] == size)
    wires = [(name[a], name[b]) for a, b in edges if sum(a) % 2 == lane % 2]
    wires = [(a, b) for a, b in wires if a != b]
    reached, last = set(fixed), 0
    while len(reached) != last:
        last = len(reached)
        reached |= {q for a, b in wires for p, q in ((a, b), (b, a)) if p in reached}
    unknown = sorted(reached - set(fixed))
    index = {group: i for i, group in enumerate(unknown)}
    matrix = [[Fraction(0)] * (len(unknown) + 1) for _ in unknown]
    for a, b in wires:
        for here, there in ((a, b), (b, a)):
            if here in index:
                row = matrix[index[here]]
                row[index[here]] += 1
                if there in index:
                    row[index[there]] -= 1
                else:
                    row[-1] += fixed[there]
    for i, pivot in enumerate(matrix):
        for j, row in enumerate(matrix):
            if j != i and row[i]:
                factor = row[i] / pivot[i]
                matrix[j] = [p - factor * q for p, q in zip(row, pivot, strict=True)]
    volts = {**fixed, **{g: matrix[i][-1] / matrix[i][i] for g, i in index.items()}}
    bottom = [g for g, v in fixed.items() if v == 0]
    return float(
        sum(volts[q] for a, b in wires for p, q in ((a, b), (b, a)) if p in bottom and q in volts)
    )


@pytest.mark.parametrize("seed", range(6))
def test_currents_are_those_of_exact_arithmetic(seed):
    position = a_position({"ruleset": "mail", "size": 3 + seed % 3}, 3 + seed, seed)
    measured = Measured(position)
    for lane in range(LANES):
        exact = current_by_fractions(position, 0, lane)
        assert measured.currents[0, lane] == pytest.approx(exact, rel=0.02, abs=1e-5)


@pytest.mark.parametrize("options", [{"size": 12}, {"ruleset": "mail", "size": 5}], ids=str)
def test_the_current_after_a_change_is_that_of_the_changed_circuit(options):
    position = a_position(options, 12, 3)
    size, before = position.game.options.size, Measured(position)
    for move in list(position.legal_moves)[::7]:
        if move == position.game.swap_move:
            continue
        after = Measured(position.play(move))
        square, diagonal = divmod(move, 2)
        lattice = (square % size + square // size + diagonal) % 2
        for lane in range(LANES):
            change = -1.0
            if position.to_move is position.game.colors[0] and lane % 2 == lattice:
                change = circuit.WIRE - 1.0
            predicted = circuit.changed(
                before.currents[0, lane],
                before.drops[square, lane],
                before.ties[square, lane],
                change,
            )
            assert predicted == pytest.approx(after.currents[0, lane], abs=1e-5)


def test_a_quarter_turn_of_the_board_exchanges_the_pairs_of_borders():
    position = a_position({"size": 12}, 14, 5)
    game = position.game
    turned = game.initial()
    moves = []
    for square, rod in position.rods().items():
        moves.append((2 * square + (rod.diagonal == "\\"), rod.color))
    stones = tuple(
        (game.initial().format_move(game.transform(move, 1)), color.value) for move, color in moves
    )
    turned = game.position(Setup(stones=stones, to_move=position.to_move.value))
    one, other = Measured(position).currents[0], Measured(turned).currents[0]
    # With an even number of squares a turn keeps the lattices.
    assert one == pytest.approx(other[[2, 3, 0, 1]], abs=1e-6)


def test_an_own_rod_never_takes_current_from_its_lattice_and_others_never_give_any():
    position = a_position({"size": 12}, 13, 8)
    rng = random.Random(1)
    own = position.game.colors.index(position.to_move)
    before = [Measured(position, color).currents[color].copy() for color in (0, 1)]
    for move in rng.sample(list(position.legal_moves), 20):
        after = [Measured(position.play(move), color).currents[color] for color in (0, 1)]
        square, diagonal = divmod(move, 2)
        lattice = (square % 12 + square // 12 + diagonal) % 2
        assert (after[own][lattice::2] >= before[own][lattice::2] - 1e-6).all()
        assert (after[1 - own] <= before[1 - own] + 1e-6).all()


def ends_of(size, square, diagonal):
    """Return the grid points of a diagonal, the left one first."""
    y, x = divmod(square, size)
    return (x, y + diagonal), (x + 1, y + 1 - diagonal)


def chain_names(position, color, axis):
    """Return grid point -> a name that the points of its chain share, borders of an axis joined."""
    size = position.game.options.size
    points = [(x, y) for x in range(size + 1) for y in range(size + 1)]
    names: dict[Any, Any] = {
        point: ("border", point[axis], sum(point) % 2) if point[axis] in (0, size) else point
        for point in points
    }
    for square, rod in position.rods().items():
        if rod.color is position.game.colors[color]:
            one, other = (names[end] for end in ends_of(size, square, rod.diagonal == "\\"))
            names = {point: other if name == one else name for point, name in names.items()}
    return names


@pytest.mark.parametrize("options", [{"size": 12}, {"ruleset": "mail", "size": 5}], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_diagonals_that_join_two_chains_in_two_squares_conduct_as_virtual_connections(
    options, seed
):
    position = a_position(options, 10, seed)
    size = position.game.options.size
    measured = Measured(position, 1, paired=7.0)
    free = [one for one in range(size * size) if one not in position.rods()]
    found = 0
    for lane in range(LANES):
        names = chain_names(position, 1, axis=0 if lane >= circuit.ACROSS else 1)
        diagonals = {one: (one % size + one // size + lane) % 2 for one in free}
        joins = {
            square: frozenset(names[end] for end in ends_of(size, square, diagonal))
            for square, diagonal in diagonals.items()
        }
        for square, join in joins.items():
            is_paired = list(joins.values()).count(join) > 1
            expected = 7.0 if is_paired else 1.0
            assert measured.conductances[size * size + square, lane] == expected
            found += is_paired and len(join) > 1
    assert found > 0

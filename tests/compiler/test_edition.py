"""The WebAssembly edition of the kernels does the same as the compiled one, bit by bit."""

import math
import random
from importlib import import_module
from typing import Any

import numba
import numpy as np
import pytest

from antipodes.games.kernels import compiled_rules, compiled_walks, placement
from antipodes.games.kernels.registry import KERNELS, kernel
from antipodes.games.registry import make_game
from antipodes.search.families import playout_kernel
from antipodes.search.kernels import estimates, exponentials, playouts, rave, uct
from antipodes.search.kernels.batch import flood_layout
from antipodes.search.mcts_tree import MctsTree, TreeSettings
from tests.kernels.exercise import GAMES
from tools.compiler.entries import Entry, entries
from tools.compiler.wasm import compile_module, has_compiler, translate

pytest.importorskip("wasmtime", reason="pip install wasmtime installs the engine")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_compiler(), reason="pip install ziglang installs the compiler"),
]

from .edition import Edition  # noqa: E402

every_game = pytest.mark.parametrize("game", [make_game(*case) for case in GAMES], ids=repr)


@pytest.fixture(scope="module", params=[False, True], ids=["fast", "checked"])
def edition(request):
    return Edition(compile_module(translate(entries()), checked=request.param))


@every_game
def test_random_games_end_in_the_same_state(edition, game):
    rules, walks = compiled_rules(game.family), compiled_walks()
    chance = random.Random(1)
    for _ in range(5):
        seed, plies = chance.randrange(1, 2**63), chance.choice((5, 400))
        one, other = (
            (game.initial().searchable_state(plies), game.work(), np.array([seed], np.int64))
            for _ in range(2)
        )
        winner = walks.play_out(rules.sample, rules.play, game.tables, *one, plies)
        assert winner == edition.call(f"{game.family}_play_out", game.tables, *other, plies)
        assert all(map(np.array_equal, one, other))


@every_game
def test_playouts_at_a_leaf_end_in_the_same_state(edition, game):
    playout = playout_kernel(game.family)
    for seed in range(1, 6):
        one, other = (
            (game.initial().searchable_state(400), game.work(), np.array([seed], np.int64))
            for _ in range(2)
        )
        winner = playout(game.tables, *one)
        assert winner == edition.call(f"{game.family}_playout", game.tables, *other)
        assert all(map(np.array_equal, one, other))


@every_game
def test_perft_counts_the_same_lines(edition, game):
    depth = 2
    states = np.zeros((depth + 1, len(game.initial().searchable_state(depth))), np.int64)
    states[0] = game.initial().searchable_state(depth)
    lists = np.zeros((depth + 1, game.max_branching), np.int64)
    places = np.zeros((depth, 2), np.int64)
    arguments = (game.tables, states, game.work(), lists, places, depth)
    assert edition.call(f"{game.family}_count_positions", *arguments) == game.perft(depth)


def bump(a):
    a[0] += 10
    return a[0]


def whole_numbers(a, x, y):
    a[0] += bump(a)
    a[1] = a[0] - bump(a) * 2
    a[2], a[3] = a[3], a[2]
    a[4] = x // y + 100 * (x % y) + x // 8 + x % 8
    a[5] = (x << 3) ^ (y >> 1) | ~x & -y
    a[6] = 1 if -5 < x <= y < 50 and x in (3, -4, a[0]) else 0
    a[7] = max(x, y, 3) - min(x, y) + abs(x) + x**3
    low = a[:3]
    high = a[8:]
    high[:] = len(low)
    for i in range(9, 2, -3):
        a[i] += i
        i += 5  # noqa: PLW2901 - it does not change the loop
    return x


FRACTIONS = "f8(f8[::1], f4[::1], u4[::1])"


def fractions(a, b, c):
    a[0] = c[0] / c[1] + b[0] * 3
    b[1] = b[0] / b[2]
    a[1] = math.sqrt(a[0]) - (c[0] - c[1] if c[0] > c[1] else c[1] - c[0])
    a[2] = int(a[0] * 7.5) % 4
    b[0] += c[0]
    return max(a[1], b[1])


@pytest.fixture(scope="module")
def small():
    """Kernels of this module, which try what kernels may use."""
    kernel("i8(i8[::1])")(bump)
    kernel("i8(i8[::1], i8, i8)")(whole_numbers)
    kernel(FRACTIONS)(fractions)
    wanted = [Entry("whole_numbers", whole_numbers), Entry("fractions", fractions)]
    yield Edition(compile_module(translate(wanted), checked=True))
    KERNELS.pop(__name__, None)


@pytest.mark.parametrize("x", [-17, -4, -1, 0, 3, 8, 40])
@pytest.mark.parametrize("y", [-7, -1, 5, 41, 64])
def test_whole_numbers_are_those_of_python(small, x, y):
    one, other = np.arange(12), np.arange(12)
    assert whole_numbers(one, x, y) == small.call("whole_numbers", other, x, y)
    assert one.tolist() == other.tolist()


def test_fractions_are_those_of_numba(small):
    compiled = numba.njit(FRACTIONS, error_model="numpy")(fractions)
    for seed in range(20):
        chance = np.random.default_rng(seed)
        one: list[Any] = [
            np.zeros(3),
            chance.random(3, np.float32),
            chance.integers(1, 50, 2, np.uint32),
        ]
        other = [array.copy() for array in one]
        assert compiled(*one) == small.call("fractions", *other)
        assert all(map(np.array_equal, one, other))


@pytest.mark.parametrize("name", ["exp", "log"])
def test_exponentials_and_logarithms_have_the_same_bits(name):
    plain = vars(exponentials)[name]
    module = Edition(compile_module(translate([Entry(name, plain)])))
    chance = random.Random(1)
    for _ in range(1_000):
        x = chance.uniform(-700, 700)
        x = x if name == "exp" else math.exp(x)
        assert plain(x) == module.call(name, x), x


def test_a_module_has_the_same_bytes_each_time():
    assert translate(entries()) == translate(entries())
    rules = vars(placement)
    program = translate([Entry("moves", rules["moves"]), Entry("play", rules["play"])])
    assert compile_module(program) == compile_module(program)


def test_an_index_outside_of_its_array_is_found():
    import wasmtime

    game = make_game("hex", {"size": 4})
    rules = vars(import_module("antipodes.games.kernels.placement"))
    wanted = [Entry("moves", rules["moves"])]
    checked = Edition(compile_module(translate(wanted), checked=True))
    state, out = game.initial().kernel_state, np.zeros(game.max_branching, np.int64)
    assert checked.call("moves", game.tables, state.copy(), game.work(), out) == 16
    with pytest.raises(wasmtime.Trap, match="unreachable"):
        checked.call("moves", game.tables, state.copy(), game.work(), out[:3])


@pytest.mark.parametrize(
    "settings",
    [
        TreeSettings(batches=True, exploration=0.0, threshold=1, bridges=True),
        TreeSettings(exploration=0.7, threshold=8),
    ],
    ids=["rave", "uct"],
)
def test_a_seeded_search_grows_the_same_tree(settings):
    position = make_game("hex", {"size": 5}).initial()
    rules, kind = vars(placement), rave if settings.batches else uct
    given = {"moves": rules["moves"], "play": rules["play"], "step": rules["place"]}
    if settings.bridges:
        given["step"] = rules["play"]
    if kind is uct:
        given |= {"playout": playouts.playout, "estimate": estimates.no_estimate}
    search = Edition(compile_module(translate([Entry("simulate", kind.simulate, given)])))
    one, other = (MctsTree(position, settings, 7, 1 << 20) for _ in range(2))
    grown = [other._walk, other._tree, other._way]
    grown += (
        [flood_layout(position.game.topology, position.game.tables), other._batches]
        if kind is rave
        else [other._outcome]
    )
    assert one.add_visits(300) == search.call("simulate", *grown, 300)
    assert np.array_equal(one._rng, other._rng)
    for name in one._tree._fields:
        assert np.array_equal(getattr(one._tree, name), getattr(other._tree, name)), name

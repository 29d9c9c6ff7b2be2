"""The WebAssembly edition of the kernels does the same as the compiled one, bit by bit."""

import math
import random
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from antipodes.games import kernels
from antipodes.games.conformance import check_game
from antipodes.games.kernels import header, placement
from antipodes.games.kernels.registry import KERNELS, kernel
from antipodes.games.registry import make_game
from antipodes.games.winning import winning_move
from antipodes.puzzles.forced_wins import ForcedWins
from antipodes.search.factory import make_search
from antipodes.search.families import playout_kernel
from antipodes.search.interface import Limits, SearchSettings
from antipodes.search.kernels import exponentials
from antipodes.search.mcts_tree import MctsTree, TreeSettings, network_settings
from antipodes.search.proof.solver import Solver
from tests.games.oracle_games import agree, random_game, random_setup
from tests.golden.playthroughs import FOLDER, playthrough
from tests.golden.playthroughs import GAMES as FROZEN
from tests.golden.test_golden import SLOW
from tests.kernels.exercise import GAMES
from tests.thorough import repetitions
from tools.compiler import wasm
from tools.compiler.entries import Entry, page_entries
from tools.compiler.native import has_compiler
from tools.compiler.wasm import compile_module, translate

pytest.importorskip("wasmtime", reason="pip install wasmtime installs the engine")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_compiler(), reason="pip install ziglang installs the compiler"),
]

from .edition import Edition, Editions  # noqa: E402

every_game = pytest.mark.parametrize("game", [make_game(*case) for case in GAMES], ids=repr)
GAMES_AGAINST_ORACLES = repetitions(3, 40)


@pytest.fixture(scope="module")
def fast():
    return Editions(*kernels.FAMILIES, checked=False)


@pytest.fixture(scope="module")
def checked():
    return Editions(*kernels.FAMILIES, checked=True)


@every_game
def test_perft_counts_the_same_lines(fast, monkeypatch, game):
    expected = game.perft(2)
    fast.replace_kernels(monkeypatch)
    assert game.perft(2) == expected


@every_game
def test_the_conformance_kit_finds_no_difference(checked, monkeypatch, game):
    checked.replace_kernels(monkeypatch)
    check_game(game, games=1, positions=2, moves=10, plies=40)


@pytest.mark.parametrize(("game_id", "options"), GAMES, ids=str)
def test_random_games_and_setups_agree_with_the_oracles(checked, monkeypatch, game_id, options):
    checked.replace_kernels(monkeypatch)
    for seed in range(GAMES_AGAINST_ORACLES):
        random_game(game_id, options, seed, 0.3)
        # Oracles do not read setups of teams.
        is_read = options.get("seats") != "team"
        position, oracle = random_setup(game_id, options, seed) if is_read else (None, None)
        if position is not None:
            agree(position, oracle, f"setup {seed}")


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.extreme) if name in SLOW else name for name in FROZEN],
)
def test_a_frozen_game_plays_as_it_did(fast, monkeypatch, name):
    fast.replace_kernels(monkeypatch)
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


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


def wide(a, b, c):
    """Do what ``fractions`` does, with the types that its operations have."""
    b0, c0, c1 = float(b[0]), float(c[0]), float(c[1])
    a[0] = c0 / c1 + b0 * 3
    b[1] = b[0] / b[2]
    a[1] = math.sqrt(a[0]) - abs(c0 - c1)
    a[2] = int(a[0] * 7.5) % 4
    b[0] = np.float32(b0 + c0)
    return max(a[1], float(b[1]))


def test_fractions_of_mixed_types_are_as_wide_as_the_widest(small):
    for seed in range(20):
        chance = np.random.default_rng(seed)
        one: list[Any] = [
            np.zeros(3),
            chance.random(3, np.float32),
            chance.integers(1, 50, 2, np.uint32),
        ]
        other = [array.copy() for array in one]
        assert wide(*one) == small.call("fractions", *other)
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


def test_a_module_has_the_same_bytes_in_another_folder(monkeypatch, tmp_path):
    rules = vars(placement)
    program = translate([Entry("moves", rules["moves"]), Entry("play", rules["play"])])
    modules = []
    for name in ("one", "another/folder"):
        monkeypatch.setattr(wasm, "BUILT", tmp_path / name)
        modules.append(compile_module(program))
    assert modules[0] == modules[1]


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


def after(game, plies):
    """Return a position after random moves."""
    chance, position = random.Random(2), game.initial()
    for _ in range(plies):
        position = position.play(chance.choice(position.legal_moves))
    return position


def think(position, visits=200, **settings):
    """Search a position, then the next one with the reused subtree."""
    given = {"network": False, "memory": 1, **settings}
    search = make_search(position, SearchSettings(**given), seed=3)
    search.run(Limits(visits=visits))
    search.criticality()
    best = search.candidates()[0]
    if search.proven is None:
        search.play(best.move)
        search.run(Limits(visits=visits // 4))


def search_placement():
    hexagons = make_game("hex", {"size": 5})
    think(hexagons.initial(), knowledge=False)
    think(after(make_game("hex", {"size": 4}), 3), 1_200)
    think(make_game("antipod", {"side": 3}).initial(), 2_000)
    think(make_game("cylindrical-hex", {"rows": 4, "columns": 5}).initial())
    MctsTree(hexagons.initial(), TreeSettings(), 7, 1 << 18).add_visits(200)
    tree = MctsTree(hexagons.initial(), network_settings(hexagons), 7, 1 << 18)
    tree.add_visits(200)
    tree.evaluate_stones()
    solver = Solver(after(make_game("hex", {"size": 5, "swap": "off"}), 2), memory=1)
    assert solver.run()
    solver.prove()


def search_antipalos():
    think(make_game("antipalos", {"size": 12, "rods": 2, "phase_two_limit": 4}).initial(), 40)
    think(after(make_game("antipalos", {"size": 12, "seats": "cutthroat3"}), 6), 40)
    think(make_game("antipalos", {"size": 12}).initial(), 40, knowledge=False)
    think(make_game("antipalos", {"ruleset": "mail", "size": 4}).initial(), 100, knowledge=False)


def search_antipode():
    think(after(make_game("antipode"), 4), 500)
    think(make_game("antipode").initial(), knowledge=False)


SEARCHES = {
    "placement": search_placement,
    "antipalos": search_antipalos,
    "antipode": search_antipode,
}


def play_games(game):
    """Play random games, some of them from a leaf of a search."""
    walks = kernels.walks_of(game.family)
    playout = playout_kernel(game.family)
    for seed in range(1, 4):
        rng, work = np.array([seed], np.int64), game.work()
        state = game.initial().searchable_state(400)
        walks.play_out(game.tables, state, work, rng, 30 * seed)
        if not state[header.WINNER]:
            playout(game.tables, state, work, rng)


# The kit and the tests of perft and of frozen games call the others.
_ELSEWHERE = {"pieces", "rebuild", "sample", "chain", "count_positions", "play_outs"}


@pytest.mark.parametrize("family", SEARCHES)
def test_each_call_of_real_searches_changes_the_same_bytes(monkeypatch, family):
    modules = Editions(family, checked=True)
    modules.replace_kernels(monkeypatch, compare=True)
    for game in (make_game(*case) for case in GAMES):
        if game.family == family:
            play_games(game)
            winning_move(after(game, 2))
            ForcedWins(game).wins(after(game, 2), 2)
    SEARCHES[family]()
    called = modules.called | {f"{family}_{name}" for name in _ELSEWHERE}
    assert {entry.name for entry in page_entries(family)} == called

"""The native edition of the kernels does the same as the other ones, and checks its arguments."""

from importlib.util import module_from_spec, spec_from_file_location
from typing import Any

import numpy as np
import pytest

from antipodes.games.kernels import compiled_rules, compiled_walks, header
from antipodes.games.kernels.native import PATH, digest, name_of
from antipodes.games.registry import make_game
from antipodes.search.kernels import batch, rave, uct
from antipodes.search.mcts_tree import MctsTree, TreeSettings
from tests.kernels.exercise import GAMES
from tools.compiler import native
from tools.compiler.entries import all_entries
from tools.compiler.wasm import has_compiler

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not has_compiler(), reason="pip install ziglang installs the compiler"),
]

every_game = pytest.mark.parametrize("game", [make_game(*case) for case in GAMES], ids=repr)


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    path = tmp_path_factory.mktemp("native") / PATH.name
    native.build(target=path)
    spec: Any = spec_from_file_location("_kernels", path)
    module: Any = module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.digest == digest()
    return module


@every_game
def test_random_games_end_in_the_same_state(library, game):
    rules, walks = compiled_rules(game.family), compiled_walks()
    name = f"perft_play_out__{game.family}_sample__{game.family}_play"
    for seed in range(1, 6):
        plies = 400 if seed > 2 else 5
        one, other = (
            (game.initial().searchable_state(plies), game.work(), np.array([seed], np.int64))
            for _ in range(2)
        )
        winner = walks.play_out(rules.sample, rules.play, game.tables, *one, plies)
        assert winner == getattr(library, name)(game.tables, *other, plies)
        assert all(map(np.array_equal, one, other))


@every_game
def test_perft_counts_the_same_lines(library, game):
    depth = 2
    states = np.zeros((depth + 1, len(game.initial().searchable_state(depth))), np.int64)
    states[0] = game.initial().searchable_state(depth)
    lists = np.zeros((depth + 1, game.max_branching), np.int64)
    places = np.zeros((depth, 2), np.int64)
    count = getattr(library, f"perft_count_positions__{game.family}_moves__{game.family}_play")
    assert count(game.tables, states, game.work(), lists, places, depth) == game.perft(depth)


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        (("hex", {"size": 5}), TreeSettings(batches=True, exploration=0.0, bridges=True)),
        (("antipod", {"side": 4}), TreeSettings(batches=True, exploration=0.02, threshold=1)),
        (("antipod", {"side": 4}), TreeSettings(exploration=0.7, threshold=8)),
        (("antipode", {}), TreeSettings()),
        (("antipalos", {"size": 12}), TreeSettings(estimate="estimate_antipalos", threshold=1)),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
def test_a_seeded_search_grows_the_same_tree(library, game, settings):
    position = make_game(*game).initial()
    module = rave if settings.batches else uct
    (name,) = (
        entry.name
        for entry in all_entries()
        if entry.function is module.simulate
        and entry.given["play"].__module__.endswith(position.game.family)
        and (name_of(entry.given["step"]) == "placement_place")
        == (position.game.family == "placement" and not settings.bridges)
        and entry.given.get("estimate", len).__name__ in {"len", settings.estimate or "no_estimate"}
    )
    one, other = (MctsTree(position, settings, 7, 1 << 20) for _ in range(2))
    grown = {"walk": other._walk, "tree": other._tree, "way": other._way, "visits": 300}
    if settings.batches:
        grown["layout"] = batch.flood_layout(position.game.topology, position.game.tables)
        grown["batches"] = other._batches
    else:
        grown["outcome"] = other._outcome
    assert one.add_visits(300) == getattr(library, name)(**grown)
    assert np.array_equal(one._rng, other._rng)
    for field in one._tree._fields:
        assert np.array_equal(getattr(one._tree, field), getattr(other._tree, field)), field


def arguments():
    game = make_game("hex", {"size": 4})
    return [game.tables, game.initial().searchable_state(1), game.work(), 3]


@pytest.mark.parametrize(
    ("place", "wrong", "why"),
    [
        (0, None, "tables must be an array i8"),
        (1, np.zeros(99, np.int32), "state must be an array i8"),
        (1, np.zeros(99, np.uint64), "state must be an array i8"),
        (1, np.zeros((9, 99), np.int64), "state must be an array i8"),
        (2, np.zeros(99, np.int64)[::2], "work must be an array i8"),
        (2, np.frombuffer(bytes(800), np.int64), "in C order and writable"),
        (2, np.zeros(99, ">i8"), "work must be an array i8"),
        (3, "a", "move must be a number i8, not 'a'"),
        (3, 0.5, "move must be a number i8, not 0.5"),
        (3, 2**70, "move must be a number i8"),
    ],
)
def test_a_wrong_argument_is_refused_with_its_name(library, place, wrong, why):
    given = arguments()
    given[place] = wrong
    with pytest.raises(TypeError, match=rf"placement.judge: .*{why}"):
        library.placement_judge(*given)


def test_a_wrong_number_of_arguments_is_refused(library):
    with pytest.raises(TypeError, match=r"placement.judge takes 4 arguments, not 3"):
        library.placement_judge(*arguments()[:3])
    tables, state, work, move = arguments()
    with pytest.raises(TypeError, match=r"placement.judge: the argument work is missing"):
        library.placement_judge(tables, state, move=move, wrok=work)
    assert library.placement_judge(tables, state, move=move, work=work) == header.LEGAL


def test_a_group_in_place_of_another_is_refused(library):
    game = make_game("hex", {"size": 3})
    layout = batch.flood_layout(game.topology, game.tables)
    with pytest.raises(TypeError, match=r"nodes.principal_line: tree must be a Tree"):
        library.nodes_principal_line(layout, 0, np.zeros(3, np.int64))
    exchanged: dict[str, Any] = {"ahead": layout.slots, "slots": layout.ahead}
    black, reached = np.zeros((2, 10), np.int64)
    with pytest.raises(TypeError, match=r"batch.flood: layout.* must be an array"):
        library.batch_flood(layout._replace(**exchanged), black, reached)
    assert library.batch_flood(layout, black, reached) == 0

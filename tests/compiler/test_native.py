"""The native edition of the kernels does the same as the other ones, and checks its arguments."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from antipodes.games.kernels import edition, header, native, plain_rules
from antipodes.games.registry import make_game
from antipodes.search.kernels import batch, forced_wins
from antipodes.search.kernels.forced_wins import no_win
from antipodes.search.mcts_tree import MctsTree, TreeSettings
from tools.compiler.entries import all_entries


@pytest.fixture
def library():
    if not native.enabled():
        pytest.skip("`make setup` builds the native edition")
    return import_module("antipodes._kernels")


def test_every_kernel_that_python_calls_is_there(library):
    assert not [entry.name for entry in all_entries() if not hasattr(library, entry.name)]
    assert library.digest == native.digest()


@pytest.mark.usefixtures("library")
def test_a_choice_of_kernels_that_the_build_does_not_know_is_told():
    antipode, hexagons = plain_rules("antipode"), plain_rules("placement")
    with pytest.warns(RuntimeWarning, match="antipode_moves__placement_play__.* is missing"):
        edition(forced_wins, "attack_wins", moves=antipode.moves, play=hexagons.play, wins=no_win)


@pytest.mark.parametrize(
    ("game", "settings", "visits"),
    [
        (("hex", {"size": 5}), TreeSettings(batches=True, exploration=0.0, bridges=True), 6),
        (("antipod", {"side": 3}), TreeSettings(batches=True, exploration=0.02), 6),
        (("antipod", {"side": 4}), TreeSettings(exploration=0.7, threshold=8), 60),
        (("antipode", {}), TreeSettings(), 20),
        (("antipalos", {"size": 12}), TreeSettings(estimate="estimate_antipalos"), 20),
        (("antipalos", {"ruleset": "mail", "size": 4}), TreeSettings(), 20),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)
@pytest.mark.usefixtures("library")
def test_a_seeded_search_grows_the_same_tree(game, settings, visits):
    one, other = (MctsTree(make_game(*game).initial(), settings, 7, 1 << 20) for _ in range(2))
    with native.plainly():
        assert one.add_visits(visits) == visits
    assert other.add_visits(visits) == visits
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

"""The tree that pages grow is the server's: its moves have the same visits, values and proofs."""

import random

import numpy as np
import pytest

from antipodes.games.kernels import edition, native, placement, plain_rules
from antipodes.games.registry import make_game
from antipodes.search.device import NETWORK, TreeOnDevice, device_levels, plays_on_device
from antipodes.search.device_kit import flattened
from antipodes.search.kernels import choosing, network_choices, nodes, tree_choices
from antipodes.search.kernels.choosing import Choice, generator_state
from antipodes.search.kernels.nodes import Tree
from antipodes.search.levels import levels
from antipodes.search.players import SearchPlayer, new_choice
from antipodes.search.tree import TreeSearch
from tests.thorough import repetitions

GAMES = [
    ("hex", {"size": 5, "swap": "off"}),
    ("hex", {"size": 7}),
    ("hex", {"size": 11, "swap": "off"}),
    ("cylindrical-hex", {"rows": 5, "columns": 6}),
    ("cylindrical-hex", {"rows": 8, "columns": 9}),
    ("antipod", {"side": 3}),
    ("antipod", {"side": 5}),
]


def some_positions(game, count):
    """Yield positions after random moves."""
    chance = random.Random(11)
    for _ in range(count):
        position = game.initial()
        for _ in range(chance.randrange(game.topology.cell_count)):
            after = position.play(chance.choice(position.legal_moves))
            if after.outcome is None:
                position = after
        yield position


def device_arguments(game, level):
    """Return the arguments of the calls with which the page chooses a level's moves."""
    skill = level.skill(game)
    choice = new_choice(game, skill, np.zeros(1, np.int64))
    return TreeOnDevice().arguments(game.initial(), choice, skill)


def grown_in_a_page(position, skill, seed, slices):
    """Return the move, and visits, total value and verdict of each; ``None`` without a search."""
    game, rules = position.game, plain_rules("placement")
    choice = new_choice(game, skill, np.array([generator_state(seed)], np.int64))
    arguments = TreeOnDevice().arguments(position, choice, skill)
    given = {"moves": rules.moves, "play": rules.play, "step": placement.place}
    if edition(tree_choices, "begin_with_facts", **given)(*arguments["begin"]) >= 0:
        return None
    kernels, of_network = (network_choices, NETWORK) if skill.network else (tree_choices, "")
    grow = edition(kernels, "grow", **given)
    while grow(*arguments[f"{of_network}grow"], slices):
        pass
    move = edition(kernels, "end")(*arguments[f"{of_network}end"])
    _, tree, children, *_ = arguments[f"{of_network}end"]
    return move, results_of(children, edition(nodes, "list_children")(tree, children))


def results_of(children, count):
    """Return visits, total value and verdict of the visited or proven ones of some moves."""
    columns = zip(children.moves, children.visits, children.totals, children.verdicts, strict=True)
    rows = [(int(m), int(n), float(t), int(v)) for m, n, t, v in list(columns)[:count]]
    return sorted(row for row in rows if row[1] or row[3])


def grown_here(position, skill, seed):
    """Return the same of the search with which the server chooses."""
    player = SearchPlayer("level", skill, seed)
    move = player.choose(position)
    assert isinstance(player._search, TreeSearch)
    children = player._search._trees[0].children()
    return move, results_of(children, len(children.moves))


@pytest.mark.skipif(not native.enabled(), reason="knowledge needs the native edition")
@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_each_move_has_the_same_visits_values_and_verdicts(game_id, options):
    game = make_game(game_id, options)
    chance = random.Random(12)
    strong = [*device_levels(game)[3:], *device_levels(game, network=True)]
    for position in some_positions(game, repetitions(6, 60)):
        for level in strong:
            skill, seed = level.skill(game), chance.randrange(2**48)
            in_page = grown_in_a_page(position, skill, seed, chance.choice([3, 50, 1 << 20]))
            if in_page is not None:
                assert in_page == grown_here(position, skill, seed), level.number


@pytest.mark.parametrize(("game_id", "options"), [*GAMES, ("hex", {"size": 26})])
def test_every_level_has_at_most_the_memory_of_the_server(game_id, options):
    game = make_game(game_id, options)
    assert all(plays_on_device(game, level) for level in levels())
    for level in levels():
        calls = device_arguments(game, level).values()
        [tree] = {
            id(group): group for call in calls for group in call if isinstance(group, Tree)
        }.values()
        assert sum(array.nbytes for array in tree) <= level.skill(game).memory << 20


@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_the_levels_of_a_kit_differ_in_the_lengths_of_empty_arrays_alone(game_id, options):
    game = make_game(game_id, options)
    usual, *others = [
        [
            array
            for call in device_arguments(game, level).values()
            for array in flattened(group for group in call if not isinstance(group, Choice))
        ]
        for level in device_levels(game)
    ]
    for arrays in others:
        for known, array in zip(usual, arrays, strict=True):
            is_alike = known.shape == array.shape and np.array_equal(known, array)
            assert is_alike or not (known.any() or array.any())


def test_a_hasty_choice_has_no_knowledge():
    game = make_game("hex", {"size": 5})
    skill = levels()[4].skill(game)
    choice = new_choice(game, skill, np.zeros(1, np.int64))
    assert choice.skill[choosing.KNOWS] == 1
    arguments = TreeOnDevice().arguments(game.initial(), choice, skill)
    walk, tree, *_ = arguments["grow"]
    for hasty in (0, 1):
        choice.numbers[choosing.HASTY] = hasty
        assert edition(tree_choices, "set_knowledge")(walk, tree, choice) == 1 - hasty
        assert tree.settings[nodes.BRIDGES] == 1 - hasty
        assert tree.settings[nodes.LIGHT] == hasty

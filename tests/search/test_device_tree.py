"""The tree that pages grow is the server's: its moves have the same visits, values and proofs."""

import random

import numpy as np
import pytest

from antipodes.games.kernels import edition, native, placement, plain_rules
from antipodes.games.registry import make_game
from antipodes.search.device import LARGEST_TREE, NODE, TreeOnDevice, device_levels
from antipodes.search.kernels import choosing, nodes, tree_choices
from antipodes.search.kernels.choosing import generator_state
from antipodes.search.kernels.nodes import Tree
from antipodes.search.levels import levels
from antipodes.search.mcts_tree import new_children
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


def grown_in_a_page(position, skill, seed, slices):
    """Return visits, total value and verdict of each move; ``None`` if no search was needed."""
    game, rules = position.game, plain_rules("placement")
    choice = new_choice(game, skill, np.array([generator_state(seed)], np.int64))
    search = TreeOnDevice()
    arguments = search.arguments(position, choice, skill)
    room = search.room(game, skill)
    grown = [
        group._replace(
            **{
                name: np.zeros((*array.shape[:-1], room), array.dtype)
                for name, array in group._asdict().items()
                if any(array is growing for growing in arguments["growing"])
            }
        )
        if isinstance(group, Tree)
        else group
        for group in arguments["grow"]
    ]
    given = {"moves": rules.moves, "play": rules.play, "step": placement.place}
    if edition(tree_choices, "begin", **given)(grown[0], choice) >= 0:
        return None
    grow = edition(tree_choices, "grow", **given)
    while grow(*grown, slices):
        pass
    children = new_children(game.max_branching)
    count = edition(nodes, "list_children")(grown[1], children)
    return results_of(children, count)


def results_of(children, count):
    """Return visits, total value and verdict of the visited or proven ones of some moves."""
    columns = zip(children.moves, children.visits, children.totals, children.verdicts, strict=True)
    rows = [(int(m), int(n), float(t), int(v)) for m, n, t, v in list(columns)[:count]]
    return sorted(row for row in rows if row[1] or row[3])


def grown_here(position, skill, seed):
    """Return the same of the search with which the server chooses."""
    player = SearchPlayer("level", skill, seed)
    player.choose(position)
    assert isinstance(player._search, TreeSearch)
    children = player._search._trees[0].children()
    return results_of(children, len(children.moves))


@pytest.mark.skipif(not native.enabled(), reason="knowledge needs the native edition")
@pytest.mark.parametrize(("game_id", "options"), GAMES)
def test_each_move_has_the_same_visits_values_and_verdicts(game_id, options):
    game = make_game(game_id, options)
    chance = random.Random(12)
    for position in some_positions(game, repetitions(6, 60)):
        for level in device_levels(game)[3:]:
            skill, seed = level.skill(game), chance.randrange(2**48)
            in_page = grown_in_a_page(position, skill, seed, chance.choice([3, 50, 1 << 20]))
            if in_page is not None:
                assert in_page == grown_here(position, skill, seed), level.number


@pytest.mark.parametrize(("game_id", "options"), [*GAMES, ("hex", {"size": 26})])
def test_the_levels_of_the_page_have_bounded_trees(game_id, options):
    game = make_game(game_id, options)
    numbers = {level.number for level in device_levels(game)}
    assert numbers >= set(range(1, 8))
    for level in levels():
        skill = level.skill(game)
        fits = TreeOnDevice().room(game, skill) * NODE <= LARGEST_TREE
        assert (level.number in numbers) == (fits and not skill.network)


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
